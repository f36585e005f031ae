import type { KindSchemas } from "../definition/kindSchemas.ts";
import { azureClusterSpec } from "./azureCluster.ts";
import { azureClusterIdentitySpec } from "./azureClusterIdentity.ts";
import { azureClusterRules, boundedMetadata, specGiven } from "./azureClusterRules.ts";
import { azureClusterIdentityStatus, azureClusterStatus } from "./azureClusterStatus.ts";
import { azureClusterTemplateSpec } from "./azureClusterTemplate.ts";

/** The kinds about clusters and identities, with their fields. */
export const clusterKinds: Readonly<Record<string, KindSchemas>> = {
  AzureCluster: {
    description: "The Azure side of a cluster: resource group, network and load balancers.",
    metadata: boundedMetadata,
    spec: azureClusterSpec,
    status: azureClusterStatus,
    rules: azureClusterRules,
  },
  AzureClusterTemplate: {
    description: "What Cluster API makes AzureClusters from.",
    spec: azureClusterTemplateSpec,
  },
  AzureClusterIdentity: {
    description: "Who calls Azure, and which namespaces may use it.",
    spec: azureClusterIdentitySpec,
    status: azureClusterIdentityStatus,
    rules: specGiven,
  },
};
