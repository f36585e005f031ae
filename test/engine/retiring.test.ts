import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/types.ts";
import {
  annotate,
  bodyOf,
  group,
  ids,
  key,
  mutate,
  ownerTag,
  seed,
  settledCluster,
  subscription,
  withTag,
} from "../support/defaultCluster.ts";
import { rowOf } from "../support/turns.ts";
import { conditionsOf, type World } from "../support/world.ts";

const hour = 60 * 60_000;
const network = `${group}/providers/Microsoft.Network`;
const gateway = `${network}/natGateways/old-natgw`;
const address = `${network}/publicIPAddresses/old-pip`;
const subnet = `${ids.vnet}/subnets/extra`;
const nsg = `${network}/networkSecurityGroups/extra-nsg`;

const nodes = (natGateway: JsonObject): JsonObject => ({ name: "node-subnet", role: "node", natGateway });
const extra: JsonObject = {
  name: "extra",
  role: "node",
  cidrBlocks: ["10.9.0.0/16"],
  securityGroup: { name: "extra-nsg" },
};
const setSubnets = (world: World, ...subnets: readonly JsonObject[]): void =>
  void world.objects.edit(key, (object) => ({
    ...object,
    spec: {
      ...object.spec,
      networkSpec: {
        vnet: { name: "c1-vnet" },
        subnets: [{ name: "control-plane-subnet", role: "control-plane" }, ...subnets],
      },
    },
  }));
const old: JsonObject = { name: "old-natgw", ip: { name: "old-pip" } };
const fresh: JsonObject = { name: "new-natgw", ip: { name: "new-pip" } };

const writesSince = (world: World, before: number): readonly string[] =>
  world
    .writes()
    .slice(before)
    .map(({ method, path }) => `${method} ${path}`);
const deletesSince = (world: World, before: number): readonly string[] =>
  writesSince(world, before).filter((write) => write.startsWith("DELETE"));
const conditions = (world: World) => conditionsOf(world.objects.find(key));
const exists = (world: World, id: string): boolean => world.arm.resources.has(id.toLowerCase());

const settled = async (...subnets: readonly JsonObject[]): Promise<World> => {
  const world = await settledCluster({
    latency: { types: { "Microsoft.Network/virtualNetworks/subnets": { put: 20_000 } } },
  });
  setSubnets(world, ...subnets);
  await world.run(hour);
  expect(conditions(world)["Ready"]).toMatchObject({ status: "True" });
  return world;
};

describe("what the spec no longer wants", () => {
  it("A48: an item that left the spec does not stay behind: what used it lets go first, what it used goes last", async () => {
    const world = await settled(nodes(old));
    const before = world.writes().length;
    setSubnets(world, nodes(fresh));
    await world.run(hour);
    const writes = writesSince(world, before);
    expect(writes.slice(-3)).toEqual([`PUT ${ids.nodeSubnet}`, `DELETE ${gateway}`, `DELETE ${address}`]);
    expect(exists(world, gateway) || exists(world, address)).toBe(false);
    // Nothing is tried while the subnet still lets go of it.
    expect(
      world
        .writes()
        .slice(before)
        .filter(({ status }) => status >= 400),
    ).toEqual([]);
    expect([rowOf(world, gateway), rowOf(world, address)]).toEqual([undefined, undefined]);
    expect(conditions(world)["Ready"]).toMatchObject({ status: "True" });
    const history = world.tables.rows("history").flatMap(({ packed }) => JSON.stringify(packed));
    expect(history.some((row) => row.includes(gateway) && row.includes("DELETE"))).toBe(true);
  });

  it("A48: a subnet and its security group go, the other subnets stay as they are", async () => {
    const world = await settled(nodes(old), extra);
    const before = world.writes().length;
    const stays = bodyOf(world, ids.nodeSubnet);
    setSubnets(world, nodes(old));
    await world.run(hour);
    const deletes = deletesSince(world, before);
    expect(deletes[0]).toBe(`DELETE ${subnet}`);
    expect(deletes).toContain(`DELETE ${nsg}`);
    expect(exists(world, subnet) || exists(world, nsg)).toBe(false);
    expect(bodyOf(world, ids.nodeSubnet)).toEqual(stays);
  });

  it("A42: is tried again in seconds while something still uses it, and says so", async () => {
    const world = await settled(nodes(old), extra);
    const inUse = {
      kind: "respond",
      status: 400,
      code: "InUseSubnetCannotBeDeleted",
      message: "Subnet extra is in use by nic1",
    } as const;
    world.arm.faults.push({ rule: { match: { method: "DELETE", path: subnet, times: 2 }, fault: inUse }, seen: 0 });
    const sinceMs = world.clock.nowMs();
    setSubnets(world, nodes(old));
    await world.run(2_000);
    expect(conditions(world)["SubnetsReady"]).toMatchObject({
      status: "False",
      message: expect.stringContaining("nic1"),
    });
    await world.run(hour);
    expect(exists(world, subnet)).toBe(false);
    // A class of its own for slow things would come back after an hour.
    expect(world.clock.nowMs() - sinceMs).toBeLessThan(60_000);
    expect(conditions(world)["SubnetsReady"]).toMatchObject({ status: "True" });
  });

  it("A34: stays when it is not ours, and is forgotten", async () => {
    const world = await settled(nodes(old));
    mutate(world, gateway, (body) => withTag(body, ownerTag, undefined));
    const before = world.writes().length;
    setSubnets(world, nodes(fresh));
    await world.run(hour);
    expect(exists(world, gateway)).toBe(true);
    expect(deletesSince(world, before).filter((write) => !write.endsWith(address))).toEqual([]);
    expect(rowOf(world, gateway)).toBeUndefined();
  });

  it("stays when a person gave it up, and when nothing may be written", async () => {
    const world = await settled(nodes(old));
    annotate(world, "capstan.azure/abandon", `${gateway},${address}`);
    const before = world.writes().length;
    setSubnets(world, nodes(fresh));
    await world.run(hour);
    expect(exists(world, gateway)).toBe(true);
    annotate(world, "capstan.azure/report-only", "");
    annotate(world, "capstan.azure/abandon", undefined);
    await world.run(hour);
    expect(deletesSince(world, before)).toEqual([]);
    annotate(world, "capstan.azure/report-only", undefined);
    await world.run(hour);
    expect(deletesSince(world, before)).toEqual([`DELETE ${gateway}`, `DELETE ${address}`]);
  });

  it("is not created again and again by whoever makes it anew without our tag", async () => {
    const world = await settled(nodes(old));
    setSubnets(world, nodes(fresh));
    await world.run(hour);
    seed(world, { id: gateway, location: "eastus", sku: { name: "Standard" }, properties: {} });
    const before = world.writes().length;
    annotate(world, "capstan.azure/retry", "1");
    await world.run(hour);
    expect(deletesSince(world, before)).toEqual([]);
    expect(exists(world, gateway)).toBe(true);
  });

  it("comes back when the spec wants it again", async () => {
    const world = await settled(nodes(old));
    setSubnets(world, nodes(fresh));
    await world.run(hour);
    setSubnets(world, nodes(old));
    await world.run(hour);
    expect(exists(world, gateway)).toBe(true);
    expect(exists(world, `${network}/natGateways/new-natgw`)).toBe(false);
    expect(conditions(world)["Ready"]).toMatchObject({ status: "True" });
  });

  it("with lost tables it waits for the end of the cluster, and nothing is written for it before", async () => {
    const world = await settled(nodes(old), extra);
    setSubnets(world, nodes(old));
    world.tables.clear();
    const before = world.writes().length;
    await world.run(hour);
    expect(writesSince(world, before)).toEqual([]);
    world.objects.remove(key);
    await world.run(hour);
    expect([...world.arm.resources.keys()].filter((id) => id.startsWith(`${subscription}/resourcegroups`))).toEqual([]);
  });
});
