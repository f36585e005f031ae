import { defineService } from "../core/service.ts";
import type { VirtualNetworkBody } from "../wire/generated/network.ts";
import { ids } from "./ids.ts";
import { marked } from "./parts/choice.ts";
import type { ClusterScope } from "./scope.ts";
import { ownedTags } from "./tags.ts";

/** The virtual network. Subnets and peerings are services of their own and are never sent with it. */
export const virtualNetworks = defineService<ClusterScope, VirtualNetworkBody>({
  name: "virtualNetworks",
  label: "virtualnetworks",
  type: "Microsoft.Network/virtualNetworks",
  condition: "VNetReady",
  after: ["resourceGroups"],
  ownership: "tag",
  remove: "withGroup",
  rules: {
    writes: "overlay",
    // Left out, Azure keeps them; a list would delete what it lacks (api-version 2023-11-01 and later).
    omit: ["properties.subnets", "properties.virtualNetworkPeerings"],
    oneOf: [["properties.addressSpace.addressPrefixes", "properties.addressSpace.ipamPoolPrefixAllocations"]],
    sets: ["properties.addressSpace.addressPrefixes"],
    compare: { "properties.addressSpace.addressPrefixes": "address" },
    immutable: ["location", "extendedLocation.name", "extendedLocation.type"],
    tells: ["location", "properties.addressSpace"],
    absentMeans: {
      "properties.enableDdosProtection": false,
      "properties.enableVmProtection": false,
      "properties.privateEndpointVNetPolicies": "Disabled",
    },
  },
  desired: (scope) => [
    {
      id: ids.virtualNetwork(scope),
      body: {
        location: scope.location,
        extendedLocation: scope.extendedLocation,
        tags: ownedTags(scope, { role: "common", name: scope.vnet.name }),
        properties: { addressSpace: { addressPrefixes: marked(scope.vnet.cidrBlocks) } },
      },
    },
  ],
});
