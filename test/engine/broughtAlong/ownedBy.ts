import type { JsonObject } from "../../../src/core/types.ts";
import { group, ownerTag, subscription } from "../../support/defaultCluster.ts";
import { denyRule } from "../../support/denyRule.ts";

/** Who has a thing before the cluster is there: nobody (it does not exist), somebody else, or the cluster by its tag. */
export type Owner = "nobody" | "theirs" | "ours";

/** One world in which a cluster is told to live in a network named `shared`. */
export interface Ground {
  readonly group: Owner;
  /** Of the network's own group; undefined: it is in that of the cluster. */
  readonly netGroup: Owner | undefined;
  readonly vnet: Owner;
  readonly subnets: "none" | "one" | "both";
  /** Of what has the name that the cluster would give to its own. */
  readonly named: Owner;
}

const owners: readonly Owner[] = ["nobody", "theirs", "ours"];
const places: readonly (Owner | undefined)[] = [undefined, ...owners];

/** The group in which the network is. */
export const homeOf = ({ netGroup }: Ground): string =>
  netGroup === undefined ? group : `${subscription}/resourceGroups/net-rg`;
export const vnetOf = (ground: Ground): string =>
  `${homeOf(ground)}/providers/Microsoft.Network/virtualNetworks/shared`;

/** What lives in something exists only when that does. */
const isPossible = (ground: Ground): boolean => {
  const home = ground.netGroup ?? ground.group;
  if (ground.vnet === "nobody" ? ground.subnets !== "none" : home === "nobody") return false;
  return ground.named === "nobody" || home !== "nobody" || ground.group !== "nobody";
};

/** All worlds there are. */
export const grounds: readonly Ground[] = owners
  .flatMap((inGroup) => places.map((netGroup) => ({ group: inGroup, netGroup })))
  .flatMap((base) => owners.map((vnet) => ({ ...base, vnet })))
  .flatMap((base) => (["none", "one", "both"] as const).map((subnets) => ({ ...base, subnets })))
  .flatMap((base) => owners.map((named) => ({ ...base, named })))
  .filter(isPossible);

export const inWords = ({ group: inGroup, netGroup, vnet, subnets, named }: Ground): string =>
  `group: ${inGroup}, group of the network: ${netGroup ?? "the same"}, network: ${vnet}, subnets: ${subnets}, names: ${named}`;

const tagsOf = (owner: Owner): JsonObject => ({ team: "net", ...(owner === "ours" && { [ownerTag]: "owned" }) });
const at = (id: string, owner: Owner, more: JsonObject = {}): readonly JsonObject[] =>
  owner === "nobody" ? [] : [{ id, location: "eastus", tags: tagsOf(owner), ...more }];

/** Ids of what has the names that the cluster would give. */
export const namedOf = (ground: Ground): readonly string[] => {
  const [home, own] = [homeOf(ground), group].map((one) => `${one}/providers/Microsoft.Network`);
  return [
    `${home}/networkSecurityGroups/c1-node-nsg`,
    `${home}/routeTables/c1-node-routetable`,
    `${own}/publicIPAddresses/pip-c1-node-natgw-1`,
    `${own}/natGateways/c1-node-natgw-1`,
  ];
};

const bodies: Readonly<Record<string, JsonObject>> = {
  networkSecurityGroups: {
    properties: {
      securityRules: [
        {
          name: "theirs",
          properties: denyRule(300),
        },
      ],
    },
  },
  routeTables: {
    properties: { routes: [{ name: "out", properties: { addressPrefix: "0.0.0.0/0", nextHopType: "Internet" } }] },
  },
  publicIPAddresses: { sku: { name: "Standard" }, properties: { publicIPAllocationMethod: "Static" } },
  natGateways: { sku: { name: "Standard" }, properties: {} },
};

const subnetsOf = (ground: Ground): readonly JsonObject[] => {
  const all = [
    { id: `${vnetOf(ground)}/subnets/cp`, properties: { addressPrefix: "172.16.1.0/24" } },
    {
      id: `${vnetOf(ground)}/subnets/nodes`,
      properties: {
        addressPrefix: "172.16.2.0/24",
        delegations: [{ name: "d", properties: { serviceName: "Microsoft.Web/serverFarms" } }],
      },
    },
  ];
  return ground.subnets === "none" ? [] : all.slice(0, ground.subnets === "one" ? 1 : 2);
};

/** Everything that is there before the cluster. */
export const seedsOf = (ground: Ground): readonly JsonObject[] => {
  const groups = [
    ...at(group, ground.group),
    ...(ground.netGroup === undefined ? [] : at(homeOf(ground), ground.netGroup)),
  ];
  const standing = new Set(groups.map(({ id }) => id));
  return [
    ...groups,
    ...namedOf(ground)
      .filter((id) => standing.has(id.split("/providers/")[0] ?? ""))
      .flatMap((id) => at(id, ground.named, bodies[id.split("/").at(-2) ?? ""])),
    ...at(vnetOf(ground), ground.vnet, {
      properties: { addressSpace: { addressPrefixes: ["172.16.0.0/16"] }, dhcpOptions: { dnsServers: ["172.16.0.4"] } },
    }),
    ...subnetsOf(ground),
  ];
};

/** What the spec of a cluster says of that network. */
export const specOf = ({ netGroup }: Ground, nodes: JsonObject = {}): JsonObject => ({
  vnet: {
    name: "shared",
    cidrBlocks: ["172.16.0.0/16"],
    ...(netGroup !== undefined && { resourceGroup: "net-rg" }),
  },
  subnets: [
    { name: "cp", role: "control-plane", cidrBlocks: ["172.16.1.0/24"] },
    { name: "nodes", role: "node", cidrBlocks: ["172.16.2.0/24"], ...nodes },
  ],
});
