import { compute, nicId, subnetId, vmId } from "../aWorld.ts";
import type { Exchange, Step } from "./exchange.ts";
import { anInterface } from "./interfaces.ts";
import { aNetwork, aSubnet } from "./networks.ts";
import { aGroup } from "./resourceGroups.ts";

const source = "Test_Compute_VM_CRUD.yaml, 2020-12-01 (recorded 2022-01-10)";
const ofSet = "Test_Compute_VMSS_20220301_CRUD.yaml, 2022-03-01 (recorded 2022-10-17)";
const apiVersion = "2020-12-01";
const location = "westus2";
const setId = `${compute}/virtualMachineScaleSets/set`;
const imageReference = { publisher: "cncf-upstream", offer: "capi", sku: "ubuntu-2204-gen1", version: "latest" };

const machine = {
  location,
  properties: {
    hardwareProfile: { vmSize: "Standard_D2s_v3" },
    networkProfile: { networkInterfaces: [{ id: nicId }] },
    osProfile: { adminUsername: "someone", adminPassword: "not shown again", computerName: "vm" },
    storageProfile: { imageReference },
  },
};
const watched = {
  ...machine,
  properties: { ...machine.properties, diagnosticsProfile: { bootDiagnostics: { enabled: true } } },
};
const set = {
  location,
  sku: { name: "Standard_D2s_v3", capacity: 1 },
  properties: {
    platformFaultDomainCount: 3,
    singlePlacementGroup: false,
    upgradePolicy: { mode: "Automatic" },
    virtualMachineProfile: {
      osProfile: { adminUsername: "someone", computerNamePrefix: "node" },
      storageProfile: { imageReference },
      networkProfile: {
        networkInterfaceConfigurations: [
          {
            name: "nic",
            properties: { primary: true, ipConfigurations: [{ name: "ip", properties: { subnet: { id: subnetId } } }] },
          },
        ],
      },
    },
  },
};
const extended = {
  ...set,
  properties: {
    ...set.properties,
    virtualMachineProfile: {
      ...set.properties.virtualMachineProfile,
      extensionProfile: { extensions: [{ name: "hello", properties: { publisher: "Example", type: "Script" } }] },
    },
  },
};

const ground = [aGroup, aNetwork, aSubnet, anInterface] as const;
const aMachine: Step = { method: "PUT", to: vmId, body: machine, apiVersion };
const aSet: Step = { method: "PUT", to: setId, body: set, apiVersion: "2022-03-01" };
const written = { "azure-asyncoperation": "operation", "azure-asyncnotification": "Enabled" } as const;
const deleting = { ...written, location: "operation monitor", "retry-after": 10 } as const;
const disk = "properties.storageProfile.osDisk";
const model = "properties.virtualMachineProfile";

export const machines = [
  {
    when: "a machine is created",
    source,
    before: ground,
    ask: { method: "PUT", to: vmId, body: machine, apiVersion },
    answer: {
      status: 201,
      headers: { ...written, "retry-after": 10 },
      body: {
        values: {
          type: "Microsoft.Compute/virtualMachines",
          "properties.provisioningState": "Creating",
          [`${disk}.osType`]: "Linux",
          [`${disk}.createOption`]: "FromImage",
          [`${disk}.caching`]: "ReadWrite",
          "properties.storageProfile.dataDisks": [],
          "properties.osProfile.secrets": [],
          "properties.osProfile.allowExtensionOperations": true,
          "properties.osProfile.requireGuestProvisionSignal": true,
        },
        shows: ["properties.vmId", `${disk}.managedDisk.storageAccountType`, `${disk}.diskSizeGB`],
        omits: [`${disk}.name`, `${disk}.managedDisk.id`, "properties.osProfile.adminPassword", "tags"],
      },
    },
  },
  {
    when: "the creation of a machine is polled while it runs",
    source,
    before: [...ground, { ...aMachine, running: true }],
    ask: { method: "GET", to: { named: "azure-asyncoperation" } },
    answer: {
      status: 200,
      headers: { "retry-after": "seconds" },
      body: { only: ["startTime", "status", "name"], values: { status: "InProgress" } },
    },
  },
  {
    when: "the creation of a machine is polled after its end",
    source,
    before: [...ground, aMachine],
    ask: { method: "GET", to: { named: "azure-asyncoperation" } },
    answer: {
      status: 200,
      body: { only: ["startTime", "endTime", "status", "name"], values: { status: "Succeeded" } },
    },
  },
  {
    when: "a machine is read after its creation",
    source,
    before: [...ground, aMachine],
    ask: { method: "GET", to: vmId, apiVersion },
    answer: {
      status: 200,
      headers: { etag: "quoted etag" },
      body: {
        values: { "properties.provisioningState": "Succeeded" },
        shows: [`${disk}.name`, `${disk}.managedDisk.id`, "properties.vmId"],
        omits: ["properties.osProfile.adminPassword", "properties.instanceView"],
      },
    },
    simpler: "No etag in this api-version, but in those since 2024; the simulator always sends one.",
  },
  {
    when: "a machine is changed",
    source,
    before: [...ground, aMachine],
    ask: { method: "PUT", to: vmId, body: watched, apiVersion },
    answer: {
      status: 200,
      headers: written,
      body: {
        values: {
          "properties.provisioningState": "Updating",
          "properties.diagnosticsProfile": { bootDiagnostics: { enabled: true } },
        },
        shows: [`${disk}.name`, `${disk}.managedDisk.id`],
      },
    },
  },
  {
    when: "a machine is deleted",
    source,
    before: [...ground, aMachine],
    ask: { method: "DELETE", to: vmId, apiVersion },
    answer: { status: 202, headers: deleting, body: "none" },
  },
  {
    when: "a machine is read right after its deletion",
    source,
    before: [...ground, aMachine, { method: "DELETE", to: vmId, apiVersion }],
    ask: { method: "GET", to: vmId, apiVersion },
    answer: { status: 404, body: { values: { "error.code": "NotFound" }, omits: ["error.details"] } },
  },
  {
    when: "a network interface is deleted that a machine uses",
    source,
    before: [...ground, aMachine],
    ask: { method: "DELETE", to: nicId, apiVersion: "2020-11-01" },
    answer: { status: 400, body: { values: { "error.code": "NicInUse", "error.details": [] } } },
  },
  {
    when: "a network interface is deleted whose machine is being deleted",
    source,
    before: [...ground, aMachine, { method: "DELETE", to: vmId, apiVersion, running: true }],
    ask: { method: "DELETE", to: nicId, apiVersion: "2020-11-01" },
    answer: { status: 400, body: { values: { "error.code": "NicInUse", "error.details": [] } } },
  },
  {
    when: "a scale set is created",
    source: ofSet,
    before: [aGroup, aNetwork, aSubnet],
    ask: { method: "PUT", to: setId, body: set, apiVersion: "2022-03-01" },
    answer: {
      status: 201,
      headers: { ...written, "retry-after": 10 },
      body: {
        values: {
          type: "Microsoft.Compute/virtualMachineScaleSets",
          sku: { name: "Standard_D2s_v3", tier: "Standard", capacity: 1 },
          "properties.provisioningState": "Creating",
          "properties.orchestrationMode": "Uniform",
          "properties.overprovision": true,
          "properties.doNotRunExtensionsOnOverprovisionedVMs": false,
          [`${model}.osProfile.secrets`]: [],
          [`${model}.osProfile.allowExtensionOperations`]: true,
          [`${model}.osProfile.requireGuestProvisionSignal`]: true,
          [`${model}.storageProfile.osDisk.createOption`]: "FromImage",
          [`${model}.networkProfile.networkInterfaceConfigurations.0.properties.enableAcceleratedNetworking`]: false,
          [`${model}.networkProfile.networkInterfaceConfigurations.0.properties.dnsSettings`]: { dnsServers: [] },
          [`${model}.networkProfile.networkInterfaceConfigurations.0.properties.enableIPForwarding`]: false,
          [`${model}.networkProfile.networkInterfaceConfigurations.0.properties.ipConfigurations.0.properties.privateIPAddressVersion`]:
            "IPv4",
        },
        shows: ["properties.uniqueId", "properties.timeCreated"],
      },
    },
  },
  {
    when: "the creation of a scale set is polled while it runs",
    source: ofSet,
    before: [aGroup, aNetwork, aSubnet, { ...aSet, running: true }],
    ask: { method: "GET", to: { named: "azure-asyncoperation" } },
    answer: {
      status: 200,
      headers: { "retry-after": "seconds" },
      body: { only: ["startTime", "status", "name"], values: { status: "InProgress" } },
    },
  },
  {
    when: "a scale set is changed",
    source: ofSet,
    before: [aGroup, aNetwork, aSubnet, aSet],
    ask: { method: "PUT", to: setId, body: extended, apiVersion: "2022-03-01" },
    answer: {
      status: 200,
      headers: { ...written, "retry-after": 10 },
      body: {
        values: { "properties.provisioningState": "Updating" },
        shows: [`${model}.extensionProfile.extensions.0`],
      },
    },
  },
  {
    when: "a scale set is deleted",
    source: ofSet,
    before: [aGroup, aNetwork, aSubnet, aSet],
    ask: { method: "DELETE", to: setId, apiVersion: "2022-03-01" },
    answer: { status: 202, headers: deleting, body: "none" },
  },
] as const satisfies readonly Exchange[];
