import { azureClusterSpec } from "./azureCluster.ts";
import { azureClusterIdentitySpec } from "./azureClusterIdentity.ts";
import { azureClusterRules, boundedMetadata, specGiven } from "./azureClusterRules.ts";
import { azureClusterIdentityStatus, azureClusterStatus } from "./azureClusterStatus.ts";
import type { KindSchemas } from "./kindSchemas.ts";

/** The kinds about clusters and identities, with their fields; the template is with those of machines. */
export const clusterKinds: Readonly<Record<string, KindSchemas>> = {
  AzureCluster: {
    description: "The Azure side of a cluster: resource group, network and load balancers.",
    metadata: boundedMetadata,
    spec: azureClusterSpec,
    status: azureClusterStatus,
    rules: azureClusterRules,
  },
  AzureClusterIdentity: {
    description: "Who calls Azure, and which namespaces may use it.",
    spec: azureClusterIdentitySpec,
    status: azureClusterIdentityStatus,
    rules: specGiven,
  },
};
