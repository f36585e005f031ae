import { lbId, network, pipId, subnetId } from "../aWorld.ts";
import type { Exchange, Step } from "./exchange.ts";
import { aNetwork, aSubnet } from "./networks.ts";
import { aGroup } from "./resourceGroups.ts";

const source = "Test_Networking_PublicIP_CRUD.yaml, 2020-11-01";
const ofGateway = "Test_Networking_NatGateway_CRUD.yaml, 2022-07-01 (recorded 2023-09-13)";
const apiVersion = "2020-11-01";
const location = "westus2";
const gatewayId = `${network}/natGateways/gateway`;

const address = { location, sku: { name: "Standard" }, properties: { publicIPAllocationMethod: "Static" } };
const patient = { ...address, properties: { ...address.properties, idleTimeoutInMinutes: 7 } };
const gateway = { location, sku: { name: "Standard" }, properties: { publicIpAddresses: [{ id: pipId }] } };

export const anAddress: Step = { method: "PUT", to: pipId, body: address, apiVersion };
const aGateway: Step = { method: "PUT", to: gatewayId, body: gateway, apiVersion: "2022-07-01" };
const theSubnetThroughIt: Step = {
  method: "PUT",
  to: subnetId,
  apiVersion,
  body: { properties: { addressPrefix: "10.0.0.0/24", natGateway: { id: gatewayId } } },
};
const aBalancer: Step = {
  method: "PUT",
  to: lbId,
  apiVersion,
  body: {
    location,
    sku: { name: "Standard" },
    properties: { frontendIPConfigurations: [{ name: "front", properties: { publicIPAddress: { id: pipId } } }] },
  },
};

const writing = { "azure-asyncoperation": "operation", "azure-asyncnotification": "Enabled" } as const;
const deleting = { ...writing, location: "operation result", "retry-after": 10 } as const;
const read = { etag: "weak etag" } as const;

export const publicAddresses = [
  {
    when: "a public address is created",
    source,
    before: [aGroup],
    ask: { method: "PUT", to: pipId, body: address, apiVersion },
    answer: {
      status: 201,
      headers: { ...writing, "retry-after": 1 },
      body: {
        values: {
          "properties.provisioningState": "Updating",
          "properties.publicIPAddressVersion": "IPv4",
          "properties.publicIPAllocationMethod": "Static",
          "properties.idleTimeoutInMinutes": 4,
          "properties.ipTags": [],
          sku: { name: "Standard", tier: "Regional" },
        },
        shows: ["etag", "properties.resourceGuid"],
        omits: ["properties.ipAddress", "tags"],
      },
    },
  },
  {
    when: "a public address is read after its creation",
    source,
    before: [aGroup, anAddress],
    ask: { method: "GET", to: pipId, apiVersion },
    answer: {
      status: 200,
      headers: read,
      body: {
        values: { "properties.provisioningState": "Succeeded" },
        shows: ["properties.ipAddress"],
        omits: ["properties.ipConfiguration", "properties.natGateway"],
        etag: "renewed",
      },
    },
  },
  {
    when: "a public address is changed",
    source,
    before: [aGroup, anAddress],
    ask: { method: "PUT", to: pipId, body: patient, apiVersion },
    answer: {
      status: 200,
      headers: { ...writing, "retry-after": 1 },
      body: {
        values: { "properties.provisioningState": "Updating", "properties.idleTimeoutInMinutes": 7 },
        shows: ["properties.ipAddress"],
        etag: "renewed",
      },
    },
  },
  {
    when: "a public address is deleted",
    source,
    before: [aGroup, anAddress],
    ask: { method: "DELETE", to: pipId, apiVersion },
    answer: { status: 202, headers: deleting, body: "none" },
  },
  {
    when: "the deletion of a public address is polled while it runs",
    source: "Test_Networking_BastionHost_CRUD.yaml, 2020-11-01",
    before: [aGroup, anAddress, { method: "DELETE", to: pipId, apiVersion, running: true }],
    ask: { method: "GET", to: { named: "azure-asyncoperation" } },
    answer: {
      status: 200,
      headers: { "retry-after": 10 },
      body: { only: ["status"], values: { status: "InProgress" } },
    },
  },
  {
    when: "a public address is read while it is deleted",
    source,
    before: [
      aGroup,
      anAddress,
      { method: "GET", to: pipId, apiVersion },
      { method: "DELETE", to: pipId, apiVersion, running: true },
    ],
    ask: { method: "GET", to: pipId, apiVersion },
    answer: {
      status: 200,
      headers: read,
      body: { values: { "properties.provisioningState": "Deleting" }, shows: ["properties.ipAddress"] },
    },
  },
  {
    when: "a public address is read after its deletion",
    source,
    before: [aGroup, anAddress, { method: "DELETE", to: pipId, apiVersion }],
    afterSeconds: 120,
    ask: { method: "GET", to: pipId, apiVersion },
    answer: {
      status: 404,
      headers: { "x-ms-failure-cause": "gateway" },
      body: { values: { "error.code": "ResourceNotFound" }, omits: ["error.details"] },
    },
  },
  {
    when: "a public address is deleted that a load balancer holds",
    source: "hashicorp/terraform-provider-azurerm#29324 (2025)",
    before: [aGroup, anAddress, aBalancer],
    ask: { method: "DELETE", to: pipId, apiVersion },
    answer: {
      status: 400,
      body: { values: { "error.code": "PublicIPAddressCannotBeDeleted", "error.details": [] } },
    },
  },
  {
    when: "a public address is read that a load balancer holds",
    source: "Test_Compute_VMSS_20220301_CRUD.yaml, 2020-11-01 (recorded 2022-10-17)",
    before: [aGroup, anAddress, aBalancer],
    ask: { method: "GET", to: pipId, apiVersion },
    answer: {
      status: 200,
      headers: read,
      body: { values: { "properties.ipConfiguration": { id: `${lbId}/frontendIPConfigurations/front` } } },
    },
  },
  {
    when: "a NAT gateway is created whose address is not there",
    source: ofGateway,
    before: [aGroup],
    ask: { method: "PUT", to: gatewayId, body: gateway, apiVersion: "2022-07-01" },
    answer: { status: 404, body: { only: ["error"], values: { "error.code": "NotFound", "error.details": [] } } },
  },
  {
    when: "a NAT gateway is created",
    source: ofGateway,
    before: [aGroup, anAddress],
    ask: { method: "PUT", to: gatewayId, body: gateway, apiVersion: "2022-07-01" },
    answer: {
      status: 201,
      headers: { ...writing, "retry-after": 10 },
      body: {
        values: {
          "properties.provisioningState": "Updating",
          "properties.idleTimeoutInMinutes": 4,
          "properties.publicIpAddresses": [{ id: pipId }],
          sku: { name: "Standard", tier: "Regional" },
        },
        shows: ["properties.resourceGuid"],
        omits: ["properties.subnets"],
      },
    },
  },
  {
    when: "a NAT gateway gets a tag and nothing else",
    source: ofGateway,
    before: [aGroup, anAddress, aGateway],
    ask: { method: "PUT", to: gatewayId, body: { ...gateway, tags: { foo: "bar" } }, apiVersion: "2022-07-01" },
    answer: {
      status: 200,
      headers: { ...writing, "retry-after": 10 },
      body: { values: { "properties.provisioningState": "Updating", tags: { foo: "bar" } }, etag: "renewed" },
    },
  },
  {
    when: "a public address is read that a NAT gateway holds",
    source: ofGateway,
    before: [aGroup, anAddress, aGateway],
    ask: { method: "GET", to: pipId, apiVersion },
    answer: { status: 200, headers: read, body: { values: { "properties.natGateway": { id: gatewayId } } } },
  },
  {
    when: "a NAT gateway is deleted",
    source: ofGateway,
    before: [aGroup, anAddress, aGateway],
    ask: { method: "DELETE", to: gatewayId, apiVersion: "2022-07-01" },
    answer: { status: 202, headers: deleting, body: "none" },
  },
  {
    when: "a NAT gateway is deleted that a subnet uses",
    source: "Azure-Samples/Copilot-Studio-with-Azure-AI-Search#62 (2025-05-08)",
    before: [aGroup, anAddress, aGateway, aNetwork, aSubnet, theSubnetThroughIt],
    ask: { method: "DELETE", to: gatewayId, apiVersion: "2022-07-01" },
    answer: { status: 400, body: { values: { "error.code": "CannotDeleteNatGatewayAssociatedToSubnet" } } },
  },
] as const satisfies readonly Exchange[];
