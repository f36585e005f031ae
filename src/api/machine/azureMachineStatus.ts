import { Type } from "typebox";
import { conditions } from "../conditions.ts";
import { operationStates } from "../operationStates.ts";
import { flag, list, text } from "../schema.ts";

/** What an AzureMachine shows of itself. */
export const azureMachineStatus = Type.Object({
  ready: Type.Optional(flag("Whether Cluster API may go on: the VM runs and its id is known.")),
  addresses: Type.Optional(
    list(
      "How the machine can be reached.",
      Type.Object({
        type: text("`InternalDNS`, `InternalIP` or `ExternalIP`."),
        address: text("The address."),
      }),
    ),
  ),
  vmState: Type.Optional(text("State of the VM in Azure, such as `Succeeded`; `Deleted` when it has vanished.")),
  failureDomain: Type.Optional(text("Availability zone in which the VM was placed.")),
  failureReason: Type.Optional(text("Failure that an earlier provider took for final, in one word; not obeyed.")),
  failureMessage: Type.Optional(text("The same for people.")),
  conditions: Type.Optional(conditions),
  longRunningOperationStates: Type.Optional(operationStates),
});
