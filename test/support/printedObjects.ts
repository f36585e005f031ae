import type { JsonObject } from "../../src/core/types.ts";
import type { AnObject } from "./apiObjects.ts";

/** An object as far as `kubectl get -o wide` shows it, and what it shows, but for the age. */
export interface PrintedObject {
  readonly object: AnObject;
  readonly status: JsonObject;
  readonly columns: Readonly<Record<string, string>>;
}

const apiVersion = "infrastructure.cluster.x-k8s.io/v1beta1";
const name = "shown";
const uid = "00000000-0000-4000-8000-0000000000aa";

/** Of a group that nobody serves: the garbage collector would otherwise see that there is no such owner. */
const ownedBy = (kind: string): JsonObject => ({
  ownerReferences: [{ apiVersion: "unserved.example.com/v1", kind, name: "its-owner", uid }],
});

const anObject = (kind: string, spec: JsonObject, metadata: JsonObject = {}): AnObject => {
  const labels = { "cluster.x-k8s.io/cluster-name": "its-cluster" };
  return { apiVersion, kind, name, body: { apiVersion, kind, metadata: { name, labels, ...metadata }, spec } };
};

const notReady = {
  conditions: [
    {
      type: "Ready",
      status: "False",
      severity: "Warning",
      reason: "Waiting",
      message: "for-godot",
      lastTransitionTime: "2026-01-01T00:00:00Z",
    },
  ],
};
const notReadyColumns = { READY: "False", SEVERITY: "Warning", REASON: "Waiting", MESSAGE: "for-godot" };
const CLUSTER = "its-cluster";

const identityRef = { apiVersion, kind: "AzureClusterIdentity", name: "identity" };
const subscriptionID = "00000000-0000-4000-8000-000000000001";
const location = "westeurope";
const machine = {
  vmSize: "Standard_D2s_v3",
  osDisk: { osType: "Linux", managedDisk: { storageAccountType: "Premium_LRS" } },
  sshPublicKey: "",
};
const vm = `azure:///subscriptions/${subscriptionID}/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/vm`;
const set = `azure:///subscriptions/${subscriptionID}/resourceGroups/rg/providers/Microsoft.Compute/virtualMachineScaleSets/set`;

/** One for each kind that has columns of its own; those of the contract. */
export const printedObjects: readonly PrintedObject[] = [
  {
    object: anObject("AzureCluster", {
      resourceGroup: "its-group",
      subscriptionID,
      location,
      identityRef,
      controlPlaneEndpoint: { host: "api.example.com", port: 6443 },
    }),
    status: notReady,
    columns: {
      CLUSTER,
      READY: "False",
      REASON: "Waiting",
      MESSAGE: "for-godot",
      "RESOURCE GROUP": "its-group",
      SUBSCRIPTIONID: subscriptionID,
      LOCATION: location,
      ENDPOINT: "api.example.com",
    },
  },
  {
    object: anObject("AzureClusterIdentity", { type: "WorkloadIdentity", clientID: uid, tenantID: uid }),
    status: {},
    columns: { TYPE: "WorkloadIdentity" },
  },
  {
    object: anObject("AzureMachine", { ...machine, providerID: vm }, ownedBy("Machine")),
    status: { ...notReady, vmState: "Creating" },
    columns: {
      CLUSTER,
      ...notReadyColumns,
      STATE: "Creating",
      MACHINE: "its-owner",
      "VM ID": vm,
      "VM SIZE": machine.vmSize,
    },
  },
  {
    object: anObject(
      "AzureMachinePool",
      { location, template: machine, providerID: set, providerIDList: [] },
      ownedBy("MachinePool"),
    ),
    status: { ready: true, replicas: 3, provisioningState: "Succeeded" },
    columns: {
      REPLICAS: "3",
      READY: "true",
      STATE: "Succeeded",
      CLUSTER,
      MACHINEPOOL: "its-owner",
      "VMSS ID": set,
      "VM SIZE": machine.vmSize,
    },
  },
  {
    object: anObject("AzureMachinePoolMachine", { providerID: `${set}/virtualMachines/0`, instanceID: "0" }),
    status: { ready: true, version: "v1.35.1", provisioningState: "Succeeded" },
    columns: {
      VERSION: "v1.35.1",
      READY: "true",
      STATE: "Succeeded",
      CLUSTER,
      "VMSS VM ID": `${set}/virtualMachines/0`,
    },
  },
  {
    object: anObject("AzureManagedCluster", {}),
    status: { ready: true },
    columns: { CLUSTER, READY: "true" },
  },
  {
    object: anObject("AzureManagedControlPlane", {
      identityRef,
      location,
      subscriptionID,
      resourceGroupName: "its-group",
      version: "v1.35.1",
    }),
    status: notReady,
    columns: { CLUSTER, ...notReadyColumns },
  },
  {
    object: anObject("AzureManagedMachinePool", { mode: "System", sku: machine.vmSize }),
    status: notReady,
    columns: { CLUSTER, ...notReadyColumns, MODE: "System" },
  },
];
