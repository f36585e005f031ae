import { lbId, pipId } from "../aWorld.ts";
import type { Exchange, Step } from "./exchange.ts";
import { anAddress } from "./publicAddresses.ts";
import { aGroup } from "./resourceGroups.ts";

const source = "Test_Networking_LoadBalancer_CRUD.yaml, 2020-11-01";
const apiVersion = "2020-11-01";
const frontId = `${lbId}/frontendIPConfigurations/front`;
const body = {
  location: "westus2",
  sku: { name: "Standard" },
  properties: {
    frontendIPConfigurations: [{ name: "front", properties: { publicIPAddress: { id: pipId } } }],
    inboundNatPools: [
      {
        name: "doors",
        properties: {
          protocol: "Tcp",
          backendPort: 22,
          frontendPortRangeStart: 50_000,
          frontendPortRangeEnd: 51_000,
          frontendIPConfiguration: { id: frontId },
        },
      },
    ],
  },
};
const aBalancer: Step = { method: "PUT", to: lbId, body, apiVersion };
const poolId = `${lbId}/inboundNatPools/doors`;
const whole = {
  "properties.provisioningState": "Succeeded",
  "properties.frontendIPConfigurations.0.id": frontId,
  "properties.frontendIPConfigurations.0.type": "Microsoft.Network/loadBalancers/frontendIPConfigurations",
  "properties.frontendIPConfigurations.0.properties.provisioningState": "Succeeded",
  "properties.frontendIPConfigurations.0.properties.privateIPAllocationMethod": "Dynamic",
  "properties.frontendIPConfigurations.0.properties.inboundNatPools": [{ id: poolId }],
  "properties.backendAddressPools": [],
  "properties.loadBalancingRules": [],
  "properties.probes": [],
  "properties.inboundNatRules": [],
  "properties.outboundRules": [],
  "properties.inboundNatPools.0.id": poolId,
  "properties.inboundNatPools.0.properties.idleTimeoutInMinutes": 4,
  "properties.inboundNatPools.0.properties.enableFloatingIP": false,
  "properties.inboundNatPools.0.properties.enableTcpReset": false,
  "properties.inboundNatPools.0.properties.allowBackendPortConflict": false,
  "properties.inboundNatPools.0.properties.enableDestinationServiceEndpoint": false,
  sku: { name: "Standard", tier: "Regional" },
};

export const frontends = [
  {
    when: "a load balancer is created",
    source,
    before: [aGroup, anAddress],
    ask: { method: "PUT", to: lbId, body, apiVersion },
    answer: {
      status: 201,
      headers: { "azure-asyncoperation": "operation", "azure-asyncnotification": "Enabled" },
      body: {
        values: whole,
        shows: ["properties.resourceGuid", "properties.frontendIPConfigurations.0.etag"],
        omits: ["properties.frontendIPConfigurations.0.properties.loadBalancingRules", "tags"],
      },
    },
  },
  {
    when: "the creation of a load balancer is polled after its end",
    source,
    before: [aGroup, anAddress, aBalancer],
    ask: { method: "GET", to: { named: "azure-asyncoperation" } },
    answer: { status: 200, body: { only: ["status"], values: { status: "Succeeded" } } },
  },
  {
    when: "a load balancer is read after its creation",
    source,
    before: [aGroup, anAddress, aBalancer],
    ask: { method: "GET", to: lbId, apiVersion },
    answer: { status: 200, headers: { etag: "weak etag" }, body: { values: whole, etag: "kept" } },
  },
  {
    when: "a load balancer is deleted",
    source,
    before: [aGroup, anAddress, aBalancer],
    ask: { method: "DELETE", to: lbId, apiVersion },
    answer: {
      status: 202,
      headers: {
        "azure-asyncoperation": "operation",
        "azure-asyncnotification": "Enabled",
        location: "operation result",
        "retry-after": 10,
      },
      body: "none",
    },
  },
  {
    when: "a load balancer is read after its deletion",
    source,
    before: [aGroup, anAddress, aBalancer, { method: "DELETE", to: lbId, apiVersion }],
    afterSeconds: 120,
    ask: { method: "GET", to: lbId, apiVersion },
    answer: {
      status: 404,
      headers: { "x-ms-failure-cause": "gateway" },
      body: { values: { "error.code": "ResourceNotFound" } },
    },
  },
] as const satisfies readonly Exchange[];
