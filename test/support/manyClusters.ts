import type { JsonObject } from "../../src/core/types.ts";
import { key, seed, subscription } from "./defaultCluster.ts";
import { applyDefaultCluster, conditionsOf, type World } from "./world.ts";

/** The network of somebody else that they all live in. */
export const sharedNetwork = `${subscription}/resourceGroups/shared/providers/Microsoft.Network/virtualNetworks/shared`;

/** Somebody else's network, with subnets of these names. */
export const seedSharedNetwork = (world: World, subnets: readonly string[] = []): void =>
  seed(
    world,
    { id: `${subscription}/resourceGroups/shared`, location: "eastus" },
    { id: sharedNetwork, location: "eastus", properties: { addressSpace: { addressPrefixes: ["10.0.0.0/8"] } } },
    ...subnets.map((name, n) => ({
      id: `${sharedNetwork}/subnets/${name}`,
      properties: { addressPrefix: `10.255.${n}.0/24` },
    })),
  );

type Subnets = readonly JsonObject[];

/** So many clusters in that network, with these subnets each; answers their names. */
export const applyManyClusters = (
  world: World,
  count: number,
  subnetsOf: (n: number) => Subnets,
): readonly string[] => {
  const names = Array.from({ length: count }, (_, n) => `c${n}`);
  for (const [n, name] of names.entries()) {
    applyDefaultCluster(world, name);
    const networkSpec = { vnet: { name: "shared", resourceGroup: "shared" }, subnets: subnetsOf(n) };
    world.objects.edit({ ...key, name }, (object) => ({ ...object, spec: { ...object.spec, networkSpec } }));
  }
  return names;
};

/** Clusters that share their subnets too: little to write for each. */
export const applySmallClusters = (world: World, count: number): readonly string[] => {
  seedSharedNetwork(world, ["control-plane", "node"]);
  return applyManyClusters(world, count, () => [
    { name: "control-plane", role: "control-plane" },
    { name: "node", role: "node" },
  ]);
};

export const readyOf = (world: World, name: string): string | undefined =>
  conditionsOf(world.objects.find({ ...key, name }))["Ready"]?.status;
