import { type TObject, Type } from "typebox";
import { azureAsoManagedControlPlaneSpec } from "./azureAsoManagedControlPlane.ts";
import { azureAsoResources } from "./azureAsoResources.ts";

/** What Cluster API copies for each cluster of a class. */

const template = <Spec extends TObject>(spec: Spec) =>
  Type.Object({ template: Type.Object({ spec: Type.Optional(spec) }, { description: "What is copied." }) });

/** Template of an AzureASOManagedCluster. */
export const azureAsoManagedClusterTemplateSpec = template(
  Type.Object({ resources: Type.Optional(azureAsoResources) }, { description: "Spec of the clusters." }),
);

/** Template of an AzureASOManagedControlPlane. */
export const azureAsoManagedControlPlaneTemplateSpec = template(
  Type.Object(azureAsoManagedControlPlaneSpec.properties, { description: "Spec of the control planes." }),
);

/** Template of an AzureASOManagedMachinePool. The contract gives it a `version`, which a pool does not read. */
export const azureAsoManagedMachinePoolTemplateSpec = template(
  Type.Object(azureAsoManagedControlPlaneSpec.properties, { description: "Spec of the pools; `version` is not read." }),
);
