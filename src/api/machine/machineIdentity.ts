import { Type } from "typebox";
import { same } from "../cel/change.ts";
import { type Part, valueOr } from "../cel/parts.ts";
import { unlessUnchanged } from "../cel/unlessUnchanged.ts";
import { list, oneOf, type Rule, ruled, text } from "../schema.ts";
import { idLimits, isIdOf } from "./resourceIdRule.ts";

const uuid: Rule = {
  rule: "self == '' || self.matches('^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$')",
  message: "must be a UUID, such as 6f1e5a6c-2b1d-4c57-9a55-0d1f7a0f2b34",
};
const assignmentName = (description: string) => ruled(text(description), uuid);

/** Fields of a machine or pool that say as whom its VMs call Azure. */
export const machineIdentityFields = {
  identity: Type.Optional(
    oneOf("As whom the VM calls Azure.", ["None", "SystemAssigned", "UserAssigned"], { default: "None" }),
  ),
  userAssignedIdentities: Type.Optional(
    list(
      "Identities of `UserAssigned`, at least one.",
      Type.Object({
        providerID: ruled(
          text("Resource id of the identity, with or without `azure://`.", idLimits),
          { rule: "self != ''", message: "must not be empty" },
          isIdOf("Microsoft.ManagedIdentity/userAssignedIdentities", { prefixed: true }),
        ),
      }),
      { maxItems: 100 },
    ),
  ),
  systemAssignedIdentityRole: Type.Optional(
    Type.Object(
      {
        name: Type.Optional(assignmentName("Name of the role assignment, a UUID; computed when absent.")),
        definitionID: Type.Optional(text("Resource id of the role; Contributor when absent.", idLimits)),
        scope: Type.Optional(text("Resource id where the role counts; the subscription when absent.", idLimits)),
      },
      { description: "The role that the identity of `SystemAssigned` is given." },
    ),
  ),
  roleAssignmentName: Type.Optional(assignmentName("Deprecated in favour of `systemAssignedIdentityRole.name`.")),
} as const;

/** Role Contributor (https://learn.microsoft.com/azure/role-based-access-control/built-in-roles#contributor). */
export const contributor = "b24988ac-6180-42a0-ab88-20f7382dd24c";

const identities = `size(${valueOr("userAssignedIdentities", "[]")("self")})`;
const role = (field: string): string => valueOr(`systemAssignedIdentityRole.${field}`, "''")("self");
const assignment = valueOr("roleAssignmentName", "''")("self");
const is = (identity: string): string => `${valueOr("identity", "'None'")("self")} == '${identity}'`;
const isNot = (identity: string): string => `${valueOr("identity", "'None'")("self")} != '${identity}'`;

/** What the fields must be to each other. */
export const machineIdentityRules: readonly Rule[] = [
  ...unlessUnchanged(
    ["identity", "userAssignedIdentities"],
    {
      rule: `${isNot("UserAssigned")} || ${identities} > 0`,
      message: "must name at least one identity where identity is UserAssigned",
      fieldPath: ".userAssignedIdentities",
    },
    {
      rule: `${is("UserAssigned")} || ${identities} == 0`,
      message: "must be empty unless identity is UserAssigned",
      fieldPath: ".userAssignedIdentities",
    },
  ),
  ...unlessUnchanged(
    ["identity", "systemAssignedIdentityRole", "roleAssignmentName"],
    {
      rule: `${is("SystemAssigned")} || ${role("name")} + ${role("definitionID")} + ${role("scope")} == ''`,
      message: "must be absent unless identity is SystemAssigned",
      fieldPath: ".systemAssignedIdentityRole",
    },
    {
      rule: `${is("SystemAssigned")} || ${assignment} == ''`,
      message: "must be absent unless identity is SystemAssigned",
      fieldPath: ".roleAssignmentName",
    },
    {
      rule: `${role("name")} == '' || ${assignment} == ''`,
      message: "must be absent where systemAssignedIdentityRole has a name",
      fieldPath: ".roleAssignmentName",
    },
  ),
];

const namesOf: Part = (spec) =>
  `(${valueOr("systemAssignedIdentityRole.name", "''")(spec)} + ${valueOr("roleAssignmentName", "''")(spec)})`;

/** Both specs name one role assignment; only one of its two fields may be given. */
export const sameAssignmentName = same(namesOf);

/** A pool may get a name later, and another identity; a name once given stays, since nothing can rename an assignment. */
export const poolAssignmentStays: Rule = {
  rule: `${namesOf("oldSelf")} == '' || ${isNot("SystemAssigned")} || ${sameAssignmentName("self", "oldSelf")}`,
  message: "must stay as it is: an assignment has one name for good",
  fieldPath: ".systemAssignedIdentityRole.name",
};
