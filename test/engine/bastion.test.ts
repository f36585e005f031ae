import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/types.ts";
import { bodyOf, group, ids, key, ownerTag, resources, seed } from "../support/defaultCluster.ts";
import { lookAgain } from "../support/turns.ts";
import { applyDefaultCluster, conditionsOf, createWorld, type World } from "../support/world.ts";

const hour = 60 * 60_000;
const network = `${group}/providers/Microsoft.Network`;
const host = `${network}/bastionHosts/c1-azure-bastion`;
const address = `${network}/publicIPAddresses/c1-azure-bastion-pip`;
const subnet = `${ids.vnet}/subnets/AzureBastionSubnet`;

const setSpec = (world: World, spec: JsonObject): void =>
  void world.objects.edit(key, (object) => ({ ...object, spec: { ...object.spec, ...spec } }));
const withBastion = (azureBastion: JsonObject = {}): JsonObject => ({ bastionSpec: { azureBastion } });
const aCluster = async (spec: JsonObject, ...before: readonly JsonObject[]): Promise<World> => {
  const world = createWorld();
  seed(world, ...before);
  applyDefaultCluster(world);
  setSpec(world, spec);
  await world.run(hour);
  return world;
};

const said = (world: World, type = "BastionHostReady") => conditionsOf(world.objects.find(key))[type];
const since = (world: World, count: number): readonly string[] =>
  world
    .writes()
    .slice(count)
    .map(({ method, path }) => `${method} ${path.slice(network.length + 1)}`);
const properties = (world: World, id: string): JsonObject => (bodyOf(world, id)["properties"] ?? {}) as JsonObject;
const subnetOf = (world: World): JsonObject | undefined => {
  const all = (properties(world, ids.vnet)["subnets"] ?? []) as readonly JsonObject[];
  return all.find((one) => one["name"] === "AzureBastionSubnet")?.["properties"] as JsonObject | undefined;
};
const theirGroup = { id: group, location: "eastus", tags: { team: "net" } };

describe("a bastion host", () => {
  it("comes to a cluster that stands, after its subnet and its address, and nothing is written at rest", async () => {
    const world = await aCluster({});
    const count = world.writes().length;
    setSpec(world, withBastion());
    await world.run(hour);
    const writes = since(world, count);
    expect(writes.at(-1)).toBe("PUT bastionHosts/c1-azure-bastion");
    expect(new Set(writes)).toEqual(
      new Set([
        "PUT publicIPAddresses/c1-azure-bastion-pip",
        "PUT virtualNetworks/c1-vnet/subnets/AzureBastionSubnet",
        "PUT bastionHosts/c1-azure-bastion",
      ]),
    );
    expect(said(world)).toMatchObject({ status: "True" });
    const later = world.writes().length;
    await lookAgain(world);
    await world.run(2 * 24 * hour);
    expect(since(world, later)).toEqual([]);
  });

  it("keeps the name in DNS that Azure gives it, which is not the one that was asked for", async () => {
    const world = await aCluster(withBastion());
    // Azure answers with a name of its own from the first read on.
    expect(properties(world, host)["dnsName"]).not.toBe("c1-azure-bastion-bastion");
    const count = world.writes().length;
    await lookAgain(world);
    await lookAgain(world);
    expect(since(world, count)).toEqual([]);
    expect(said(world)).toMatchObject({ status: "True" });
  });

  it("that takes long keeps nothing else waiting", async () => {
    const world = createWorld({ latency: { types: { "Microsoft.Network/bastionHosts": 10 * 60_000 } } });
    applyDefaultCluster(world);
    setSpec(world, withBastion());
    await world.run(5 * 60_000);
    expect(said(world)).toMatchObject({ status: "False", severity: "Info", reason: "Creating" });
    expect(said(world, "LoadBalancersReady")).toMatchObject({ status: "True" });
    await world.run(hour);
    expect(said(world)).toMatchObject({ status: "True" });
    expect(world.writes().filter(({ path }) => path === host)).toHaveLength(1);
  });

  it("has the cluster's tags, as everything else; upstream's has not", async () => {
    const world = await aCluster({ ...withBastion(), additionalTags: { team: "blue" } });
    expect(bodyOf(world, host)["tags"]).toMatchObject({ team: "blue", [ownerTag]: "owned" });
    const count = world.writes().length;
    setSpec(world, { additionalTags: { team: "red" } });
    await world.run(hour);
    expect(since(world, count).filter((write) => write.includes("bastionHosts"))).toHaveLength(1);
    expect(bodyOf(world, host)["tags"]).toMatchObject({ team: "red" });
  });

  it("of size Standard lets native clients in, at a subnet and an address with names and ranges of the user's", async () => {
    const world = await aCluster(
      withBastion({
        name: "jump",
        sku: "Standard",
        enableTunneling: true,
        publicIP: { name: "jump-ip", dnsName: "jump.eastus.cloudapp.azure.com" },
        subnet: { name: "AzureBastionSubnet", role: "bastion", cidrBlocks: ["10.200.0.0/26"] },
      }),
    );
    expect(said(world, "Ready")).toMatchObject({ status: "True" });
    expect(bodyOf(world, `${network}/bastionHosts/jump`)).toMatchObject({
      sku: { name: "Standard" },
      properties: {
        enableTunneling: true,
        ipConfigurations: [{ properties: { publicIPAddress: { id: `${network}/publicIPAddresses/jump-ip` } } }],
      },
    });
    expect(subnetOf(world)).toMatchObject({ addressPrefix: "10.200.0.0/26" });
  });

  it("takes the subnet that is listed among the others, and its ranges", async () => {
    const world = await aCluster({
      ...withBastion(),
      networkSpec: {
        vnet: { name: "c1-vnet" },
        subnets: [
          { name: "control-plane-subnet", role: "control-plane" },
          { name: "node-subnet", role: "node" },
          { name: "AzureBastionSubnet", role: "bastion", cidrBlocks: ["10.200.0.0/26"] },
        ],
      },
    });
    expect(said(world, "Ready")).toMatchObject({ status: "True" });
    expect(subnetOf(world)).toMatchObject({ addressPrefix: "10.200.0.0/26" });
    expect(world.writes().filter(({ path }) => path === subnet)).toHaveLength(1);
  });

  it("names a security group for its subnet that somebody has to have made", async () => {
    const id = `${network}/networkSecurityGroups/jump-nsg`;
    const asked = withBastion({
      subnet: { name: "AzureBastionSubnet", role: "bastion", securityGroup: { name: "jump-nsg" } },
    });
    const world = await aCluster(asked, theirGroup, { id, location: "eastus", properties: {} });
    expect(said(world, "Ready")).toMatchObject({ status: "True" });
    expect(subnetOf(world)?.["networkSecurityGroup"]).toEqual({ id });
    expect(world.writes().filter(({ path }) => path === id)).toEqual([]);

    const without = createWorld();
    without.restless = "nobody makes the security group";
    applyDefaultCluster(without);
    setSpec(without, asked);
    await without.run(hour);
    expect(JSON.stringify(said(without, "SubnetsReady"))).toContain("jump-nsg");
    expect(resources(without)).not.toContain(id.toLowerCase());
  });

  it("goes before its subnet and its address, where the group is not ours", async () => {
    const world = createWorld({ latency: { types: { "Microsoft.Network/bastionHosts": 10 * 60_000 } } });
    seed(world, theirGroup);
    applyDefaultCluster(world);
    setSpec(world, withBastion());
    await world.run(hour);
    expect(said(world)).toMatchObject({ status: "True" });
    const count = world.writes().length;
    world.objects.remove(key);
    await world.run(hour);
    const gone = since(world, count);
    // Each is asked for once, so Azure has refused none.
    expect(new Set(gone).size).toBe(gone.length);
    const at = (id: string): number => gone.indexOf(`DELETE ${id.slice(network.length + 1)}`);
    expect(at(host)).toBeGreaterThanOrEqual(0);
    expect(at(host)).toBeLessThan(at(subnet));
    expect(at(host)).toBeLessThan(at(address));
    expect(world.objects.find(key)).toBeUndefined();
    expect(resources(world)).toEqual([group.toLowerCase()]);
  });

  it("of somebody else is neither written nor deleted", async () => {
    const world = await aCluster({}, theirGroup);
    const theirs = { id: host, location: "eastus", tags: { team: "net" }, sku: { name: "Standard" }, properties: {} };
    seed(world, theirs);
    setSpec(world, withBastion());
    await world.run(hour);
    expect(said(world)).toMatchObject({ status: "True" });
    expect(world.writes().filter(({ path }) => path === host)).toEqual([]);
    world.objects.remove(key);
    await world.run(hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(resources(world)).toEqual([group, host].map((id) => id.toLowerCase()).toSorted());
  });

  it("in a subnet of another name is refused before anything is written", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    setSpec(world, withBastion({ subnet: { name: "jump", role: "bastion" } }));
    await world.run(hour);
    expect(world.writes()).toEqual([]);
    expect(said(world, "SpecValid")?.message).toContain('subnet.name: "jump" must be AzureBastionSubnet');
  });
});
