import { wishedService } from "./wishedService.ts";

const rule = (field: string): string => `properties.securityRules[].properties.${field}`;

/** Written by overlay: lists of keyed items with alternatives, exclusive fields and addresses. */
export const testSecurityGroups = wishedService({
  name: "testSecurityGroups",
  type: "Microsoft.Network/networkSecurityGroups",
  rules: {
    writes: "overlay",
    immutable: ["location"],
    oneOf: [
      [rule("sourceAddressPrefix"), rule("sourceAddressPrefixes"), rule("sourceApplicationSecurityGroups")],
      [
        rule("destinationAddressPrefix"),
        rule("destinationAddressPrefixes"),
        rule("destinationApplicationSecurityGroups"),
      ],
      [rule("sourcePortRange"), rule("sourcePortRanges")],
      [rule("destinationPortRange"), rule("destinationPortRanges")],
    ],
    sets: [
      rule("sourceAddressPrefixes"),
      rule("destinationAddressPrefixes"),
      rule("sourcePortRanges"),
      rule("destinationPortRanges"),
    ],
    compare: {
      [rule("protocol")]: "ignoreCase",
      [rule("access")]: "ignoreCase",
      [rule("direction")]: "ignoreCase",
    },
    absentMeans: { "properties.flushConnection": false, [rule("description")]: "" },
    exclusive: { "properties.securityRules[]": ["properties.priority", "properties.direction"] },
  },
});

/** Written by overlay: what is never sent back, alternatives at the top, sets of prefixes. */
export const testNetworks = wishedService({
  name: "testNetworks",
  type: "Microsoft.Network/virtualNetworks",
  rules: {
    writes: "overlay",
    omit: ["properties.subnets", "properties.virtualNetworkPeerings"],
    oneOf: [["properties.addressSpace.addressPrefixes", "properties.addressSpace.ipamPoolPrefixAllocations"]],
    sets: ["properties.addressSpace.addressPrefixes", "properties.dhcpOptions.dnsServers"],
    compare: { "properties.dhcpOptions.dnsServers": "address" },
    immutable: ["location"],
    yields: ["properties.flowTimeoutInMinutes"],
    absentMeans: {
      "properties.enableDdosProtection": false,
      "properties.enableVmProtection": false,
      "properties.privateEndpointVNetPolicies": "Disabled",
    },
  },
});
