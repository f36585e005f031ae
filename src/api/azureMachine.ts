import { Type } from "typebox";
import type { Problem } from "../core/kind.ts";
import type { KubeObject, Result } from "../core/types.ts";
import { computeFields } from "./compute.ts";
import { machineIdentityFields } from "./machineIdentity.ts";
import { parseSpec } from "./parse.ts";
import { flag, list, map, type Parsed, text } from "./schema.ts";

/** What a user asks of one virtual machine. */
export const azureMachineSpec = Type.Object(
  {
    ...computeFields,
    ...machineIdentityFields,
    providerID: Type.Optional(text("Id of the VM as its Node spells it; written once the VM exists.")),
    failureDomain: Type.Optional(text("Availability zone; that of the Machine goes first.")),
    additionalTags: Type.Optional(map("Tags beside those of the cluster, which they override.", Type.String())),
    allocatePublicIP: Type.Optional(flag("Whether a worker has a public IP address of its own.")),
    enableIPForwarding: Type.Optional(flag("Whether it may forward packets that are not addressed to it.")),
    dnsServers: Type.Optional(list("DNS servers instead of those of the virtual network.", Type.String())),
    disableExtensionOperations: Type.Optional(flag("Whether the VM takes no extensions at all.")),
    capacityReservationGroupID: Type.Optional(text("Resource id of the capacity reservation group to draw from.")),
    virtualMachineScaleSetID: Type.Optional(
      text("Resource id of an existing scale set in Flexible mode that the VM joins."),
    ),
  },
  { description: "The virtual machine." },
);
export type AzureMachineSpec = Parsed<typeof azureMachineSpec>;

/** Everything that is wrong with the shape of the spec, at once; meaning is checked by the kind. */
export const parseAzureMachine = (object: KubeObject): Result<AzureMachineSpec, readonly Problem[]> =>
  parseSpec(azureMachineSpec, object, "VMRunning");
