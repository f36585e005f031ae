import { nextGuid, type Resource } from "../armState.ts";
import { propertiesOf, sameText, textAt } from "../json.ts";
import { type Answer, refuse } from "../protocol.ts";
import { keyOf } from "../resourceTarget.ts";
import { ofType } from "../store.ts";
import type { Draft, TypeRules } from "../typeRules.ts";

const type = "Microsoft.Authorization/roleAssignments";

const scopeOf = (id: string): string =>
  id.slice(0, id.toLowerCase().lastIndexOf("/providers/microsoft.authorization/"));

const equal = (other: Resource, draft: Draft): boolean =>
  sameText(textAt(other.body, "properties", "principalId"), textAt(draft.body, "properties", "principalId")) &&
  sameText(
    textAt(other.body, "properties", "roleDefinitionId"),
    textAt(draft.body, "properties", "roleDefinitionId"),
  ) &&
  keyOf(scopeOf(other.id)) === keyOf(scopeOf(draft.id));

const check = (draft: Draft): Answer | undefined => {
  const before = draft.existing;
  if (before !== undefined)
    return equal(before, draft)
      ? undefined
      : refuse(
          400,
          "RoleAssignmentUpdateNotPermitted",
          "Tenant ID, application ID, principal ID, and scope are not allowed to be updated.",
        );
  const twin = ofType(draft.world.state, type).find((other) => equal(other, draft));
  return twin === undefined ? undefined : refuse(409, "RoleAssignmentExists", "The role assignment already exists.");
};

/** What Azure shows as null when it is not set. */
const shownEmpty = ["condition", "conditionVersion", "delegatedManagedIdentityResourceId", "description"] as const;

/** Role assignments at any scope. */
export const roleAssignments: TypeRules = {
  type,
  location: "none",
  hasState: false,
  missingReference: "ignored",
  put: { how: "sync" },
  remove: { how: "sync", body: true },
  check,
  compute: ({ world, body, id, existing }) => {
    const properties = propertiesOf(body);
    properties["scope"] = scopeOf(id);
    properties["createdOn"] = propertiesOf(existing?.body ?? {})["createdOn"] ?? new Date(world.nowMs).toISOString();
    properties["updatedOn"] = properties["createdOn"];
    properties["createdBy"] = propertiesOf(existing?.body ?? {})["createdBy"] ?? nextGuid(world.state);
    properties["updatedBy"] = properties["createdBy"];
    properties["principalType"] ??= "ServicePrincipal";
    for (const name of shownEmpty) properties[name] ??= null;
  },
};
