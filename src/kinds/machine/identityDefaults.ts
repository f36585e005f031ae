import type { AzureMachineSpec } from "../../api/machine/azureMachine.ts";
import { contributor } from "../../api/machine/machineIdentity.ts";
import { given } from "../given.ts";
import type { ComputeFacts } from "./facts.ts";
import { roleAssignmentName } from "./roleAssignmentName.ts";

type IdentityFields = Pick<AzureMachineSpec, "identity" | "systemAssignedIdentityRole" | "roleAssignmentName">;

/** The role of an identity that Azure makes with the VM, complete. */
export interface CompleteRole {
  readonly name: string;
  readonly definitionID: string;
  readonly scope: string;
}

/** The name, also where it stands in the field that came before. */
export const assignmentNameOf = ({ systemAssignedIdentityRole, roleAssignmentName }: IdentityFields) =>
  given(systemAssignedIdentityRole?.name) ?? given(roleAssignmentName);

/** What an identity of the VM's own may do; `holder` is the id of what has it. Undefined for other identities. */
export const completeRole = (
  { subscription }: Pick<ComputeFacts, "subscription">,
  spec: IdentityFields,
  holder: string,
): CompleteRole | undefined => {
  if (spec.identity !== "SystemAssigned") return undefined;
  const asked = spec.systemAssignedIdentityRole;
  const scope = given(asked?.scope) ?? `/subscriptions/${subscription}/`;
  const definitionID =
    given(asked?.definitionID) ??
    `/subscriptions/${subscription}/providers/Microsoft.Authorization/roleDefinitions/${contributor}`;
  return { name: assignmentNameOf(spec) ?? roleAssignmentName(holder, definitionID, scope), definitionID, scope };
};
