import { nextGuid } from "../armState.ts";
import { propertiesOf } from "../json.ts";
import type { TypeRules } from "../typeRules.ts";

/** Managed identities: made at once, with an id whose `resourcegroups` is in lower case. */
export const userAssignedIdentities: TypeRules = {
  type: "Microsoft.ManagedIdentity/userAssignedIdentities",
  hasState: false,
  lowerCaseGroups: true,
  owned: ["principalId", "clientId", "tenantId"],
  put: { how: "sync", located: true },
  remove: { how: "sync" },
  fields: [{ kind: "fill", at: "tags", value: {} }],
  compute: ({ world, body }) => {
    const properties = propertiesOf(body);
    properties["principalId"] ??= nextGuid(world.state);
    properties["clientId"] ??= nextGuid(world.state);
    properties["tenantId"] ??= "00000000-0000-4000-8000-0000000000ff";
  },
};

/** Trust of a managed identity in tokens of a cluster. */
export const federatedIdentityCredentials: TypeRules = {
  type: "Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials",
  location: "none",
  hasState: false,
  lowerCaseGroups: true,
  put: { how: "sync" },
  remove: { how: "sync" },
};
