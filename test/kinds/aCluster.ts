import { checkObject } from "../../src/api/check/checkObject.ts";
import type { Fact, KindInput, Problem } from "../../src/core/kind.ts";
import type { Json, JsonObject, KubeObject, Result } from "../../src/core/types.ts";
import { allProblems, asManifest } from "../../src/engine/judge.ts";
import { azureCluster } from "../../src/kinds/azureCluster.ts";
import type { ClusterScope } from "../../src/services/scope.ts";

/** The subscription of the recordings. */
export const subscription = "00000000-0000-4000-8000-000000000001";

/** A Kubernetes object of which a case states only what it is about. */
export const anObject = (
  kind: string,
  {
    apiVersion = "infrastructure.cluster.x-k8s.io/v1beta1",
    spec = {},
    status = {},
    ...metadata
  }: { readonly apiVersion?: string; readonly spec?: JsonObject; readonly status?: JsonObject } & Partial<
    KubeObject["metadata"]
  > = {},
): KubeObject => ({
  apiVersion,
  kind,
  metadata: {
    name: "c1",
    namespace: "default",
    uid: `uid-of-${kind}`,
    generation: 1,
    resourceVersion: "1",
    labels: {},
    annotations: {},
    finalizers: [],
    ownerReferences: [],
    ...metadata,
  },
  spec,
  status,
});

/** The minimal public cluster of fact sheet 13.1, with whatever a case changes in its spec. */
export const anAzureCluster = (
  spec: JsonObject = {},
  metadata: Partial<KubeObject["metadata"]> & { readonly status?: JsonObject } = {},
): KubeObject =>
  anObject("AzureCluster", {
    ownerReferences: [{ apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", name: "c1", uid: "uid-of-Cluster" }],
    ...metadata,
    spec: {
      location: "eastus",
      subscriptionID: subscription,
      identityRef: { kind: "AzureClusterIdentity", name: "sp" },
      networkSpec: {
        vnet: { name: "c1-vnet" },
        subnets: [
          { name: "control-plane-subnet", role: "control-plane" },
          { name: "node-subnet", role: "node" },
        ],
      },
      ...spec,
    },
  });

/** The same cluster with another network. */
export const withNetwork = (networkSpec: JsonObject, spec: JsonObject = {}): KubeObject =>
  anAzureCluster({ ...spec, networkSpec });

export const anIdentity = (spec: JsonObject = {}, metadata: Partial<KubeObject["metadata"]> = {}): KubeObject =>
  anObject("AzureClusterIdentity", {
    name: "sp",
    ...metadata,
    spec: { type: "WorkloadIdentity", clientID: "client", tenantID: "tenant", allowedNamespaces: {}, ...spec },
  });

export const zonesOf = (location: string, ...zones: readonly string[]): Fact => ({ kind: "zones", location, zones });

/** What a turn knows: what it reads, and what it looks up. */
export interface TurnInput extends KindInput {
  readonly facts: readonly Fact[];
}

/** What a turn knows of such a cluster: owner, identity, namespace, and the zones of eastus. */
export const inputOf = (
  object: KubeObject,
  changes: Partial<TurnInput> & { readonly clusterSpec?: JsonObject; readonly identity?: KubeObject } = {},
): TurnInput => {
  const { clusterSpec = {}, identity = anIdentity(), ...rest } = changes;
  return {
    object,
    dependencies: {
      cluster: anObject("Cluster", { apiVersion: "cluster.x-k8s.io/v1beta2", spec: clusterSpec }),
      identity,
      namespace: anObject("Namespace", { apiVersion: "v1", name: "default", namespace: "", labels: { team: "blue" } }),
    },
    facts: [zonesOf("eastus", "1", "2", "3")],
    settings: {},
    ...rest,
  };
};

/** All that a turn would say is wrong, before it asks Azure. */
export const problemsIn = (input: TurnInput): readonly Problem[] => {
  const manifest = asManifest(input.object);
  return allProblems(manifest, checkObject(input.object.kind, manifest), azureCluster.read(input).problems);
};

/** The scope of a turn, or everything for which there is none. */
export const scopeIn = (input: TurnInput): Result<ClusterScope, readonly Problem[]> => {
  const problems = input.object.metadata.deletionTimestamp === undefined ? problemsIn(input) : [];
  return problems.length > 0 ? { ok: false, error: problems } : azureCluster.read(input).scope(input.facts);
};

/** A value that a test knows to be there. */
export const at = (value: Json | undefined, ...path: readonly (string | number)[]): Json =>
  path.reduce<Json>((node, step) => {
    const next = (node as Readonly<Record<string | number, Json>>)[step];
    if (next === undefined) throw new Error(`nothing at ${path.join(".")}`);
    return next;
  }, value ?? null);
