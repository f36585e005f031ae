import type { JsonObject } from "../../../src/core/types.ts";
import { type Mode, objectName, subscriptionOf } from "./mode.ts";

const infrastructure = "infrastructure.cluster.x-k8s.io/v1beta1";

/** The Cluster of a mode. */
export const clusterOf = (mode: Mode): JsonObject => ({
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Cluster",
  metadata: { namespace: mode.name, name: mode.name },
  spec: {
    ...(mode.clusterNetwork !== undefined && { clusterNetwork: mode.clusterNetwork }),
    infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "AzureCluster", name: objectName(mode) },
  },
});

/** The AzureCluster of a mode, as a user writes it. */
export const azureClusterOf = (mode: Mode): JsonObject => ({
  apiVersion: infrastructure,
  kind: "AzureCluster",
  metadata: {
    namespace: mode.name,
    name: objectName(mode),
    ...(mode.annotations !== undefined && { annotations: mode.annotations }),
  },
  spec: {
    location: "westeurope",
    subscriptionID: subscriptionOf(mode),
    identityRef: { apiVersion: infrastructure, kind: "AzureClusterIdentity", name: mode.name, namespace: mode.name },
    ...mode.spec,
  },
});

/** Its identity; the simulated Azure knows it by its client id. */
export const identityOf = ({ name }: Mode): JsonObject => ({
  apiVersion: infrastructure,
  kind: "AzureClusterIdentity",
  metadata: { namespace: name, name },
  spec: {
    type: "WorkloadIdentity",
    clientID: "00000000-0000-4000-8000-00000000c11e",
    tenantID: "00000000-0000-4000-8000-0000000007e4",
    allowedNamespaces: {},
  },
});
