import type { JsonObject } from "../../../src/core/types.ts";
import { bodyOf, group, key, resources, seed, subscription } from "../../support/defaultCluster.ts";
import { denyRule } from "../../support/denyRule.ts";
import { applyDefaultCluster, conditionsOf, createWorld, type World } from "../../support/world.ts";

/** A network of somebody else, and a cluster that is told to live in it. */

export const hour = 60 * 60_000;
export const netGroup = `${subscription}/resourceGroups/net-rg`;
export const network = `${netGroup}/providers/Microsoft.Network`;
export const vnet = `${network}/virtualNetworks/shared`;
export const nsg = `${network}/networkSecurityGroups/theirs`;
export const routes = `${network}/routeTables/theirs`;
export const gateway = `${network}/natGateways/theirs`;
export const hub = `${network}/virtualNetworks/hub`;

const subnet = (name: string, prefix: string): JsonObject => ({
  id: `${vnet}/subnets/${name}`,
  properties: {
    addressPrefix: prefix,
    networkSecurityGroup: { id: nsg },
    routeTable: { id: routes },
    natGateway: { id: gateway },
    delegations: [{ name: "d", properties: { serviceName: "Microsoft.Web/serverFarms" } }],
  },
});

/** A network as its owners have it, with all that may be in one. */
export const theirs = (...subnets: readonly JsonObject[]): readonly JsonObject[] => [
  { id: netGroup, location: "eastus", tags: { team: "net" } },
  {
    id: nsg,
    location: "eastus",
    tags: { team: "net" },
    properties: {
      securityRules: [
        {
          name: "theirs",
          properties: denyRule(2200),
        },
      ],
    },
  },
  {
    id: routes,
    location: "eastus",
    tags: { team: "net" },
    properties: { routes: [{ name: "out", properties: { addressPrefix: "0.0.0.0/0", nextHopType: "Internet" } }] },
  },
  { id: gateway, location: "eastus", tags: { team: "net" }, sku: { name: "Standard" }, properties: {} },
  { id: hub, location: "eastus", properties: { addressSpace: { addressPrefixes: ["172.20.0.0/16"] } } },
  {
    id: vnet,
    location: "eastus",
    tags: { team: "net", costCentre: "7" },
    properties: { addressSpace: { addressPrefixes: ["172.16.0.0/16"] }, dhcpOptions: { dnsServers: ["172.16.0.4"] } },
  },
  ...subnets,
  { id: `${vnet}/virtualNetworkPeerings/to-hub`, properties: { remoteVirtualNetwork: { id: hub } } },
];
export const controlPlane = subnet("cp", "172.16.1.0/24");
export const nodes = subnet("nodes", "172.16.2.0/24");
export const other = subnet("other", "172.16.9.0/24");

export const spec = (nodesSpec: JsonObject = {}): JsonObject => ({
  vnet: { name: "shared", resourceGroup: "net-rg", cidrBlocks: ["172.16.0.0/16"] },
  subnets: [
    { name: "cp", role: "control-plane", cidrBlocks: ["172.16.1.0/24"] },
    { name: "nodes", role: "node", cidrBlocks: ["172.16.2.0/24"], ...nodesSpec },
  ],
});
export const setNetwork = (world: World, networkSpec: JsonObject): void =>
  void world.objects.edit(key, (object) => ({ ...object, spec: { ...object.spec, networkSpec } }));
export const settled = async (networkSpec: JsonObject, ...before: readonly JsonObject[]): Promise<World> => {
  const world = createWorld();
  seed(world, ...before);
  applyDefaultCluster(world);
  setNetwork(world, networkSpec);
  await world.run(hour);
  return world;
};
export const said = (world: World, type: string) => conditionsOf(world.objects.find(key))[type];
export const typed = (world: World): readonly string[] =>
  world.writes().map(({ method, path }) => `${method} ${path.slice(subscription.length)}`);
/** Everything outside the cluster's group, whole. */
export const abroad = (world: World): JsonObject =>
  Object.fromEntries(
    resources(world)
      .filter((id) => !id.startsWith(group.toLowerCase()))
      .map((id) => [id, structuredClone(bodyOf(world, id))]),
  );
export const subnetOf = (world: World, name: string): JsonObject | undefined => {
  const list = (bodyOf(world, vnet)["properties"] as JsonObject)["subnets"] as readonly JsonObject[];
  return list.find((one) => one["name"] === name)?.["properties"] as JsonObject | undefined;
};
