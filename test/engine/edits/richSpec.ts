import type { JsonObject } from "../../../src/core/types.ts";
import { cp, node } from "./editCase.ts";

const target =
  "/subscriptions/00000000-0000-4000-8000-000000000001/resourceGroups/hub-rg/providers/Microsoft.Storage/storageAccounts/logs";

/** A private cluster that has something of every service but IPv6 names. */
export const rich: JsonObject = {
  bastionSpec: { azureBastion: {} },
  networkSpec: {
    apiServerLB: { type: "Internal" },
    nodeOutboundLB: {},
    controlPlaneOutboundLB: {},
    vnet: { peerings: [{ remoteVnetName: "hub", resourceGroup: "hub-rg" }] },
    subnets: [
      cp,
      {
        ...node,
        privateEndpoints: [
          { name: "pe", privateLinkServiceConnections: [{ name: "conn", privateLinkServiceID: target }] },
        ],
      },
    ],
  },
};

/** A private cluster whose API server has an IPv6 address. */
export const richWithIPv6: JsonObject = {
  networkSpec: {
    vnet: { cidrBlocks: ["10.0.0.0/8", "fd00::/48"] },
    subnets: [
      { ...cp, cidrBlocks: ["10.0.0.0/16", "fd00::/64"] },
      { ...node, cidrBlocks: ["10.1.0.0/16"] },
    ],
    apiServerLB: { type: "Internal", frontendIPs: [{ name: "api", privateIP: "fd00::100" }] },
  },
};
