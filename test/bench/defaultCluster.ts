import type { Json, JsonObject } from "../../src/core/types.ts";
import { webRule } from "../support/webRule.ts";

const infrastructure = "infrastructure.cluster.x-k8s.io";
const apiVersion = `${infrastructure}/v1beta1`;
const namespace = "default";

/** The subnets of the cluster; the rule of the node subnet lets in `source`. A merge patch takes such a list whole. */
export const subnetsWith = (source: string): Json => [
  { name: "control-plane-subnet", role: "control-plane" },
  {
    name: "node-subnet",
    role: "node",
    securityGroup: {
      name: "node-nsg",
      securityRules: [{ ...webRule, source }],
    },
  },
];

/** An AzureCluster without a Cluster: nothing is done for it. */
export const loneCluster = (name: string): JsonObject => ({
  apiVersion,
  kind: "AzureCluster",
  metadata: { name, namespace },
  spec: {
    location: "westeurope",
    subscriptionID: "00000000-0000-4000-8000-000000000001",
    identityRef: { apiVersion, kind: "AzureClusterIdentity", name },
  },
});

/**
 * A cluster with the defaults of the default template, its identity and the secret of that. `networkSpec`: laid over that
 * of the cluster.
 */
export const defaultCluster = (name: string, networkSpec: JsonObject = {}): readonly JsonObject[] => [
  { apiVersion: "v1", kind: "Secret", metadata: { name, namespace }, stringData: { clientSecret: "not-a-secret" } },
  {
    apiVersion,
    kind: "AzureClusterIdentity",
    metadata: { name, namespace },
    spec: {
      type: "ServicePrincipal",
      tenantID: "00000000-0000-4000-8000-000000000003",
      clientID: "00000000-0000-4000-8000-000000000002",
      clientSecret: { name, namespace },
      allowedNamespaces: {},
    },
  },
  {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Cluster",
    metadata: { name, namespace },
    spec: { infrastructureRef: { apiGroup: infrastructure, kind: "AzureCluster", name } },
  },
  {
    ...loneCluster(name),
    spec: {
      location: "westeurope",
      subscriptionID: "00000000-0000-4000-8000-000000000001",
      identityRef: { apiVersion, kind: "AzureClusterIdentity", name },
      networkSpec: { subnets: subnetsWith("10.0.0.0/8"), ...networkSpec },
    },
  },
];
