import type { JsonObject } from "../../../src/core/types.ts";
import { type Carried, cp, internal, network, node, nodes, subnets } from "./editCase.ts";

const subnet = "virtualNetworks/c1-vnet/subnets";
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

const rule: JsonObject = {
  name: "web",
  description: "Web",
  protocol: "Tcp",
  direction: "Inbound",
  priority: 300,
  source: "*",
  sourcePorts: "*",
  destination: "*",
  destinationPorts: "443",
};
const second: JsonObject = { ...rule, name: "second", priority: 310 };
const ruled = (...securityRules: readonly JsonObject[]): JsonObject =>
  nodes({ securityGroup: { name: "c1-node-nsg", securityRules } });
const ruleField = (name: string): string => `networkSpec.subnets[].securityGroup.securityRules[].${name}`;
const ruleWrite = (...paths: readonly string[]): readonly string[] => [
  `PUT networkSecurityGroups/c1-node-nsg: ${paths.map((path) => `properties.securityRules[${path}`).join(", ")}`,
];
/** Another value of one field of a rule, and back. */
const ruleEdit = (field: string, value: string | number, inAzure: string): Carried => ({
  title: `${field} of a security rule`,
  fields: [ruleField(field)],
  from: ruled(rule),
  steps: [
    [ruled({ ...rule, [field]: value }), ruleWrite(`web].properties.${inAzure}`)],
    [ruled(rule), ruleWrite(`web].properties.${inAzure}`)],
  ],
});

const storage = { service: "Microsoft.Storage", locations: ["eastus", "westus"] };
const vault = { service: "Microsoft.KeyVault", locations: ["*"] };
const served = (...serviceEndpoints: readonly JsonObject[]): JsonObject => nodes({ serviceEndpoints });
const endpointsWrite = [`PUT ${subnet}/node-subnet: properties.serviceEndpoints`];

const gateway = (part: JsonObject): JsonObject => nodes({ natGateway: { name: "c1-node-natgw-1", ...part } });
const gatewayField = (name: string): string => `networkSpec.subnets[].natGateway.${name}`;
const dnsName = (label: string): JsonObject =>
  gateway({ ip: { name: "pip-c1-node-natgw-1", dnsName: `${label}.eastus.cloudapp.azure.com` } });
const own = (number: number): JsonObject => ({
  name: `n${number}`,
  role: "node",
  cidrBlocks: [`10.${number + 10}.0.0/16`],
  natGateway: { name: `out-${number}`, ip: { name: `ip-${number}` } },
});
const more = { name: "more", role: "node" };

/** Edits of the virtual network, its subnets and peerings that are carried out. */
export const networkEdits: readonly Carried[] = [
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
  {
    title: "a subnet for nodes",
    fields: ["networkSpec.subnets[].name"],
    steps: [
      [
        subnets(cp, node, more),
        [
          "PUT publicIPAddresses/pip-c1-node-natgw-2 (new)",
          "PUT natGateways/c1-node-natgw-2 (new)",
          `PUT ${subnet}/more (new)`,
        ],
      ],
      [
        subnets(cp, node),
        [`DELETE ${subnet}/more`, "DELETE natGateways/c1-node-natgw-2", "DELETE publicIPAddresses/pip-c1-node-natgw-2"],
      ],
    ],
  },
  {
    title: "the order of subnets of different roles",
    fields: ["networkSpec.subnets[].name"],
    steps: [
      [subnets(node, cp), []],
      [subnets(cp, node), []],
    ],
  },
  {
    title: "the role of a subnet of which everything else is named",
    fields: ["networkSpec.subnets[].role"],
    from: subnets(cp, node, {
      name: "more",
      role: "node",
      cidrBlocks: ["10.2.0.0/16"],
      securityGroup: { name: "g" },
      routeTable: { name: "r" },
      natGateway: { name: "n", ip: { name: "i" } },
    }),
    steps: [
      [
        subnets(cp, node, {
          name: "more",
          role: "cluster",
          cidrBlocks: ["10.2.0.0/16"],
          securityGroup: { name: "g" },
          routeTable: { name: "r" },
          natGateway: { name: "n", ip: { name: "i" } },
        }),
        [],
      ],
    ],
  },
  {
    title: "address ranges of a subnet",
    fields: ["networkSpec.subnets[].cidrBlocks[]"],
    steps: [
      [nodes({ cidrBlocks: ["10.1.0.0/16"] }), []],
      [nodes({ cidrBlocks: ["10.3.0.0/16"] }), [`PUT ${subnet}/node-subnet: properties.addressPrefix`]],
      [
        nodes({ cidrBlocks: ["10.3.0.0/16", "10.4.0.0/16"] }),
        [`PUT ${subnet}/node-subnet: properties.addressPrefix, properties.addressPrefixes`],
      ],
      [nodes({ cidrBlocks: ["10.4.0.0/16", "10.3.0.0/16"] }), []],
    ],
  },
  {
    title: "ids, and tags that nobody reads",
    fields: [
      "networkSpec.subnets[].securityGroup.id",
      "networkSpec.subnets[].securityGroup.tags{}",
      "networkSpec.subnets[].routeTable.id",
      gatewayField("id"),
    ],
    steps: [
      [
        nodes({
          securityGroup: { name: "c1-node-nsg", id: "/x", tags: { a: "b" } },
          routeTable: { name: "c1-node-routetable", id: "/x" },
          natGateway: { name: "c1-node-natgw-1", id: "/x", ip: { name: "pip-c1-node-natgw-1" } },
        }),
        [],
      ],
      [nodes({}), []],
    ],
  },
  {
    title: "the id of a subnet beside the names that an earlier provider stored with it",
    fields: ["networkSpec.subnets[].id"],
    steps: [
      [nodes({ id: "/x", natGateway: { name: "c1-node-natgw-1", ip: { name: "pip-c1-node-natgw-1" } } }), []],
      [nodes({}), []],
    ],
  },
  {
    title: "security rules come, change places and names, and go",
    fields: [ruleField("name")],
    steps: [
      [ruled(rule), ruleWrite("web]")],
      [ruled(second, rule), ruleWrite("second]")],
      [ruled(rule, second), []],
      [ruled({ ...rule, name: "renamed" }, second), ruleWrite("renamed]", "web]")],
      [ruled(), ruleWrite("renamed]", "second]")],
    ],
  },
  ruleEdit("description", "Other", "description"),
  ruleEdit("protocol", "Udp", "protocol"),
  ruleEdit("direction", "Outbound", "direction"),
  ruleEdit("priority", 301, "priority"),
  ruleEdit("sourcePorts", "1000-2000", "sourcePortRange"),
  ruleEdit("destinationPorts", "80", "destinationPortRange"),
  ruleEdit("source", "10.0.0.0/8", "sourceAddressPrefix"),
  ruleEdit("destination", "10.1.0.0/16", "destinationAddressPrefix"),
  ruleEdit("action", "Deny", "access"),
  {
    title: "several sources of a security rule",
    fields: [ruleField("sources[]")],
    from: ruled(rule),
    steps: [
      [
        ruled({ ...rule, source: "", sources: ["10.0.0.0/8", "192.168.0.0/16"] }),
        ruleWrite("web].properties.sourceAddressPrefix", "web].properties.sourceAddressPrefixes"),
      ],
      [ruled({ ...rule, source: "", sources: ["192.168.0.0/16", "10.0.0.0/8"] }), []],
      [ruled({ ...rule, source: "", sources: ["10.0.0.0/8"] }), ruleWrite("web].properties.sourceAddressPrefixes")],
      [ruled(rule), ruleWrite("web].properties.sourceAddressPrefix", "web].properties.sourceAddressPrefixes")],
    ],
  },
  {
    title: "service endpoints",
    fields: ["networkSpec.subnets[].serviceEndpoints[].service"],
    steps: [
      [served(storage), endpointsWrite],
      [served(vault, storage), endpointsWrite],
      [served(storage, vault), []],
      [served(vault), endpointsWrite],
      [nodes({}), endpointsWrite],
    ],
  },
  {
    title: "places of a service endpoint",
    fields: ["networkSpec.subnets[].serviceEndpoints[].locations[]"],
    from: served(storage),
    steps: [
      [served({ ...storage, locations: ["westus", "eastus"] }), []],
      [served({ ...storage, locations: ["westus"] }), endpointsWrite],
    ],
  },
  {
    title: "the address of a NAT gateway",
    fields: [gatewayField("ip.name")],
    steps: [
      [gateway({ ip: { name: "pip-c1-node-natgw-1" } }), []],
      [
        gateway({ ip: { name: "other" } }),
        [
          "PUT publicIPAddresses/other (new)",
          "PUT natGateways/c1-node-natgw-1: properties.publicIpAddresses",
          "DELETE publicIPAddresses/pip-c1-node-natgw-1",
        ],
      ],
    ],
  },
  {
    title: "the order of subnets for nodes that name their gateways",
    fields: [gatewayField("name")],
    from: subnets(cp, own(1), own(2)),
    steps: [[subnets(own(2), own(1), cp), []]],
  },
  {
    title: "another route table, and a gateway, of the control plane's subnet",
    fields: ["networkSpec.subnets[].routeTable.name", gatewayField("name")],
    steps: [
      [
        subnets({ ...cp, routeTable: { name: "mine" } }, node),
        ["PUT routeTables/mine (new)", `PUT ${subnet}/control-plane-subnet: properties.routeTable.id`],
      ],
      [
        subnets({ ...cp, routeTable: { name: "mine" }, natGateway: { name: "c1-node-natgw-1" } }, node),
        [`PUT ${subnet}/control-plane-subnet: properties.natGateway`],
      ],
    ],
  },
  {
    title: "the DNS name of a NAT gateway's address",
    fields: [gatewayField("ip.dnsName")],
    steps: [
      [dnsName("out"), ["PUT publicIPAddresses/pip-c1-node-natgw-1: properties.dnsSettings"]],
      [
        dnsName("away"),
        [
          "PUT publicIPAddresses/pip-c1-node-natgw-1: properties.dnsSettings.domainNameLabel, properties.dnsSettings.fqdn",
        ],
      ],
      [nodes({}), ["PUT publicIPAddresses/pip-c1-node-natgw-1: properties.dnsSettings"]],
    ],
  },
];
