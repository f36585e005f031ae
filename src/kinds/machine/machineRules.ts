import type { TurnRule } from "../validation/turnRule.ts";

const names = "Most names derive from others at each turn.";
const cluster = "It takes the subnets of the cluster.";

const rule = (kind: string, field: string, says: string, why: string): TurnRule =>
  Object.freeze({ kind, field, says, why });

const key = [
  "must hold a public key in its base64, as a line of authorized_keys does",
  "It takes the key apart.",
] as const;
const subnet = ["must be given where the cluster has not exactly one subnet for the role", cluster] as const;
const image = ["must be given where none follows from version and annotations", "It takes the Machine."] as const;

/** What an AzureMachine must keep beyond its definition. */
export const machineRules = Object.freeze({
  key: rule("AzureMachine", "spec.sshPublicKey", ...key),
  subnet: rule("AzureMachine", "spec.networkInterfaces[0].subnetName", ...subnet),
  image: rule("AzureMachine", "spec.image", ...image),
  // https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules#microsoftcompute
  name: rule("AzureMachine", "metadata.name", "must be a name for a VM: at most 64 characters", names),
  disks: rule(
    "AzureMachine",
    "spec.dataDisks[].nameSuffix",
    "must leave the name of the disk, which begins with that of the VM, at most 80 characters",
    names,
  ),
});

/** What an AzureMachinePool must keep beyond its definition. */
export const machinePoolRules = Object.freeze({
  key: rule("AzureMachinePool", "spec.template.sshPublicKey", ...key),
  subnet: rule("AzureMachinePool", "spec.template.networkInterfaces[0].subnetName", ...subnet),
  image: rule("AzureMachinePool", "spec.template.image", ...image),
  name: rule(
    "AzureMachinePool",
    "metadata.name",
    "must be a name for computers once a number of six characters is behind it: at most 58 characters",
    names,
  ),
  disks: rule(
    "AzureMachinePool",
    "spec.template.dataDisks[].nameSuffix",
    "must leave the name of the disk, which begins with that of the scale set, at most 80 characters",
    names,
  ),
  flexible: rule(
    "AzureMachinePool",
    "spec.orchestrationMode",
    "must be Uniform for a Kubernetes version before 1.26.0",
    "It takes the MachinePool.",
  ),
});
