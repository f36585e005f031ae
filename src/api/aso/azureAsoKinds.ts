import type { KindSchemas } from "../definition/kindSchemas.ts";
import { azureAsoManagedClusterSpec, azureAsoManagedClusterStatus } from "./azureAsoManagedCluster.ts";
import { azureAsoManagedControlPlaneSpec, azureAsoManagedControlPlaneStatus } from "./azureAsoManagedControlPlane.ts";
import { azureAsoManagedMachinePoolSpec, azureAsoManagedMachinePoolStatus } from "./azureAsoManagedMachinePool.ts";
import {
  azureAsoManagedClusterTemplateSpec,
  azureAsoManagedControlPlaneTemplateSpec,
  azureAsoManagedMachinePoolTemplateSpec,
} from "./azureAsoTemplates.ts";

/** The kinds of an AKS cluster that consists of resources in the shape of Azure Service Operator. */
export const azureAsoKinds: Readonly<Record<string, KindSchemas>> = {
  AzureASOManagedCluster: {
    description: "What stands beside an AKS cluster of pass-through resources, such as its resource group.",
    spec: azureAsoManagedClusterSpec,
    status: azureAsoManagedClusterStatus,
  },
  AzureASOManagedClusterTemplate: {
    description: "What AzureASOManagedClusters of a class are made from.",
    spec: azureAsoManagedClusterTemplateSpec,
  },
  AzureASOManagedControlPlane: {
    description: "An AKS cluster of pass-through resources, without its node pools.",
    spec: azureAsoManagedControlPlaneSpec,
    status: azureAsoManagedControlPlaneStatus,
  },
  AzureASOManagedControlPlaneTemplate: {
    description: "What AzureASOManagedControlPlanes of a class are made from.",
    spec: azureAsoManagedControlPlaneTemplateSpec,
  },
  AzureASOManagedMachinePool: {
    description: "A node pool of pass-through resources.",
    spec: azureAsoManagedMachinePoolSpec,
    status: azureAsoManagedMachinePoolStatus,
  },
  AzureASOManagedMachinePoolTemplate: {
    description: "What AzureASOManagedMachinePools of a class are made from.",
    spec: azureAsoManagedMachinePoolTemplateSpec,
  },
};
