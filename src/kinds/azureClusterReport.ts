import { textAt } from "../api/json.ts";
import { isDeleting } from "../api/meta.ts";
import { conditionStatus } from "../core/conditions.ts";
import type { Outcome, Report, ServiceState } from "../core/kind.ts";
import type { Claim, KubeObject } from "../core/types.ts";
import type { ClusterScope } from "../services/scope.ts";
import { networkCondition } from "./problem.ts";

type Trouble = Extract<ServiceState, { kind: "failed" | "refused" }>;

/** The first service that cannot go on by itself. */
const troubleOf = ({ services }: Outcome): { readonly service: string; readonly state: Trouble } | undefined =>
  [...services]
    .map(([service, state]) => ({ service, state }))
    .find(
      (it): it is { readonly service: string; readonly state: Trouble } =>
        it.state.kind === "failed" && it.state.severity === "Error",
    );

const trouble = (object: KubeObject, { service, state }: NonNullable<ReturnType<typeof troubleOf>>): Claim => {
  const deleting = isDeleting(object);
  return {
    type: networkCondition,
    status: "False",
    severity: deleting ? "Warning" : "Error",
    reason: deleting ? "DeletionFailed" : state.reason,
    message: `${service}: ${state.message}`,
  };
};

const external: Claim = {
  type: networkCondition,
  status: "False",
  severity: "Info",
  reason: "ExternallyManagedControlPlane",
  message: "waiting for host and port in spec.controlPlaneEndpoint, which whoever provides the control plane must set",
};

const working = (object: KubeObject, outcome: Outcome): Claim => {
  const busy = [...outcome.services]
    .filter(([, { kind }]) => kind !== "done" && kind !== "unused")
    .map(([service]) => service);
  return {
    type: networkCondition,
    status: "False",
    severity: "Info",
    reason: isDeleting(object) ? "Deleting" : "Creating",
    message: `not yet done: ${busy.join(", ")}`,
  };
};

/**
 * `NetworkInfrastructureReady`: true once everything stands, and then until something fails for good. An update in
 * progress does not take it back; it shows in the condition of its service.
 */
const networkClaim = (scope: ClusterScope, object: KubeObject, outcome: Outcome): Claim => {
  const failed = troubleOf(outcome);
  if (failed !== undefined) return trouble(object, failed);
  const stood = conditionStatus(object.status, networkCondition) === "True" && !isDeleting(object);
  if (!outcome.settled && !stood) return working(object, outcome);
  const { controlPlaneEndpoint: endpoint, hostIsForOthers = false } = scope;
  if (endpoint === undefined) return external;
  return {
    type: networkCondition,
    status: "True",
    ...(hostIsForOthers && {
      message: `spec.networkSpec.privateDNSZone is None: machines find the API server only where somebody resolves ${endpoint.host}`,
    }),
  };
};

/** What an AzureCluster shows of itself (contract: https://cluster-api.sigs.k8s.io/developer/providers/contracts/infra-cluster). */
export const azureClusterReport = (scope: ClusterScope, object: KubeObject, outcome: Outcome): Report => {
  const { spec, status } = object;
  const endpoint = scope.controlPlaneEndpoint;
  const ready = status["ready"] === true || (outcome.settled && endpoint !== undefined);
  // Once applied it must be applied again each time: a field that is left out of an apply is taken back.
  const keeps =
    endpoint !== undefined && (ready || outcome.settled || textAt(spec, "controlPlaneEndpoint", "host") !== undefined);
  const domains = Object.entries(scope.failureDomains ?? {}).map(
    ([zone, controlPlane]) => [zone, { controlPlane }] as const,
  );
  return {
    spec: keeps ? { controlPlaneEndpoint: { host: endpoint.host, port: endpoint.port } } : {},
    status: {
      ...(ready && { ready }),
      // Zones go as they come. An empty map takes the field out.
      ...((domains.length > 0 || status["failureDomains"] !== undefined) && {
        failureDomains: Object.fromEntries(domains),
      }),
    },
    claims: [networkClaim(scope, object, outcome)],
  };
};
