import { Type } from "typebox";
import { azureManagedMachinePoolSpec } from "./azureManagedMachinePool.ts";

/** A node pool that Cluster API copies for each cluster of a class. */
export const azureManagedMachinePoolTemplateSpec = Type.Object({
  template: Type.Object(
    {
      spec: Type.Object(Type.Omit(azureManagedMachinePoolSpec, ["providerIDList"]).properties, {
        description: "Spec of the pools.",
      }),
    },
    { description: "What is copied." },
  ),
});
