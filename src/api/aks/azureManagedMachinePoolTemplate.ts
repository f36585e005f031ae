import { Type } from "typebox";
import { stateRulesOnly } from "../cel/stateRulesOnly.ts";
import { ruled } from "../schema.ts";
import { aksPoolRules } from "./aksPoolRules.ts";
import { poolFields } from "./azureManagedMachinePool.ts";

/** A node pool that Cluster API copies for each cluster of a class. */
export const azureManagedMachinePoolTemplateSpec = Type.Object({
  template: Type.Object(
    {
      spec: ruled(
        stateRulesOnly(
          Type.Object(Type.Omit(poolFields, ["providerIDList"]).properties, { description: "Spec of the pools." }),
        ),
        ...aksPoolRules,
      ),
    },
    { description: "What is copied." },
  ),
});
