import { parseAzureManagedControlPlane } from "../../src/api/aks/azureManagedControlPlane.ts";
import { parseAzureManagedMachinePool } from "../../src/api/aks/azureManagedMachinePool.ts";
import { parseAzureMachine } from "../../src/api/machine/azureMachine.ts";
import { parseAzureMachinePool } from "../../src/api/machine/azureMachinePool.ts";
import type { JsonObject } from "../../src/core/types.ts";
import { completePool as completeAksPool, completeControlPlane } from "../../src/kinds/aksDefaults.ts";
import { readCluster } from "../../src/kinds/azureClusterInput.ts";
import type { CompleteCluster } from "../../src/kinds/complete.ts";
import { defaultImage } from "../../src/kinds/machine/defaultImage.ts";
import type { ComputeFacts } from "../../src/kinds/machine/facts.ts";
import { completeMachine } from "../../src/kinds/machineDefaults.ts";
import { completePool } from "../../src/kinds/machinePoolDefaults.ts";
import { completeCluster } from "../../src/kinds/networkDefaults.ts";
import { clusterApiObject, exampleCluster, exampleObject, read } from "./exampleObject.ts";

// JSON knows no undefined.
const json = (value: object): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;

const cluster = (more: JsonObject): CompleteCluster => {
  const { facts, spec } = read(
    readCluster({
      object: exampleObject("AzureCluster", more),
      dependencies: { cluster: clusterApiObject("Cluster", exampleCluster) },
      settings: {},
    }),
  );
  return completeCluster(facts, spec);
};

/** The Kubernetes version of the machines in the examples. */
export const exampleVersion = "v1.34.1";

const compute = (name: string): ComputeFacts => {
  const { subscriptionID = "", resourceGroup, networkSpec } = cluster({});
  const image = defaultImage({ osType: "Linux", kubernetesVersion: exampleVersion });
  return {
    name,
    subscription: subscriptionID,
    resourceGroup,
    role: "node",
    subnets: networkSpec.subnets,
    ...(image.ok && { image: image.value }),
  };
};

const controlPlane = (more: JsonObject) => {
  const object = exampleObject("AzureManagedControlPlane", more);
  const facts = { name: object.metadata.name, clusterName: exampleCluster };
  return completeControlPlane(facts, read(parseAzureManagedControlPlane(object)));
};

/** By kind: the spec of its example, with other fields laid over it, and with everything that it leaves unsaid. */
export const completeForms: Readonly<Record<string, (more: JsonObject) => JsonObject>> = {
  AzureCluster: (more) => json(cluster(more)),
  AzureMachine: (more) => {
    const object = exampleObject("AzureMachine", more);
    return json(completeMachine(compute(object.metadata.name), read(parseAzureMachine(object))));
  },
  AzureMachinePool: (more) => {
    const object = exampleObject("AzureMachinePool", more);
    return json(completePool(compute(object.metadata.name), read(parseAzureMachinePool(object))));
  },
  AzureManagedControlPlane: (more) => json(controlPlane(more)),
  AzureManagedMachinePool: (more) => {
    const object = exampleObject("AzureManagedMachinePool", more);
    const subnetName = controlPlane({}).virtualNetwork.subnet.name;
    const facts = { name: object.metadata.name, subnetName };
    return json(completeAksPool(facts, read(parseAzureManagedMachinePool(object))));
  },
};
