import { Type } from "typebox";
import type { Problem } from "../../core/kind.ts";
import type { KubeObject, Result } from "../../core/types.ts";
import { conditions } from "../conditions.ts";
import { operationStates } from "../operationStates.ts";
import { parseSpec } from "../parse.ts";
import { flag, type Parsed, ruled, text } from "../schema.ts";

/** Which instance of a scale set the object stands for. Written by us, one object an instance. */
export const azureMachinePoolMachineSpec = Type.Object({
  providerID: ruled(text("Id of the instance as its Node spells it."), {
    rule: "oldSelf == '' || self == oldSelf",
    message: "must stay as it is: an instance has one id for good",
    reason: "FieldValueForbidden",
  }),
  instanceID: Type.Optional(text("Number of the instance in a scale set of mode Uniform; else the name of the VM.")),
});
export type AzureMachinePoolMachineSpec = Parsed<typeof azureMachinePoolMachineSpec>;

const nodeRef = Type.Object(
  {
    apiVersion: Type.Optional(text("Version of the Node.")),
    kind: Type.Optional(text("`Node`.")),
    name: Type.Optional(text("Name of the Node.")),
    namespace: Type.Optional(text("Empty: Nodes have none.")),
    uid: Type.Optional(text("Identity of the Node.")),
    resourceVersion: Type.Optional(text("Not used.")),
    fieldPath: Type.Optional(text("Not used.")),
  },
  { description: "The Node that runs on the instance.", "x-kubernetes-map-type": "atomic" },
);

/** What an AzureMachinePoolMachine shows of its instance. */
export const azureMachinePoolMachineStatus = Type.Object({
  ready: Type.Optional(flag("Whether the Node of the instance is ready.")),
  nodeRef: Type.Optional(nodeRef),
  version: Type.Optional(text("Version of the Node's kubelet.")),
  provisioningState: Type.Optional(text("State of the instance in Azure.")),
  instanceName: Type.Optional(text("Name of the instance.")),
  latestModelApplied: Type.Optional(flag("Whether the instance is of the scale set's present model.")),
  failureReason: Type.Optional(text("Failure that an earlier provider took for final, in one word; not obeyed.")),
  failureMessage: Type.Optional(text("The same for people.")),
  conditions: Type.Optional(conditions),
  longRunningOperationStates: Type.Optional(operationStates),
});

/** Everything that is wrong with the shape of the spec, at once. */
export const parseAzureMachinePoolMachine = (
  object: KubeObject,
): Result<AzureMachinePoolMachineSpec, readonly Problem[]> =>
  parseSpec(azureMachinePoolMachineSpec, object, "NodeHealthy");
