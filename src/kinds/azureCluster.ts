import type { AzureClusterSpec } from "../api/cluster/azureCluster.ts";
import { isDeleting, ownerOf } from "../api/meta.ts";
import { namesakesOf } from "../core/identityFinalizer.ts";
import type { Dependency, Fact, FactQuery, Kind, KindInput, Problem, Reading } from "../core/kind.ts";
import { ownerTag, ownerTagValue } from "../core/ownership.ts";
import { isOfSpec } from "../core/specProblems.ts";
import type { KubeObject, Result } from "../core/types.ts";
import { clusterServices } from "../services/index.ts";
import type { ClusterScope } from "../services/scope.ts";
import { cloudIn, type ReadCluster, readCluster, withZones } from "./azureClusterInput.ts";
import { azureClusterReport } from "./azureClusterReport.ts";
import { clusterScope } from "./clusterScope.ts";
import { credentialOf, secretOf } from "./identityCredential.ts";
import { identityKey, namesakeRole, readIdentity } from "./identityInput.ts";
import { completeCluster } from "./networkDefaults.ts";
import { networkCondition, problem } from "./problem.ts";
import type { ClusterFacts } from "./settled.ts";
import { settleNetwork } from "./settleNetwork.ts";
import { checkCluster } from "./validation/cluster.ts";
import { checkIds } from "./validation/ids.ts";
import { checkZoneLinks, zoneLinksQuery } from "./zoneLinks.ts";
import { zonesQuery } from "./zones.ts";

const dependenciesOf = (object: KubeObject): readonly Dependency[] => {
  const { namespace, name } = object.metadata;
  const owner = ownerOf(object, "Cluster");
  const identity = identityKey(object);
  return [
    ...(owner === undefined ? [] : [{ role: "cluster", key: { kind: "Cluster", namespace, name: owner.name } }]),
    ...(identity === undefined ? [] : [{ role: "identity", key: identity }]),
    { role: "namespace", key: { kind: "Namespace", namespace: "", name: namespace } },
    // Whether its finalizer on the identity is its own.
    ...(isDeleting(object) ? namesakesOf({ kind: object.kind, namespace, name }) : []).map((key) => ({
      role: `${namesakeRole}${key.namespace}`,
      key,
    })),
  ];
};

type Read = Result<ReadCluster, readonly Problem[]>;

const settled = (facts: ClusterFacts, spec: AzureClusterSpec) => {
  const complete = completeCluster(facts, spec);
  return { complete, network: settleNetwork(facts, complete, spec) };
};

const problemsOf = (read: Read, identity: ReturnType<typeof readIdentity>): readonly Problem[] => [
  ...(read.ok
    ? checkCluster(read.value.facts, read.value.spec, settled(read.value.facts, read.value.spec).network)
    : read.error),
  ...(identity.ok ? [] : identity.error.filter(isOfSpec)),
];

const scopeOf = (read: Read, found: readonly Fact[]): Result<ClusterScope, readonly Problem[]> => {
  if (!read.ok) return read;
  const { spec, cloud } = read.value;
  const facts = withZones(read.value.facts, found);
  const { complete, network } = settled(facts, spec);
  const scope = clusterScope(cloud, facts, complete, network);
  // All that is asked of what is being deleted: it may be as wrong as it likes, as long as it has ids.
  const nameless = checkIds(scope);
  const problems = nameless.length > 0 ? nameless : checkZoneLinks(scope, found);
  return problems.length > 0 ? { ok: false, error: problems } : { ok: true, value: scope };
};

const credentialIn = (
  { metadata }: KubeObject,
  identity: ReturnType<typeof readIdentity>,
  cloud: ReturnType<typeof cloudIn>,
): Reading<ClusterScope>["credential"] => {
  if (!identity.ok) return () => ({ ok: false, error: firstOf(identity.error) });
  if (!cloud.ok) return () => ({ ok: false, error: firstOf(cloud.error) });
  const at = { cloud: cloud.value, usedBy: metadata.namespace };
  return (secret) => credentialOf(identity.value.spec, identity.value.object, at, secret);
};

const firstOf = (problems: readonly Problem[]): Problem =>
  problems[0] ?? problem("InvalidConfiguration", "the object cannot be read");

/** Facts only matter to what is made. */
const factsOf = (object: KubeObject, read: Read): readonly FactQuery[] => {
  if (!read.ok || isDeleting(object)) return [];
  const { facts, spec } = read.value;
  return [
    ...(spec.extendedLocation === undefined ? [zonesQuery(facts.subscription, facts.location)] : []),
    ...zoneLinksQuery(object, facts, settled(facts, spec).network),
  ];
};

const readAzureCluster = (input: KindInput): Reading<ClusterScope> => {
  const { object } = input;
  const read = readCluster(input);
  const identity = readIdentity(input);
  const secret = identity.ok ? secretOf(identity.value.spec, identity.value.object) : undefined;
  return {
    problems: isDeleting(object) ? [] : problemsOf(read, identity),
    ...(secret !== undefined && { secret }),
    credential: credentialIn(object, identity, cloudIn(object)),
    facts: factsOf(object, read),
    scope: (facts) => scopeOf(read, facts),
    report: (scope, outcome) => azureClusterReport(scope, object, outcome),
  };
};

/** The Azure side of a self-managed cluster: group, network, load balancers. */
export const azureCluster: Kind<ClusterScope> = Object.freeze({
  kind: "AzureCluster",
  finalizer: "azurecluster.infrastructure.cluster.x-k8s.io",
  summary: networkCondition,
  services: clusterServices,
  dependencies: dependenciesOf,
  read: readAzureCluster,
  ownership: (scope: ClusterScope) => ({
    tags: { [ownerTag(scope.clusterName)]: ownerTagValue },
    subscription: scope.subscription,
    groups: [
      ...new Set([
        scope.resourceGroup,
        scope.vnet.resourceGroup,
        ...(scope.privateDns === undefined ? [] : [scope.privateDns.resourceGroup]),
      ]),
    ],
  }),
});
