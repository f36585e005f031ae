import { isDeleting, ownerOf } from "../api/meta.ts";
import type { Dependency, Kind, KindInput } from "../core/kind.ts";
import { ownerTag, ownerTagValue } from "../core/ownership.ts";
import type { KubeObject } from "../core/types.ts";
import { clusterServices } from "../services/index.ts";
import type { ClusterScope } from "../services/scope.ts";
import { identityKey, readCluster, readIdentity } from "./azureClusterInput.ts";
import { azureClusterReport } from "./azureClusterReport.ts";
import { clusterScope } from "./clusterScope.ts";
import { credentialOf, secretOf } from "./identityCredential.ts";
import { settleNetwork } from "./networkDefaults.ts";
import { networkCondition, problem } from "./problem.ts";
import { checkCluster } from "./validation/cluster.ts";
import { checkIds } from "./validation/ids.ts";
import { zonesQuery } from "./zones.ts";

const dependenciesOf = (object: KubeObject): readonly Dependency[] => {
  const { namespace } = object.metadata;
  const owner = ownerOf(object, "Cluster");
  const identity = identityKey(object);
  return [
    ...(owner === undefined ? [] : [{ role: "cluster", key: { kind: "Cluster", namespace, name: owner.name } }]),
    ...(identity === undefined ? [] : [{ role: "identity", key: identity }]),
    { role: "namespace", key: { kind: "Namespace", namespace: "", name: namespace } },
  ];
};

const scopeOf: Kind<ClusterScope>["scope"] = (input) => {
  const read = readCluster(input);
  if (!read.ok) return read;
  const { spec, cloud, facts } = read.value;
  const network = settleNetwork(facts, spec);
  const settled = clusterScope(cloud, facts, spec, network);
  // What is being deleted may be as wrong as it likes, as long as it has ids.
  const problems = isDeleting(input.object) ? checkIds(settled) : checkCluster(facts, spec, network);
  return problems.length > 0 ? { ok: false, error: problems } : { ok: true, value: settled };
};

const credential: Kind<ClusterScope>["credential"] = (input, secret) => {
  const identity = readIdentity(input);
  if (!identity.ok) return { ok: false, error: firstOf(identity.error) };
  const cluster = readCluster(input);
  if (!cluster.ok) return { ok: false, error: firstOf(cluster.error) };
  const at = { cloud: cluster.value.cloud, usedBy: input.object.metadata.namespace };
  return credentialOf(identity.value.spec, identity.value.object, at, secret);
};

const firstOf = (problems: readonly ReturnType<typeof problem>[]): ReturnType<typeof problem> =>
  problems[0] ?? problem("InvalidConfiguration", "the object cannot be read");

const secret = (input: KindInput): ReturnType<Kind<ClusterScope>["secret"]> => {
  const identity = readIdentity(input);
  return identity.ok ? secretOf(identity.value.spec, identity.value.object) : undefined;
};

const facts = (input: KindInput): ReturnType<Kind<ClusterScope>["facts"]> => {
  const read = readCluster(input);
  if (!read.ok || read.value.spec.extendedLocation !== undefined) return [];
  return [zonesQuery(read.value.facts.subscription, read.value.facts.location)];
};

/** The Azure side of a self-managed cluster: group, network, load balancers. */
export const azureCluster: Kind<ClusterScope> = Object.freeze({
  kind: "AzureCluster",
  finalizer: "azurecluster.infrastructure.cluster.x-k8s.io",
  summary: networkCondition,
  services: clusterServices,
  dependencies: dependenciesOf,
  secret,
  credential,
  facts,
  scope: scopeOf,
  ownership: (scope: ClusterScope) => ({
    tags: { [ownerTag(scope.clusterName)]: ownerTagValue },
    subscription: scope.subscription,
    groups: [...new Set([scope.resourceGroup, scope.vnet.resourceGroup])],
  }),
  report: azureClusterReport,
});
