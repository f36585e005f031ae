import type { RuleCases } from "../../support/admission/ruleCase.ts";

const providerID =
  "azure:///subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute/virtualMachineScaleSets/pool/virtualMachines/0";

export const azureMachinePoolMachineCases: RuleCases = {
  kind: "AzureMachinePoolMachine",
  base: { metadata: { name: "pool-0" }, spec: { providerID, instanceID: "0" } },
  cases: [
    {
      rule: "must stay as it is: an instance has one id for good",
      field: "spec.providerID",
      from: {},
      accepts: { spec: { instanceID: null } },
      refuses: { spec: { providerID: "" } },
    },
  ],
};
