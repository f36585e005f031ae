import type { JsonObject } from "../../../src/core/types.ts";
import { type Carried, cp, node, nodes, subnets } from "./editCase.ts";

const subnet = "virtualNetworks/c1-vnet/subnets";
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

/** Edits of subnets and their gateways that are carried out. */
export const subnetEdits: readonly Carried[] = [
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
