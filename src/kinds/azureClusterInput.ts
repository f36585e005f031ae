import { type AzureClusterSpec, parseAzureCluster } from "../api/cluster/azureCluster.ts";
import { defaultApiServerPort, parseCluster } from "../api/clusterApi.ts";
import { textAt } from "../api/json.ts";
import { isDeleting, ownerOf } from "../api/meta.ts";
import type { CloudName } from "../core/identity.ts";
import type { Fact, KindInput, Problem } from "../core/kind.ts";
import type { KubeObject, OwnerReference, Result } from "../core/types.ts";
import type { Choice } from "../services/scope.ts";
import { cloudNames, cloudOf, dnsSuffixOf } from "./clouds.ts";
import { given } from "./given.ts";
import { invalid, problem } from "./problem.ts";
import type { ClusterFacts } from "./settled.ts";
import { clusterRules } from "./validation/clusterRules.ts";
import { broken } from "./validation/turnRule.ts";
import { zonesIn } from "./zones.ts";

/** The spec with what the turn knows around it, zones excepted. */
export interface ReadCluster {
  readonly spec: AzureClusterSpec;
  readonly cloud: CloudName;
  readonly facts: ClusterFacts;
}

const refused = (...problems: readonly Problem[]): { readonly ok: false; readonly error: readonly Problem[] } => ({
  ok: false,
  error: problems,
});

const notOwned = problem(
  "OwnerRefNotSet",
  "waiting for Cluster API to set the Cluster as owner of this object",
  "Info",
);

/** The owner, which must exist unless the object goes away. */
const ownerIn = ({ object, dependencies }: KindInput): Result<OwnerReference, readonly Problem[]> => {
  const owner = ownerOf(object, "Cluster");
  if (owner === undefined) return refused(notOwned);
  if (dependencies["cluster"] !== undefined || isDeleting(object)) return { ok: true, value: owner };
  return refused(problem("ClusterNotFound", `waiting for Cluster ${object.metadata.namespace}/${owner.name}`, "Info"));
};

const apiServerPort = (cluster: KubeObject | undefined): Result<Choice<number>, readonly Problem[]> => {
  if (cluster === undefined) return { ok: true, value: { value: defaultApiServerPort, asked: false } };
  const parsed = parseCluster(cluster);
  if (!parsed.ok) {
    const at = `Cluster ${cluster.metadata.namespace}/${cluster.metadata.name}`;
    return refused(...parsed.error.map((it) => ({ ...it, message: `${at}: ${it.message}` })));
  }
  const port = parsed.value.clusterNetwork?.apiServerPort;
  return {
    ok: true,
    value: port === undefined ? { value: defaultApiServerPort, asked: false } : { value: port, asked: true },
  };
};

/** The cloud, whatever else is in the spec: without it nothing can be asked of Azure. */
export const cloudIn = ({ spec }: KubeObject): Result<CloudName, readonly Problem[]> => {
  const environment = textAt(spec, "azureEnvironment");
  const cloud = cloudOf(environment);
  return cloud === undefined
    ? refused(invalid("spec.azureEnvironment", environment, `must be one of ${cloudNames.join(", ")}`))
    : { ok: true, value: cloud };
};

const subscriptionOf = (spec: AzureClusterSpec, { settings }: KindInput): Result<string, readonly Problem[]> => {
  const subscription = given(spec.subscriptionID) ?? given(settings.subscriptionId);
  if (subscription === undefined) return refused(broken(clusterRules.subscription, "spec.subscriptionID", undefined));
  return /^[\w-]+$/.test(subscription)
    ? { ok: true, value: subscription }
    : refused(invalid("spec.subscriptionID", subscription, "must be the id of a subscription"));
};

/** Reads the AzureCluster and what it needs of its owner. All that is in the way is told at once. */
export const readCluster = (input: KindInput): Result<ReadCluster, readonly Problem[]> => {
  const parsed = parseAzureCluster(input.object);
  const cloud = cloudIn(input.object);
  const owner = ownerIn(input);
  const port = apiServerPort(input.dependencies["cluster"]);
  const subscription = parsed.ok ? subscriptionOf(parsed.value, input) : parsed;
  if (!parsed.ok || !cloud.ok || !owner.ok || !port.ok || !subscription.ok) {
    const all = [subscription, cloud, owner, port];
    return refused(...all.flatMap((one) => (one.ok ? [] : one.error)));
  }
  const at = { subscription: subscription.value, owner: owner.value, port: port.value };
  return {
    ok: true,
    value: { spec: parsed.value, cloud: cloud.value, facts: factsOf(input.object, parsed.value, cloud.value, at) },
  };
};

const factsOf = (
  { metadata: { name } }: KubeObject,
  spec: AzureClusterSpec,
  cloud: CloudName,
  at: { readonly subscription: string; readonly owner: OwnerReference; readonly port: Choice<number> },
): ClusterFacts => {
  const endpointPort = spec.controlPlaneEndpoint?.port;
  return {
    name,
    clusterName: at.owner.name,
    subscription: at.subscription,
    resourceGroup: given(spec.resourceGroup) ?? name,
    location: spec.location,
    dnsSuffix: dnsSuffixOf(cloud),
    ...(spec.extendedLocation !== undefined && { extendedLocation: spec.extendedLocation }),
    controlPlaneEnabled: spec.controlPlaneEnabled ?? true,
    apiServerPort: at.port,
    ...(endpointPort !== undefined && { endpointPort }),
  };
};

/** The same facts with the zones that were looked up; a place at the edge has none. */
export const withZones = (facts: ClusterFacts, found: readonly Fact[]): ClusterFacts => {
  const zones = facts.extendedLocation === undefined ? (zonesIn(found, facts.location) ?? []) : [];
  return zones.length > 0 ? { ...facts, zones } : facts;
};
