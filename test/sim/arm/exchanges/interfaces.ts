import { network, nicId, pipId, subnetId, vnetId } from "../aWorld.ts";
import type { Exchange, Step } from "./exchange.ts";
import { aNetwork, aSubnet } from "./networks.ts";
import { anAddress } from "./publicAddresses.ts";
import { aGroup } from "./resourceGroups.ts";

const ofMachine = "Test_Compute_VM_CRUD.yaml, 2020-11-01 (recorded 2022-01-10)";
const ofBastion = "Test_Networking_BastionHost_CRUD.yaml, 2022-07-01";
const ofEndpoint = "Test_Networking_PrivateEndpoint_CRUD.yaml, 2022-07-01";
const apiVersion = "2020-11-01";
const location = "westus2";

const nic = {
  location,
  properties: {
    ipConfigurations: [{ name: "ip", properties: { privateIPAllocationMethod: "Dynamic", subnet: { id: subnetId } } }],
  },
};
export const anInterface: Step = { method: "PUT", to: nicId, body: nic, apiVersion };
const written = { "azure-asyncoperation": "operation", "azure-asyncnotification": "Enabled" } as const;

const bastionId = `${network}/bastionHosts/host`;
const bastionSubnetId = `${vnetId}/subnets/AzureBastionSubnet`;
const configurationId = `${bastionId}/bastionHostIpConfigurations/ip`;
const bastion = {
  location,
  properties: {
    ipConfigurations: [{ name: "ip", properties: { subnet: { id: bastionSubnetId }, publicIPAddress: { id: pipId } } }],
  },
};
const bastionSubnet: Step = { ...aSubnet, to: bastionSubnetId };
const aBastion: Step = { method: "PUT", to: bastionId, body: bastion, apiVersion: "2022-07-01" };
const forBastion = [aGroup, anAddress, aNetwork, bastionSubnet] as const;

const endpointId = `${network}/privateEndpoints/endpoint`;
const accountId = `${network.replace("Microsoft.Network", "Microsoft.Storage")}/storageAccounts/account`;
const endpoint = {
  location,
  properties: {
    subnet: { id: subnetId },
    privateLinkServiceConnections: [
      { name: "link", properties: { groupIds: ["blob"], privateLinkServiceId: accountId } },
    ],
  },
};
const anEndpoint: Step = { method: "PUT", to: endpointId, body: endpoint, apiVersion: "2022-07-01" };
const anAccount: Step = { method: "PUT", to: accountId, body: { location }, apiVersion: "2021-04-01" };
const forEndpoint = [aGroup, aNetwork, aSubnet, anAccount] as const;

export const interfaces = [
  {
    when: "a network interface is created",
    source: ofMachine,
    before: [aGroup, aNetwork, aSubnet],
    ask: { method: "PUT", to: nicId, body: nic, apiVersion },
    answer: {
      status: 201,
      headers: written,
      body: {
        values: {
          "properties.provisioningState": "Succeeded",
          "properties.ipConfigurations.0.id": `${nicId}/ipConfigurations/ip`,
          "properties.ipConfigurations.0.type": "Microsoft.Network/networkInterfaces/ipConfigurations",
          "properties.ipConfigurations.0.properties.provisioningState": "Succeeded",
          "properties.ipConfigurations.0.properties.privateIPAddress": "10.0.0.4",
          "properties.ipConfigurations.0.properties.primary": true,
          "properties.ipConfigurations.0.properties.privateIPAddressVersion": "IPv4",
          "properties.dnsSettings.dnsServers": [],
          "properties.dnsSettings.appliedDnsServers": [],
          "properties.enableAcceleratedNetworking": false,
          "properties.vnetEncryptionSupported": false,
          "properties.enableIPForwarding": false,
          "properties.hostedWorkloads": [],
          "properties.tapConfigurations": [],
          "properties.nicType": "Standard",
        },
        shows: [
          "properties.resourceGuid",
          "properties.ipConfigurations.0.etag",
          "properties.dnsSettings.internalDomainNameSuffix",
        ],
        omits: ["properties.virtualMachine", "properties.macAddress", "tags"],
      },
    },
  },
  {
    when: "a network interface is read after its creation",
    source: ofMachine,
    before: [aGroup, aNetwork, aSubnet, anInterface],
    ask: { method: "GET", to: nicId, apiVersion },
    answer: {
      status: 200,
      headers: { etag: "weak etag" },
      body: { values: { "properties.provisioningState": "Succeeded" }, etag: "kept" },
    },
  },
  {
    when: "a network interface is created whose subnet is still being changed",
    source: "hashicorp/terraform#7986 (2017-05-04)",
    before: [aGroup, aNetwork, { ...aSubnet, running: true }],
    ask: { method: "PUT", to: nicId, body: nic, apiVersion },
    answer: {
      status: 429,
      headers: { "retry-after": "seconds" },
      body: {
        values: {
          "error.code": "RetryableError",
          "error.details.0.code": "ReferencedResourceNotProvisioned",
        },
      },
    },
  },
  {
    when: "a bastion host is created",
    source: ofBastion,
    before: forBastion,
    ask: { method: "PUT", to: bastionId, body: bastion, apiVersion: "2022-07-01" },
    answer: {
      status: 201,
      headers: { ...written, "retry-after": 10 },
      body: {
        values: {
          "properties.provisioningState": "Updating",
          "properties.scaleUnits": 2,
          "properties.ipConfigurations.0.id": configurationId,
          "properties.ipConfigurations.0.type": "Microsoft.Network/bastionHosts/bastionHostIpConfigurations",
          "properties.ipConfigurations.0.properties.privateIPAllocationMethod": "Dynamic",
          sku: { name: "Basic" },
        },
        omits: ["properties.dnsName"],
      },
    },
  },
  {
    when: "the creation of a bastion host is polled for the first time while it runs",
    source: ofBastion,
    before: [...forBastion, { ...aBastion, running: true }],
    ask: { method: "GET", to: { named: "azure-asyncoperation" } },
    answer: {
      status: 200,
      headers: { "retry-after": 10 },
      body: { only: ["status"], values: { status: "InProgress" } },
    },
  },
  {
    when: "a bastion host is read after its creation",
    source: ofBastion,
    before: [...forBastion, aBastion],
    ask: { method: "GET", to: bastionId, apiVersion: "2022-07-01" },
    answer: {
      status: 200,
      headers: { etag: "weak etag" },
      body: {
        values: { "properties.provisioningState": "Succeeded" },
        shows: ["properties.dnsName"],
        etag: "renewed",
      },
    },
  },
  {
    when: "the subnet of a bastion host is read",
    source: ofBastion,
    before: [...forBastion, aBastion],
    ask: { method: "GET", to: bastionSubnetId, apiVersion },
    answer: {
      status: 200,
      headers: { etag: "weak etag" },
      body: { values: { "properties.ipConfigurations": [{ id: configurationId }] } },
    },
  },
  {
    when: "the creation of a private endpoint is polled while it runs",
    source: ofEndpoint,
    before: [...forEndpoint, { ...anEndpoint, running: true }],
    ask: { method: "GET", to: { named: "azure-asyncoperation" } },
    answer: {
      status: 200,
      headers: { "retry-after": 10 },
      body: { only: ["status"], values: { status: "InProgress" } },
    },
  },
  {
    when: "a private endpoint is read after its creation",
    source: ofEndpoint,
    before: [...forEndpoint, anEndpoint],
    ask: { method: "GET", to: endpointId, apiVersion: "2022-07-01" },
    answer: {
      status: 200,
      headers: { etag: "weak etag" },
      body: {
        values: {
          "properties.provisioningState": "Succeeded",
          "properties.privateLinkServiceConnections.0.type":
            "Microsoft.Network/privateEndpoints/privateLinkServiceConnections",
          "properties.privateLinkServiceConnections.0.properties.provisioningState": "Succeeded",
          "properties.privateLinkServiceConnections.0.properties.privateLinkServiceConnectionState": {
            status: "Approved",
            description: "Auto-Approved",
            actionsRequired: "None",
          },
          "properties.manualPrivateLinkServiceConnections": [],
          "properties.customNetworkInterfaceName": "",
          "properties.ipConfigurations": [],
        },
        shows: ["properties.resourceGuid", "properties.networkInterfaces.0.id", "properties.customDnsConfigs"],
      },
    },
  },
  {
    when: "a private endpoint gets a tag and nothing else",
    source: ofEndpoint,
    before: [...forEndpoint, anEndpoint],
    ask: { method: "PUT", to: endpointId, body: { ...endpoint, tags: { foo: "bar" } }, apiVersion: "2022-07-01" },
    answer: {
      status: 200,
      headers: written,
      body: {
        values: { "properties.provisioningState": "Succeeded", tags: { foo: "bar" } },
        shows: ["properties.networkInterfaces.0.id"],
        etag: "renewed",
      },
    },
  },
] as const satisfies readonly Exchange[];
