import type { KindSchemas } from "../definition/kindSchemas.ts";
import { azureMachineSpec } from "./azureMachine.ts";
import { azureMachinePoolSpec } from "./azureMachinePool.ts";
import { azureMachinePoolMachineSpec, azureMachinePoolMachineStatus } from "./azureMachinePoolMachine.ts";
import { azureMachinePoolStatus } from "./azureMachinePoolStatus.ts";
import { azureMachineStatus } from "./azureMachineStatus.ts";
import { azureMachineTemplateSpec, azureMachineTemplateStatus } from "./azureMachineTemplate.ts";

/** The kinds of machines and pools, with their fields. */
export const machineKinds: Readonly<Record<string, KindSchemas>> = {
  AzureMachine: {
    description: "One virtual machine that becomes a Node.",
    spec: azureMachineSpec,
    status: azureMachineStatus,
  },
  AzureMachineTemplate: {
    description: "What Cluster API makes AzureMachines from.",
    spec: azureMachineTemplateSpec,
    status: azureMachineTemplateStatus,
  },
  AzureMachinePool: {
    description: "A scale set whose instances become Nodes.",
    spec: azureMachinePoolSpec,
    status: azureMachinePoolStatus,
  },
  AzureMachinePoolMachine: {
    description: "One instance of a scale set.",
    spec: azureMachinePoolMachineSpec,
    status: azureMachinePoolMachineStatus,
  },
};
