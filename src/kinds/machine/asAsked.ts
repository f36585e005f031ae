import type { AzureMachineSpec } from "../../api/machine/azureMachine.ts";
import type { AzureMachinePoolSpec } from "../../api/machine/azureMachinePool.ts";
import { assignmentNameOf } from "./identityDefaults.ts";
import { interfacesOf } from "./interfaceDefaults.ts";

type Identified = Pick<AzureMachineSpec, "systemAssignedIdentityRole" | "roleAssignmentName">;
type Interfaces = { readonly networkInterfaces: ReturnType<typeof interfacesOf> };
type Networked = Pick<AzureMachineSpec, "networkInterfaces" | "subnetName" | "acceleratedNetworking">;

const withRoleName = <Spec extends Identified>(spec: Spec): Omit<Spec, "roleAssignmentName"> => {
  const { roleAssignmentName: _, ...rest } = spec;
  const name = assignmentNameOf(spec);
  return name === undefined
    ? rest
    : { ...rest, systemAssignedIdentityRole: { ...spec.systemAssignedIdentityRole, name } };
};

const withInterfaces = <Spec extends Networked>(
  spec: Spec,
): Omit<Spec, "subnetName" | "acceleratedNetworking"> & Interfaces => {
  const { subnetName: _subnet, acceleratedNetworking: _fast, ...rest } = spec;
  return { ...rest, networkInterfaces: interfacesOf(spec) };
};

/**
 * What a user asked of a machine, where its complete form says it: what stands in deprecated fields is moved, nothing is
 * added. A leaf of the complete form is asked when this has it at the same place (see `chosen`), else it is a default.
 */
export const machineAsAsked = (spec: AzureMachineSpec) => withInterfaces(withRoleName(spec));

/** The same of a pool. */
export const poolAsAsked = (spec: AzureMachinePoolSpec) => ({
  ...withRoleName(spec),
  template: withInterfaces(spec.template),
});
