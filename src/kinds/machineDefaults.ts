import type { AzureMachineSpec } from "../api/machine/azureMachine.ts";
import { type CompleteCompute, completeCompute, osTypeOf } from "./machine/computeDefaults.ts";
import { type CompleteDisk, withCaching, withLuns } from "./machine/dataDiskDefaults.ts";
import type { ComputeFacts } from "./machine/facts.ts";
import { type CompleteRole, completeRole } from "./machine/identityDefaults.ts";
import { vmName } from "./machine/machineNames.ts";

/** The fields that others took the place of. */
type Deprecated = "subnetName" | "acceleratedNetworking" | "roleAssignmentName";

/** An AzureMachine that says everything, as a spec; what stood in deprecated fields stands where it belongs. */
export type CompleteMachine = Omit<AzureMachineSpec, keyof CompleteCompute | Deprecated | "dataDisks" | "identity"> &
  CompleteCompute & {
    readonly identity: NonNullable<AzureMachineSpec["identity"]>;
    readonly systemAssignedIdentityRole?: CompleteRole;
    readonly dataDisks?: readonly CompleteDisk[];
    readonly allocatePublicIP: boolean;
    readonly enableIPForwarding: boolean;
    readonly disableExtensionOperations: boolean;
  };

const completeSpot = ({ spotVMOptions, osDisk }: AzureMachineSpec): Pick<AzureMachineSpec, "spotVMOptions"> =>
  spotVMOptions === undefined
    ? {}
    : {
        spotVMOptions: {
          ...spotVMOptions,
          // What is lost with its host cannot be stopped and started again.
          evictionPolicy:
            spotVMOptions.evictionPolicy ?? (osDisk.diffDiskSettings === undefined ? "Deallocate" : "Delete"),
        },
      };

/**
 * What the spec of a machine means, with everything that it leaves unsaid (fact sheet, machines, 1 and 5.2). Fields that
 * are set stay as they are; a role without the identity that it is for is left out. Computed each turn and never written
 * back. The SSH key is none of it: a random one is made
 * with the VM.
 */
export const completeMachine = (facts: ComputeFacts, spec: AzureMachineSpec): CompleteMachine => {
  const { subnetName: _subnet, acceleratedNetworking: _fast, roleAssignmentName: _name, ...rest } = spec;
  const { systemAssignedIdentityRole: _role, dataDisks, ...others } = rest;
  const vm = vmName({
    name: facts.name,
    osType: osTypeOf(spec),
    ...(spec.providerID !== undefined && { providerID: spec.providerID }),
  });
  const holder = `/subscriptions/${facts.subscription}/resourceGroups/${facts.resourceGroup}/providers/Microsoft.Compute/virtualMachines/${vm}`;
  const role = completeRole(facts, spec, holder);
  return {
    ...others,
    ...completeCompute(facts, spec),
    ...completeSpot(spec),
    ...(dataDisks !== undefined && { dataDisks: withCaching(withLuns(dataDisks)) }),
    identity: spec.identity ?? "None",
    ...(role !== undefined && { systemAssignedIdentityRole: role }),
    allocatePublicIP: spec.allocatePublicIP ?? false,
    enableIPForwarding: spec.enableIPForwarding ?? false,
    disableExtensionOperations: spec.disableExtensionOperations ?? false,
  };
};
