import { expect } from "vitest";
import type { Json, JsonObject } from "../../src/core/types.ts";
import { removeResource } from "../../src/sim/arm/otherWriter.ts";
import { isJsonObject } from "../../src/wire/json.ts";
import { group, key, seed, subscription } from "./defaultCluster.ts";
import { finalizersOn, first } from "./identity/heldIdentities.ts";
import { applyDefaultCluster, conditionsOf, createWorld, type World } from "./world.ts";

/** A cluster that has every service at once, in three groups, beside what others have in Azure. */

const networkIn = (resourceGroup: string): string => `${resourceGroup}/providers/Microsoft.Network`;

export const groups = {
  cluster: group,
  network: `${subscription}/resourceGroups/net-rg`,
  dns: `${subscription}/resourceGroups/dns-rg`,
  hub: `${subscription}/resourceGroups/hub-rg`,
};
const vnet = `${networkIn(groups.network)}/virtualNetworks/c1-vnet`;
const hub = `${networkIn(groups.hub)}/virtualNetworks/hub`;
const zone = `${networkIn(groups.dns)}/privateDnsZones/corp.internal`;

/** Ids of the parts that tests do something to. */
export const parts = {
  vnet,
  hub,
  zone,
  zoneLink: `${zone}/virtualNetworkLinks/c1-vnet-link`,
  record: `${zone}/A/apiserver`,
  reversePeering: `${hub}/virtualNetworkPeerings/hub-To-c1-vnet`,
  peering: `${vnet}/virtualNetworkPeerings/c1-vnet-To-hub`,
  controlPlaneSubnet: `${vnet}/subnets/cp`,
  nodeSubnet: `${vnet}/subnets/n1`,
  nodeNsg: `${networkIn(groups.network)}/networkSecurityGroups/nsg-n1`,
  routeTable: `${networkIn(groups.network)}/routeTables/c1-node-routetable`,
  gateway: `${networkIn(groups.cluster)}/natGateways/nat-n1`,
  gatewayAddress: `${networkIn(groups.cluster)}/publicIPAddresses/pip-nat-n1`,
  balancer: `${networkIn(groups.cluster)}/loadBalancers/c1-internal-lb`,
  outbound: `${networkIn(groups.cluster)}/loadBalancers/c1`,
  endpoint: `${networkIn(groups.cluster)}/privateEndpoints/pe-n1`,
  bastion: `${networkIn(groups.cluster)}/bastionHosts/c1-azure-bastion`,
} as const;

const storage = `${groups.hub}/providers/Microsoft.Storage/storageAccounts/logs`;

const spec: JsonObject = {
  resourceGroup: "c1",
  bastionSpec: { azureBastion: {} },
  networkSpec: {
    vnet: {
      name: "c1-vnet",
      resourceGroup: "net-rg",
      peerings: [{ remoteVnetName: "hub", resourceGroup: "hub-rg" }],
    },
    apiServerLB: { type: "Internal" },
    nodeOutboundLB: { frontendIPsCount: 2 },
    controlPlaneOutboundLB: {},
    privateDNSZoneName: "corp.internal",
    privateDNSZoneResourceGroup: "dns-rg",
    subnets: [
      { name: "cp", role: "control-plane", cidrBlocks: ["10.0.0.0/16"] },
      {
        name: "n1",
        role: "node",
        cidrBlocks: ["10.1.0.0/16"],
        natGateway: { name: "nat-n1" },
        securityGroup: { name: "nsg-n1" },
        privateEndpoints: [
          { name: "pe-n1", privateLinkServiceConnections: [{ privateLinkServiceID: storage, groupIDs: ["blob"] }] },
        ],
      },
      { name: "n2", role: "node", cidrBlocks: ["10.2.0.0/16"], natGateway: { name: "nat-n2" } },
    ],
  },
};

const surroundings: readonly JsonObject[] = [
  { id: groups.hub, location: "eastus", tags: { team: "net" } },
  { id: groups.dns, location: "eastus", tags: { team: "dns" } },
  { id: storage, location: "eastus", kind: "StorageV2", sku: { name: "Standard_LRS" }, properties: {} },
  {
    id: hub,
    location: "eastus",
    tags: { team: "net" },
    properties: { addressSpace: { addressPrefixes: ["172.16.0.0/16"] } },
  },
];

/** What others may have made before the cluster, beside its surroundings. */
const broughtAlong = {
  clusterGroup: { id: groups.cluster, location: "eastus", tags: { team: "x" } },
  networkGroup: { id: groups.network, location: "eastus", tags: { team: "net" } },
  zone: { id: zone, location: "global", tags: { team: "dns" }, properties: {} },
};
export type BroughtAlong = keyof typeof broughtAlong;

/** Azure gives it anew with each write to a parent or a neighbour. */
const isVolatile = (name: string): boolean => name === "etag";
const lasting = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(lasting);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([name]) => !isVolatile(name));
  return Object.fromEntries(entries.map(([name, child]) => [name, lasting(child)]));
};

/** All of Azure by id, byte for byte but for etags. */
export const wholeAzure = ({ arm }: World): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    [...arm.resources]
      .map(([id, { body }]): readonly [string, Json] => [id, structuredClone(lasting(body as Json))])
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );

/** A world, and what was in its Azure before the cluster. */
export interface Rich {
  readonly world: World;
  readonly before: ReturnType<typeof wholeAzure>;
}

/** The cluster is applied; nothing has run. */
export const richCluster = (
  theirs: readonly BroughtAlong[] = [],
  options: Parameters<typeof createWorld>[0] = {},
): Rich => {
  const world = createWorld(options);
  seed(world, ...surroundings, ...theirs.map((name) => broughtAlong[name]));
  const before = wholeAzure(world);
  applyDefaultCluster(world);
  world.objects.edit(key, (object) => {
    const { identityRef, location, subscriptionID } = object.spec;
    // The one cast: whatever is read from an object is JSON.
    return { ...object, spec: { ...spec, identityRef, location, subscriptionID } as JsonObject };
  });
  return { world, before };
};

const hour = 3_600_000;

/** The cluster stands. */
export const standing = async (
  theirs: readonly BroughtAlong[] = [],
  options: Parameters<typeof createWorld>[0] = {},
): Promise<Rich> => {
  const rich = richCluster(theirs, options);
  await rich.world.run(hour);
  expectStanding(rich.world);
  return rich;
};

export const expectStanding = (world: World): void => {
  const conditions = Object.entries(conditionsOf(world.objects.find(key)));
  expect(conditions.filter(([, { status }]) => status !== "True")).toEqual([]);
  expect(conditions.map(([type]) => type)).toContain("Ready");
};

/** Somebody takes a resource away by hand. */
export const takeAway = (world: World, id: string): void => {
  expect(removeResource(world.arm, id, world.clock.nowMs()), id).toBe(true);
};

const except = (azure: Rich["before"], ids: readonly string[]): Rich["before"] => {
  const kept = new Set(ids.map((id) => id.toLowerCase()));
  return Object.fromEntries(Object.entries(azure).filter(([id]) => !kept.has(id)));
};

/** The end: nothing of the cluster is left, all that others have is as it was, and nothing is written any more. */
export const expectGone = async ({ world, before }: Rich, kept: readonly string[] = []): Promise<void> => {
  expect(world.objects.find(key)).toBeUndefined();
  const after = wholeAzure(world);
  expect(except(after, kept)).toEqual(except(before, kept));
  for (const id of kept) expect(Object.keys(after)).toContain(id.toLowerCase());
  expect([...world.tables.rows("state"), ...world.tables.rows("index")]).toEqual([]);
  expect(finalizersOn(world, first) ?? []).toEqual([]);
  const writes = world.writes().length;
  await world.run(48 * hour);
  expect(world.writes().length).toBe(writes);
};

/** Ids in the order in which their DELETE was taken. */
export const deletesOf = (world: World): readonly string[] =>
  world.writes().flatMap(({ method, path, status }) => (method === "DELETE" && status < 400 ? [path] : []));

/** Everything of the cluster in Azure, beside what was there before. */
export const madeBeside = ({ world, before }: Rich): readonly string[] =>
  Object.keys(wholeAzure(world)).filter((id) => !Object.hasOwn(before, id));
