import type { RuleCases } from "../../support/admission/ruleCase.ts";

export const azureClusterIdentityCases: RuleCases = {
  kind: "AzureClusterIdentity",
  base: {
    metadata: { name: "identity" },
    spec: { type: "WorkloadIdentity", clientID: "client", tenantID: "tenant", allowedNamespaces: {} },
  },
  cases: [
    {
      rule: "must stay as it is: make a new AzureClusterIdentity for another type",
      field: "spec.type",
      from: {},
      accepts: { spec: { clientID: "other" } },
      refuses: { spec: { type: "ServicePrincipal" } },
    },
  ],
};
