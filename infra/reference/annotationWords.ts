import type { annotations, labels } from "../../src/core/annotations.ts";

/** What a name on an object means to Capstan. */
export interface NameWords {
  /** A sentence in Markdown: what its presence or value does. */
  readonly meaning: string;
  /**
   * `acts`: this release obeys it. `wakes`: a change of it makes Capstan look at the object at once, nothing more.
   * `writes`: Capstan itself writes it.
   */
  readonly effect: "acts" | "wakes" | "writes";
}

export const annotationWords: Readonly<Record<keyof typeof annotations, NameWords>> = {
  paused: { meaning: "Present with any value: nothing is read from Azure or written to it.", effect: "acts" },
  managedBy: {
    meaning: "Present: somebody else manages the infrastructure; Capstan leaves the object alone.",
    effect: "acts",
  },
  blockMove: {
    meaning: "Present: `clusterctl move` waits. Set while Azure works for the object, taken off when it is paused.",
    effect: "writes",
  },
  deleteForMove: {
    meaning:
      "`clusterctl move` deletes the object, which lives on in another cluster: nothing of it is deleted in Azure.",
    effect: "acts",
  },
  deleteMachine: { meaning: "Marks the Machine that goes first when a set shrinks.", effect: "wakes" },
  replicasManagedBy: { meaning: "Names who decides the number of replicas of a MachinePool.", effect: "wakes" },
  clonedFromGroupKind: { meaning: "The kind of template that the object was made from.", effect: "wakes" },
  runtime: { meaning: "Container runtime of a Windows machine.", effect: "wakes" },
  windowsServerVersion: { meaning: "Release of Windows Server for the image of a machine.", effect: "wakes" },
  retry: {
    meaning: "Any new value: look now, forget all back-offs, and make a lost resource group again.",
    effect: "acts",
  },
  release: { meaning: "Any new value: forget what the loop guard counted, and go on.", effect: "acts" },
  hold: {
    meaning: "Write nothing to Azure and delete nothing until it is taken off; conditions say what waits (`Held`).",
    effect: "acts",
  },
  adopt: { meaning: "Ids of resources to adopt, separated by commas.", effect: "acts" },
  abandon: { meaning: "Ids of resources that a deletion leaves behind, separated by commas.", effect: "acts" },
  keepForeign: {
    meaning: "Present: a deletion removes only what is ours from a resource group of ours, and keeps the group.",
    effect: "acts",
  },
  reportOnly: {
    meaning: "Show what differs from the spec (`Drifted`), write nothing to Azure and delete nothing.",
    effect: "acts",
  },
  ownedChildren: {
    meaning: "Ids of resources of ours that carry no tag and stand under a resource that is not ours.",
    effect: "writes",
  },
};

export const labelWords: Readonly<Record<keyof typeof labels, NameWords>> = {
  watchFilter: {
    meaning: "Where the installation has a filter: only objects with its value are looked at.",
    effect: "acts",
  },
  clusterName: { meaning: "Name of the Cluster that the object belongs to.", effect: "acts" },
  controlPlane: { meaning: "Present: the machine belongs to the control plane.", effect: "wakes" },
  deploymentName: { meaning: "Name of the MachineDeployment of a machine.", effect: "wakes" },
  setName: { meaning: "Name of the MachineSet of a machine.", effect: "wakes" },
  poolName: { meaning: "Name of the MachinePool of a machine.", effect: "wakes" },
  machinePool: { meaning: "Name of the AzureMachinePool of an AzureMachinePoolMachine.", effect: "wakes" },
};
