import type { JsonObject } from "../../../src/core/types.ts";
import { type Carried, internal, network } from "./editCase.ts";

const vnet = (part: JsonObject): JsonObject => network({ vnet: part });
const vnetField = (name: string): string => `networkSpec.vnet.${name}`;
const ranges = "PUT virtualNetworks/c1-vnet: properties.addressSpace.addressPrefixes";

const hub = { remoteVnetName: "hub", resourceGroup: "hub-rg" };
const hub2 = { remoteVnetName: "hub2", resourceGroup: "hub-rg" };
const peered = (...peerings: readonly JsonObject[]): JsonObject => vnet({ peerings });
const there = "virtualNetworks/c1-vnet/virtualNetworkPeerings/c1-vnet-To-hub";
const back = "hub-rg: virtualNetworks/hub/virtualNetworkPeerings/hub-To-c1-vnet";
const link = "privateDnsZones/c1.capz.io/virtualNetworkLinks/hub-link";

const flag = (side: "forward" | "reverse", name: string, to: boolean): Carried => {
  const part = `${side}PeeringProperties`;
  const write = [`PUT ${side === "forward" ? there : back}: properties.${name}`];
  return {
    title: `${name} of the ${side} peering`,
    fields: [vnetField(`peerings[].${part}.${name}`)],
    from: peered(hub),
    steps: [
      [peered({ ...hub, [part]: { [name]: to } }), write],
      [peered({ ...hub, [part]: { [name]: !to } }), write],
    ],
  };
};

/** Edits of the virtual network and its peerings that are carried out. */
export const vnetEdits: readonly Carried[] = [
  {
    title: "address ranges of the network",
    fields: [vnetField("cidrBlocks[]")],
    steps: [
      [vnet({ cidrBlocks: ["10.0.0.0/8"] }), []],
      [vnet({ cidrBlocks: ["10.0.0.0/8", "172.16.0.0/16"] }), [ranges]],
      [vnet({ cidrBlocks: ["172.16.0.0/16", "10.0.0.0/8"] }), []],
      [vnet({ cidrBlocks: ["10.0.0.0/8", "172.17.0.0/16"] }), [ranges]],
      [vnet({ cidrBlocks: null }), [ranges]],
    ],
  },
  {
    title: "what others observed of the network",
    fields: [vnetField("id"), vnetField("tags{}")],
    steps: [
      [vnet({ id: "/subscriptions/x", tags: { team: "blue" } }), []],
      [vnet({ id: "", tags: { team: "red" } }), []],
      [vnet({ id: null, tags: null }), []],
    ],
  },
  {
    title: "the group of the network, written down",
    fields: [vnetField("resourceGroup")],
    steps: [
      [vnet({ resourceGroup: "c1" }), []],
      [vnet({ resourceGroup: null }), []],
    ],
  },
  {
    title: "a peering",
    fields: [vnetField("peerings[].remoteVnetName"), vnetField("peerings[].resourceGroup")],
    steps: [
      [peered(hub), [`PUT ${there} (new)`, `PUT ${back} (new)`]],
      [
        peered(hub2, hub),
        [
          "PUT virtualNetworks/c1-vnet/virtualNetworkPeerings/c1-vnet-To-hub2 (new)",
          "PUT hub-rg: virtualNetworks/hub2/virtualNetworkPeerings/hub2-To-c1-vnet (new)",
        ],
      ],
      [peered(hub, hub2), []],
      [
        peered(hub),
        [
          "DELETE virtualNetworks/c1-vnet/virtualNetworkPeerings/c1-vnet-To-hub2",
          "DELETE hub-rg: virtualNetworks/hub2/virtualNetworkPeerings/hub2-To-c1-vnet",
        ],
      ],
      [vnet({ peerings: null }), [`DELETE ${there}`, `DELETE ${back}`]],
    ],
  },
  {
    title: "a peering of a private cluster",
    fields: [vnetField("peerings[].remoteVnetName")],
    from: internal,
    steps: [
      [peered(hub), [`PUT ${there} (new)`, `PUT ${back} (new)`, `PUT ${link} (new)`]],
      [peered(), [`DELETE ${there}`, `DELETE ${back}`, `DELETE ${link}`]],
    ],
  },
  ...(["forward", "reverse"] as const).flatMap((side) => [
    flag(side, "allowForwardedTraffic", true),
    flag(side, "allowGatewayTransit", true),
    flag(side, "allowVirtualNetworkAccess", false),
    flag(side, "useRemoteGateways", true),
  ]),
];
