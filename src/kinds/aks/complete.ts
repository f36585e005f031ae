import type { AzureManagedControlPlaneSpec } from "../../api/aks/azureManagedControlPlane.ts";
import type { AzureManagedMachinePoolSpec } from "../../api/aks/azureManagedMachinePool.ts";

type Network = NonNullable<AzureManagedControlPlaneSpec["virtualNetwork"]>;

export type CompleteAksNetwork = Network & Required<Pick<Network, "resourceGroup" | "subnet">>;

/** A control plane that says everything but what is not to be there, and what only its Cluster can say. */
export type CompleteControlPlane = AzureManagedControlPlaneSpec &
  Required<
    Pick<
      AzureManagedControlPlaneSpec,
      | "azureEnvironment"
      | "dnsPrefix"
      | "enablePreviewFeatures"
      | "identity"
      | "loadBalancerSKU"
      | "networkPlugin"
      | "nodeResourceGroupName"
      | "oidcIssuerProfile"
      | "sku"
    >
  > & { readonly virtualNetwork: CompleteAksNetwork };

/** A node pool that says everything but what is not to be there. */
export type CompletePool = AzureManagedMachinePoolSpec &
  Required<Pick<AzureManagedMachinePoolSpec, "name" | "osDiskSizeGB" | "osDiskType" | "osType" | "scaleDownMode">>;
