import type { RuleCases } from "../../support/admission/ruleCase.ts";
import { lengthCase, type Place } from "./specPlaces.ts";

const ofType = (type: string): Place => ({ field: "spec", patch: (part) => ({ spec: { type, ...part } }) });
const msi = ofType("UserAssignedMSI");
const credential = ofType("UserAssignedIdentityCredential");

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
    { rule: "must be given", field: "spec", accepts: {}, refuses: { spec: null } },
    {
      rule: "must be absent unless the type is UserAssignedMSI",
      field: "spec.resourceID",
      accepts: { spec: { type: "UserAssignedMSI", resourceID: "/subscriptions/s" } },
      refuses: { spec: { resourceID: "/subscriptions/s" } },
    },
    {
      rule: "must be absent unless the type is UserAssignedIdentityCredential",
      field: "spec.userAssignedIdentityCredentialsPath",
      accepts: { spec: { type: "UserAssignedIdentityCredential", userAssignedIdentityCredentialsPath: "/a" } },
      refuses: { spec: { userAssignedIdentityCredentialsPath: "/a" } },
    },
    {
      rule: "must be absent unless the type is UserAssignedIdentityCredential",
      field: "spec.userAssignedIdentityCredentialsCloudType",
      accepts: { spec: { userAssignedIdentityCredentialsCloudType: "" } },
      refuses: { spec: { userAssignedIdentityCredentialsCloudType: "public" } },
    },
    lengthCase(msi, "resourceID", 2048),
    lengthCase(credential, "userAssignedIdentityCredentialsPath", 4096),
    lengthCase(credential, "userAssignedIdentityCredentialsCloudType", 64),
  ],
};
