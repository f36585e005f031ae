import type { JsonObject } from "../../../src/core/types.ts";

/** Where the objects of a scenario live; the identity and its secret are named like the cluster. */
export interface Place {
  readonly namespace: string;
  readonly name: string;
}

export const subscription = "00000000-0000-4000-8000-000000000001";
const infrastructure = "infrastructure.cluster.x-k8s.io/v1beta1";

export const aNamespace = (name: string): JsonObject => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });

/** A Cluster that asks for nothing but its infrastructure. */
export const aCluster = ({ namespace, name }: Place): JsonObject => ({
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Cluster",
  metadata: { namespace, name },
  spec: {
    clusterNetwork: { pods: { cidrBlocks: ["192.168.0.0/16"] } },
    infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "AzureCluster", name },
  },
});

/** `spec` is laid over what every AzureCluster here has. */
export const anAzureCluster = ({ namespace, name }: Place, spec: JsonObject = {}): JsonObject => ({
  apiVersion: infrastructure,
  kind: "AzureCluster",
  metadata: { namespace, name },
  spec: {
    location: "westeurope",
    subscriptionID: subscription,
    resourceGroup: `${namespace}-${name}`,
    identityRef: { apiVersion: infrastructure, kind: "AzureClusterIdentity", name, namespace },
    ...spec,
  },
});

/** The simulated Azure knows an identity by its client id. */
export const anIdentity = ({ namespace, name }: Place, spec: JsonObject = {}): JsonObject => ({
  apiVersion: infrastructure,
  kind: "AzureClusterIdentity",
  metadata: { namespace, name },
  spec: {
    type: "WorkloadIdentity",
    clientID: "00000000-0000-4000-8000-00000000c11e",
    tenantID: "00000000-0000-4000-8000-0000000007e4",
    allowedNamespaces: {},
    ...spec,
  },
});

/** All that a cluster needs, in a namespace of its own. */
export const everything = (place: Place, spec: JsonObject = {}): readonly JsonObject[] => [
  aNamespace(place.namespace),
  anIdentity(place),
  aCluster(place),
  anAzureCluster(place, spec),
];
