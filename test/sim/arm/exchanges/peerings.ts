import { network, vnetId } from "../aWorld.ts";
import type { Exchange, Step } from "./exchange.ts";
import { aNetwork } from "./networks.ts";
import { aGroup } from "./resourceGroups.ts";

const source = "Test_Networking_VirtualNetworkPeering_CRUD.yaml, 2020-11-01";
const apiVersion = "2020-11-01";
const otherId = `${network}/virtualNetworks/other`;
const peeringId = `${vnetId}/virtualNetworkPeerings/there`;
const body = { properties: { remoteVirtualNetwork: { id: otherId } } };

const anotherNetwork: Step = {
  method: "PUT",
  to: otherId,
  apiVersion,
  body: { location: "westus2", properties: { addressSpace: { addressPrefixes: ["192.168.0.0/16"] } } },
};
const aPeering: Step = { method: "PUT", to: peeringId, body, apiVersion };
const two = [aGroup, aNetwork, anotherNetwork] as const;

export const peerings = [
  {
    when: "a network is peered with one that does not point back",
    source,
    before: two,
    ask: { method: "PUT", to: peeringId, body, apiVersion },
    answer: {
      status: 201,
      headers: { "azure-asyncoperation": "operation", "retry-after": 10 },
      body: {
        values: {
          type: "Microsoft.Network/virtualNetworks/virtualNetworkPeerings",
          "properties.provisioningState": "Updating",
          "properties.peeringState": "Initiated",
          "properties.allowVirtualNetworkAccess": true,
          "properties.allowForwardedTraffic": false,
          "properties.allowGatewayTransit": false,
          "properties.useRemoteGateways": false,
          "properties.doNotVerifyRemoteGateways": false,
          "properties.remoteAddressSpace": { addressPrefixes: ["192.168.0.0/16"] },
          "properties.routeServiceVips": {},
        },
        shows: ["etag", "properties.resourceGuid"],
      },
    },
  },
  {
    when: "a peering is read after its creation, nothing pointing back",
    source,
    before: [...two, aPeering],
    ask: { method: "GET", to: peeringId, apiVersion },
    answer: {
      status: 200,
      headers: { etag: "weak etag" },
      body: {
        values: { "properties.provisioningState": "Succeeded", "properties.peeringState": "Initiated" },
        etag: "renewed",
      },
    },
  },
  {
    when: "a peering is deleted",
    source,
    before: [...two, aPeering],
    ask: { method: "DELETE", to: peeringId, apiVersion },
    answer: {
      status: 202,
      headers: { "azure-asyncoperation": "operation", location: "operation result", "retry-after": 10 },
      body: "none",
    },
  },
  {
    when: "a peering is read after its deletion",
    source,
    before: [...two, aPeering, { method: "DELETE", to: peeringId, apiVersion }],
    ask: { method: "GET", to: peeringId, apiVersion },
    answer: { status: 404, body: { values: { "error.code": "NotFound", "error.details": [] } } },
  },
] as const satisfies readonly Exchange[];
