import { Type } from "typebox";
import type { Problem } from "../../core/kind.ts";
import type { KubeObject, Result } from "../../core/types.ts";
import { transition } from "../cel/changeRule.ts";
import { valueOr } from "../cel/parts.ts";
import { unlessUnchanged } from "../cel/unlessUnchanged.ts";
import { parseSpec } from "../parse.ts";
import { flag, list, map, type Parsed, type Rule, ruled, text } from "../schema.ts";
import { computeFields, computeRules } from "./compute.ts";
import { dataDisksSpec, osDiskSpec } from "./disks.ts";
import { machineIdentityFields, machineIdentityRules } from "./machineIdentity.ts";
import { machineStays } from "./machineStays.ts";
import { idLimits, isIdOf } from "./resourceIdRule.ts";

const fields = {
  ...computeFields,
  osDisk: osDiskSpec,
  dataDisks: Type.Optional(dataDisksSpec),
  ...machineIdentityFields,
  providerID: Type.Optional(text("Id of the VM as its Node spells it; written once the VM exists.")),
  failureDomain: Type.Optional(text("Availability zone; that of the Machine goes first.")),
  additionalTags: Type.Optional(map("Tags beside those of the cluster, which they override.", Type.String())),
  allocatePublicIP: Type.Optional(flag("Whether a worker has a public IP address of its own.")),
  enableIPForwarding: Type.Optional(flag("Whether it may forward packets that are not addressed to it.")),
  dnsServers: Type.Optional(list("DNS servers instead of those of the virtual network.", Type.String())),
  disableExtensionOperations: Type.Optional(flag("Whether the VM takes no extensions at all.")),
  capacityReservationGroupID: Type.Optional(
    ruled(
      text("Resource id of the capacity reservation group to draw from.", idLimits),
      isIdOf("Microsoft.Compute/capacityReservationGroups"),
    ),
  ),
  virtualMachineScaleSetID: Type.Optional(
    ruled(
      text("Resource id of an existing scale set in Flexible mode that the VM joins.", idLimits),
      isIdOf("Microsoft.Compute/virtualMachineScaleSets", { prefixed: true }),
    ),
  ),
} as const;

const description = "The virtual machine.";

const noExtensions: Rule = {
  rule: `!${valueOr("disableExtensionOperations", "false")("self")} || size(${valueOr("vmExtensions", "[]")("self")}) == 0`,
  message: "must be empty where disableExtensionOperations is true",
  fieldPath: ".vmExtensions",
};

/** What a machine and a template of machines are both held to. */
const stateRules: readonly Rule[] = [
  ...computeRules,
  ...machineIdentityRules,
  ...unlessUnchanged(["disableExtensionOperations", "vmExtensions"], noExtensions),
];

/** What a template says of a machine: a ClusterClass may leave the size to a variable. */
export const templateMachineSpec = ruled(
  Type.Object(
    {
      ...fields,
      vmSize: text("Size of the VM, such as `Standard_D2s_v5`; may be empty where a ClusterClass patches it.", {
        default: "",
      }),
    },
    { description },
  ),
  ...stateRules,
);

const machine = Type.Object(
  {
    ...fields,
    vmSize: ruled(fields.vmSize, {
      rule: "self != ''",
      message: "must name a size of virtual machines, such as Standard_D2s_v5",
    }),
  },
  { description },
);

/** What a user asks of one virtual machine. */
export const azureMachineSpec = ruled(machine, ...stateRules, ...machineStays.map(transition));
export type AzureMachineSpec = Parsed<typeof azureMachineSpec>;

/** Everything that is wrong with the shape of the spec, at once; meaning is checked by the kind. */
export const parseAzureMachine = (object: KubeObject): Result<AzureMachineSpec, readonly Problem[]> =>
  parseSpec(azureMachineSpec, object, "VMRunning");
