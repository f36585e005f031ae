import { Type } from "typebox";
import { list, oneOf, text } from "./schema.ts";

/** Fields of a machine or pool that say as whom its VMs call Azure. */
export const machineIdentityFields = {
  identity: Type.Optional(
    oneOf("As whom the VM calls Azure.", ["None", "SystemAssigned", "UserAssigned"], { default: "None" }),
  ),
  userAssignedIdentities: Type.Optional(
    list(
      "Identities of `UserAssigned`, at least one.",
      Type.Object({
        providerID: text("Resource id of the identity, with or without `azure://`."),
      }),
    ),
  ),
  systemAssignedIdentityRole: Type.Optional(
    Type.Object(
      {
        name: Type.Optional(text("Name of the role assignment, a UUID; computed when absent.")),
        definitionID: Type.Optional(text("Resource id of the role; Contributor when absent.")),
        scope: Type.Optional(text("Resource id where the role counts; the subscription when absent.")),
      },
      { description: "The role that the identity of `SystemAssigned` is given." },
    ),
  ),
  roleAssignmentName: Type.Optional(text("Deprecated in favour of `systemAssignedIdentityRole.name`.")),
} as const;
