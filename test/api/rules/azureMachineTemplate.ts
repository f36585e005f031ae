import type { RuleCases } from "../../support/admission/ruleCase.ts";

export const azureMachineTemplateCases: RuleCases = {
  kind: "AzureMachineTemplate",
  base: {
    metadata: { name: "template" },
    spec: {
      template: {
        spec: { vmSize: "Standard_D2s_v3", sshPublicKey: "", osDisk: { osType: "Linux", diskSizeGB: 128 } },
      },
    },
  },
  cases: [
    {
      rule: "must stay as it is: make a new template under another name and refer to that one",
      field: "spec.template.spec",
      from: {},
      accepts: { metadata: { labels: { a: "b" } } },
      refuses: { spec: { template: { spec: { vmSize: "Standard_D4s_v3" } } } },
    },
  ],
};
