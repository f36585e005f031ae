import type { JsonObject } from "../../src/core/types.ts";
import { group, key, seed, subscription } from "./defaultCluster.ts";
import { applyDefaultCluster, type World } from "./world.ts";

/** What was there before the cluster: nothing, a group of somebody else with things in it, or a network of somebody else. */
export type Ground = "nothing" | "group" | "network";

const address = `${group}/providers/Microsoft.Network/publicIPAddresses/theirs`;
const netGroup = `${subscription}/resourceGroups/net-rg`;
const vnet = `${netGroup}/providers/Microsoft.Network/virtualNetworks/shared`;

/** What nobody of us may write to, on that ground. */
export const foreignOn: Readonly<Record<Ground, readonly string[]>> = {
  nothing: [],
  group: [group, address],
  network: [netGroup, vnet, `${vnet}/subnets/control-plane-subnet`, `${vnet}/subnets/theirs`],
};

const tags = { team: "somebody else" };
const seeds: Readonly<Record<Ground, readonly JsonObject[]>> = {
  nothing: [],
  group: [
    { id: group, location: "eastus", tags },
    {
      id: address,
      location: "eastus",
      tags,
      sku: { name: "Standard" },
      properties: { publicIPAllocationMethod: "Static" },
    },
  ],
  network: [
    { id: netGroup, location: "eastus", tags },
    {
      id: vnet,
      location: "eastus",
      tags,
      properties: { addressSpace: { addressPrefixes: ["10.0.0.0/8"] }, subnets: [] },
    },
    { id: `${vnet}/subnets/control-plane-subnet`, properties: { addressPrefix: "10.9.0.0/16" } },
    { id: `${vnet}/subnets/theirs`, properties: { addressPrefix: "10.10.0.0/16" } },
  ],
};

/** Puts the ground in place, and the default cluster upon it. */
export const settleOn = (world: World, ground: Ground): void => {
  seed(world, ...seeds[ground]);
  applyDefaultCluster(world);
  if (ground !== "network") return;
  world.objects.edit(key, (object) => {
    const networkSpec = object.spec["networkSpec"] as JsonObject;
    const brought = { ...networkSpec, vnet: { name: "shared", resourceGroup: "net-rg" } };
    return { ...object, spec: { ...object.spec, networkSpec: brought } };
  });
};
