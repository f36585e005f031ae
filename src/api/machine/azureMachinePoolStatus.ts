import { Type } from "typebox";
import { conditions } from "../conditions.ts";
import { operationStates } from "../operationStates.ts";
import { flag, int32, list, text } from "../schema.ts";
import { imageSpec } from "./image.ts";

const instance = Type.Object({
  instanceID: Type.Optional(text("Number of the instance in its scale set.")),
  instanceName: Type.Optional(text("Name of the instance.")),
  providerID: Type.Optional(text("Id as the Node spells it.")),
  provisioningState: Type.Optional(text("State in Azure.")),
  version: Type.Optional(text("Version of its kubelet.")),
  latestModelApplied: flag("Whether it is of the scale set's present model."),
});

/** What an AzureMachinePool shows of itself. */
export const azureMachinePoolStatus = Type.Object({
  ready: Type.Optional(flag("Whether Cluster API may go on: the scale set stands.")),
  replicas: Type.Optional(int32("How many instances were seen last.")),
  lastReconciledReplicas: Type.Optional(int32("How many instances were wanted when that many were last reached.")),
  instances: Type.Optional(list("Not written: each instance has an AzureMachinePoolMachine.", instance)),
  image: Type.Optional(imageSpec),
  version: Type.Optional(text("Not written.")),
  provisioningState: Type.Optional(text("State of the scale set in Azure.")),
  infrastructureMachineKind: Type.Optional(
    text("Kind of the objects that stand for instances: `AzureMachinePoolMachine`."),
  ),
  failureReason: Type.Optional(text("Failure that an earlier provider took for final, in one word; never written.")),
  failureMessage: Type.Optional(text("The same for people; never written.")),
  conditions: Type.Optional(conditions),
  longRunningOperationStates: Type.Optional(operationStates),
});
