import type { KindSchemas } from "../definition/kindSchemas.ts";
import { aksControlPlaneNames } from "./aksControlPlaneNames.ts";
import { aksPoolNames } from "./aksPoolNames.ts";
import { azureManagedClusterSpec, azureManagedClusterStatus } from "./azureManagedCluster.ts";
import { azureManagedClusterTemplateSpec } from "./azureManagedClusterTemplate.ts";
import { azureManagedControlPlaneSpec, azureManagedControlPlaneStatus } from "./azureManagedControlPlane.ts";
import { azureManagedControlPlaneTemplateSpec } from "./azureManagedControlPlaneTemplate.ts";
import { azureManagedMachinePoolSpec, azureManagedMachinePoolStatus } from "./azureManagedMachinePool.ts";
import { azureManagedMachinePoolTemplateSpec } from "./azureManagedMachinePoolTemplate.ts";

/** The kinds of an AKS cluster in which each setting is a field of ours. */
export const azureManagedKinds: Readonly<Record<string, KindSchemas>> = {
  AzureManagedCluster: {
    description: "The infrastructure beside an AKS cluster: only where its API server answers.",
    spec: azureManagedClusterSpec,
    status: azureManagedClusterStatus,
  },
  AzureManagedClusterTemplate: {
    description: "What AzureManagedClusters of a class are made from.",
    spec: azureManagedClusterTemplateSpec,
  },
  AzureManagedControlPlane: {
    description: "An AKS cluster without its node pools: control plane, network, add-ons.",
    spec: azureManagedControlPlaneSpec,
    status: azureManagedControlPlaneStatus,
    rules: aksControlPlaneNames,
  },
  AzureManagedControlPlaneTemplate: {
    description: "What AzureManagedControlPlanes of a class are made from.",
    spec: azureManagedControlPlaneTemplateSpec,
  },
  AzureManagedMachinePool: {
    description: "A node pool of an AKS cluster.",
    spec: azureManagedMachinePoolSpec,
    status: azureManagedMachinePoolStatus,
    rules: aksPoolNames,
  },
  AzureManagedMachinePoolTemplate: {
    description: "What AzureManagedMachinePools of a class are made from.",
    spec: azureManagedMachinePoolTemplateSpec,
  },
};
