import { nicId, subnetId, vnetId } from "../aWorld.ts";
import type { Exchange, Step } from "./exchange.ts";
import { aGroup } from "./resourceGroups.ts";

const source = "Test_Networking_VirtualNetwork_CRUD.yaml, 2020-11-01";
const ofBastion = "Test_Networking_BastionHost_CRUD.yaml, 2020-11-01";
const ofMachine = "Test_Compute_VM_CRUD.yaml, 2020-11-01 (recorded 2022-01-10)";
const apiVersion = "2020-11-01";
const body = { location: "westus2", properties: { addressSpace: { addressPrefixes: ["10.0.0.0/8"] } } };
const subnet = { properties: { addressPrefix: "10.0.0.0/24" } };
const delegated = {
  properties: {
    addressPrefix: "10.0.0.0/24",
    delegations: [{ name: "lent", properties: { serviceName: "Microsoft.DBforMySQL/serversv2" } }],
  },
};

export const aNetwork: Step = { method: "PUT", to: vnetId, body, apiVersion };
export const aSubnet: Step = { method: "PUT", to: subnetId, body: subnet, apiVersion };
const anInterface: Step = {
  method: "PUT",
  to: nicId,
  apiVersion,
  body: {
    location: "westus2",
    properties: { ipConfigurations: [{ name: "ip", properties: { subnet: { id: subnetId } } }] },
  },
};

const writing = {
  "azure-asyncoperation": "operation",
  "azure-asyncnotification": "Enabled",
  "retry-after": 3,
} as const;
const deleting = { "azure-asyncoperation": "operation", location: "operation result", "retry-after": 10 } as const;
const gone = { "x-ms-failure-cause": "gateway" } as const;
const inUse = { values: { "error.code": "InUseSubnetCannotBeDeleted", "error.details": [] } } as const;

export const networks = [
  {
    when: "a virtual network is created",
    source: ofBastion,
    before: [aGroup],
    ask: { method: "PUT", to: vnetId, body, apiVersion },
    answer: {
      status: 201,
      headers: writing,
      body: {
        values: {
          id: vnetId,
          type: "Microsoft.Network/virtualNetworks",
          location: "westus2",
          "properties.provisioningState": "Updating",
          "properties.subnets": [],
          "properties.virtualNetworkPeerings": [],
          "properties.enableDdosProtection": false,
        },
        shows: ["etag", "properties.resourceGuid", "properties.addressSpace.addressPrefixes"],
        omits: ["tags"],
      },
    },
  },
  {
    when: "the creation of a virtual network is polled after its end",
    source: ofBastion,
    before: [aGroup, aNetwork],
    ask: { method: "GET", to: { named: "azure-asyncoperation" } },
    answer: { status: 200, body: { only: ["status"], values: { status: "Succeeded" } } },
  },
  {
    when: "a virtual network is read after its creation",
    source: ofBastion,
    before: [aGroup, aNetwork],
    ask: { method: "GET", to: vnetId, apiVersion },
    answer: {
      status: 200,
      headers: { etag: "weak etag" },
      body: { values: { "properties.provisioningState": "Succeeded" }, etag: "renewed" },
    },
  },
  {
    when: "a virtual network is written again unchanged",
    source,
    before: [aGroup, aNetwork, { method: "GET", to: vnetId, apiVersion }],
    ask: { method: "PUT", to: vnetId, body, apiVersion },
    answer: {
      status: 200,
      headers: { "azure-asyncoperation": "operation", "azure-asyncnotification": "Enabled" },
      body: { values: { "properties.provisioningState": "Succeeded" }, etag: "kept" },
    },
  },
  {
    when: "a subnet is created",
    source: "Test_Networking_PrivateEndpoint_CRUD.yaml, 2020-11-01",
    before: [aGroup, aNetwork],
    ask: { method: "PUT", to: subnetId, body: subnet, apiVersion },
    answer: {
      status: 201,
      headers: writing,
      body: {
        only: ["id", "name", "type", "etag", "properties"],
        values: {
          type: "Microsoft.Network/virtualNetworks/subnets",
          "properties.provisioningState": "Updating",
          "properties.addressPrefix": "10.0.0.0/24",
          "properties.delegations": [],
          "properties.privateEndpointNetworkPolicies": "Disabled",
          "properties.privateLinkServiceNetworkPolicies": "Enabled",
        },
        omits: ["properties.ipConfigurations", "properties.serviceEndpoints"],
      },
    },
  },
  {
    when: "a subnet is read after its creation",
    source,
    before: [aGroup, aNetwork, aSubnet],
    ask: { method: "GET", to: subnetId, apiVersion },
    answer: {
      status: 200,
      headers: { etag: "weak etag" },
      body: { values: { "properties.provisioningState": "Succeeded" }, etag: "renewed" },
    },
  },
  {
    when: "a subnet is lent to a service",
    source,
    before: [aGroup, aNetwork, aSubnet],
    ask: { method: "PUT", to: subnetId, body: delegated, apiVersion },
    answer: {
      status: 200,
      headers: writing,
      body: {
        values: {
          "properties.provisioningState": "Updating",
          "properties.delegations.0.id": `${subnetId}/delegations/lent`,
          "properties.delegations.0.type": "Microsoft.Network/virtualNetworks/subnets/delegations",
          "properties.delegations.0.properties.provisioningState": "Succeeded",
          "properties.delegations.0.properties.actions": ["Microsoft.Network/virtualNetworks/subnets/join/action"],
        },
        shows: ["properties.delegations.0.etag"],
      },
    },
    simpler:
      "The header Azure-AsyncNotification was missing on subnets in this recording and is there in later ones; the simulator always sends it.",
  },
  {
    when: "a subnet is deleted",
    source,
    before: [aGroup, aNetwork, aSubnet],
    ask: { method: "DELETE", to: subnetId, apiVersion },
    answer: { status: 202, headers: { ...deleting, "azure-asyncnotification": "Enabled" }, body: "none" },
    simpler: "As for writes of a subnet: the later recordings' Azure-AsyncNotification.",
  },
  {
    when: "the deletion of a subnet is polled after its end",
    source,
    before: [aGroup, aNetwork, aSubnet, { method: "DELETE", to: subnetId, apiVersion }],
    ask: { method: "GET", to: { named: "azure-asyncoperation" } },
    answer: { status: 200, body: { only: ["status"], values: { status: "Succeeded" } } },
  },
  {
    when: "a subnet is deleted that an interface uses",
    source: ofMachine,
    before: [aGroup, aNetwork, aSubnet, anInterface],
    ask: { method: "DELETE", to: subnetId, apiVersion },
    answer: { status: 400, body: inUse },
  },
  {
    when: "a virtual network is deleted whose subnet an interface uses",
    source: ofMachine,
    before: [aGroup, aNetwork, aSubnet, anInterface],
    ask: { method: "DELETE", to: vnetId, apiVersion },
    answer: { status: 400, body: inUse },
  },
  {
    when: "a virtual network is deleted",
    source,
    before: [aGroup, aNetwork],
    ask: { method: "DELETE", to: vnetId, apiVersion },
    answer: { status: 202, headers: { ...deleting, "azure-asyncnotification": "Enabled" }, body: "none" },
  },
  {
    when: "a virtual network is read after its deletion",
    source,
    before: [aGroup, aNetwork, { method: "DELETE", to: vnetId, apiVersion }],
    afterSeconds: 120,
    ask: { method: "GET", to: vnetId, apiVersion },
    answer: {
      status: 404,
      headers: gone,
      body: { only: ["error"], values: { "error.code": "ResourceNotFound" }, omits: ["error.details"] },
    },
  },
  {
    when: "a subnet is read whose network is gone",
    source: ofMachine,
    before: [aGroup, aNetwork, aSubnet, { method: "DELETE", to: vnetId, apiVersion }],
    afterSeconds: 120,
    ask: { method: "GET", to: subnetId, apiVersion },
    answer: {
      status: 404,
      headers: gone,
      body: {
        values: {
          "error.code": "ResourceNotFound",
          "error.message":
            "The Resource 'Microsoft.Network/virtualNetworks/vnet' under resource group 'rg' was not found. For more details please go to https://aka.ms/ARMResourceNotFoundFix",
        },
      },
    },
  },
  {
    when: "a subnet is deleted whose network is gone",
    source: ofBastion,
    before: [aGroup, aNetwork, aSubnet, { method: "DELETE", to: vnetId, apiVersion }],
    afterSeconds: 120,
    ask: { method: "DELETE", to: subnetId, apiVersion },
    answer: { status: 404, headers: gone, body: { values: { "error.code": "ResourceNotFound" } } },
  },
] as const satisfies readonly Exchange[];
