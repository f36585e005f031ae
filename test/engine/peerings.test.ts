import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/types.ts";
import { removeResource } from "../../src/sim/arm/otherWriter.ts";
import { bodyOf, group, ids, key, resources, seed, subscription } from "../support/defaultCluster.ts";
import { lookAgain } from "../support/turns.ts";
import { applyDefaultCluster, conditionsOf, createWorld, type World } from "../support/world.ts";

const hour = 60 * 60_000;
const hubGroup = `${subscription}/resourceGroups/hub-rg`;
const hub = `${hubGroup}/providers/Microsoft.Network/virtualNetworks/hub`;
const forward = `${ids.vnet}/virtualNetworkPeerings/c1-vnet-To-hub`;
const reverse = `${hub}/virtualNetworkPeerings/hub-To-c1-vnet`;

const aHub = (range = "172.16.0.0/16") => [
  { id: hubGroup, location: "eastus", tags: { team: "net" } },
  { id: hub, location: "eastus", tags: { team: "net" }, properties: { addressSpace: { addressPrefixes: [range] } } },
];

const withPeerings = (world: World, peerings: readonly JsonObject[], vnet: JsonObject = {}): void =>
  void world.objects.edit(key, (object) => ({
    ...object,
    spec: {
      ...object.spec,
      networkSpec: { ...(object.spec["networkSpec"] as JsonObject), vnet: { name: "c1-vnet", ...vnet, peerings } },
    },
  }));

const toHub = { resourceGroup: "hub-rg", remoteVnetName: "hub" };

const peered = async (peering: JsonObject = toHub): Promise<World> => {
  const world = createWorld();
  seed(world, ...aHub());
  applyDefaultCluster(world);
  withPeerings(world, [peering]);
  await world.run(hour);
  return world;
};

/** A peering as its network shows it; undefined when there is none. */
const peeringOf = (world: World, id: string): JsonObject | undefined => {
  const [vnet = "", name] = id.split("/virtualNetworkPeerings/");
  const list = (bodyOf(world, vnet)["properties"] as JsonObject | undefined)?.["virtualNetworkPeerings"];
  return ((list ?? []) as readonly JsonObject[]).find((one) => one["name"] === name);
};
const shown = (world: World, id: string): JsonObject => (peeringOf(world, id)?.["properties"] ?? {}) as JsonObject;
const states = (world: World) => [shown(world, forward)["peeringState"], shown(world, reverse)["peeringState"]];
const remove = (world: World, id: string): boolean => removeResource(world.arm, id, world.clock.nowMs());
const since = (world: World, count: number) =>
  world
    .writes()
    .slice(count)
    .map(({ method, path }) => `${method} ${path.slice(subscription.length)}`);
const short = (method: string, id: string) => `${method} ${id.slice(subscription.length)}`;
const said = (world: World) => conditionsOf(world.objects.find(key))["VnetPeeringReady"];

describe("a peering", () => {
  it("is made in both directions, and at rest nothing more is written", async () => {
    const world = await peered();
    expect(states(world)).toEqual(["Connected", "Connected"]);
    expect(said(world)).toMatchObject({ status: "True" });
    expect(conditionsOf(world.objects.find(key))["Ready"]).toMatchObject({ status: "True" });
    const count = world.writes().length;
    await lookAgain(world);
    await world.run(2 * 24 * hour);
    expect(since(world, count)).toEqual([]);
  });

  it.each([
    { what: "the other side was deleted", gone: [reverse], writes: [short("PUT", forward), short("PUT", reverse)] },
    { what: "this side was deleted", gone: [forward], writes: [short("PUT", reverse), short("PUT", forward)] },
  ])("is healed when $what", async ({ gone, writes }) => {
    const world = await peered();
    for (const id of gone) remove(world, id);
    const count = world.writes().length;
    await lookAgain(world);
    await world.run(hour);
    expect(states(world)).toEqual(["Connected", "Connected"]);
    expect(new Set(since(world, count))).toEqual(new Set(writes));
    expect(said(world)).toMatchObject({ status: "True" });
  });

  it("is healed when the other network was deleted and made again", async () => {
    const world = await peered();
    remove(world, hub);
    seed(world, ...aHub());
    await lookAgain(world);
    await world.run(hour);
    expect(states(world)).toEqual(["Connected", "Connected"]);
  });

  it("says so when the other network is gone, and is tried ever more slowly", async () => {
    const world = await peered();
    remove(world, hub);
    const count = world.writes().length;
    await lookAgain(world);
    await world.run(6 * hour);
    expect(said(world)).toMatchObject({ status: "False" });
    expect(JSON.stringify(said(world))).toContain("hub");
    expect(since(world, count).length).toBeLessThan(40);
  });

  it("learns the other network's new ranges, by the one write that tells Azure to look", async () => {
    const world = await peered();
    seed(world, {
      ...aHub()[1]!,
      id: hub,
      properties: { addressSpace: { addressPrefixes: ["172.16.0.0/16", "172.17.0.0/16"] } },
    });
    expect(shown(world, forward)["peeringSyncLevel"]).toBe("LocalNotInSync");
    const count = world.writes().length;
    await lookAgain(world);
    await world.run(hour);
    expect(since(world, count)).toEqual([short("PUT", forward)]);
    expect(shown(world, forward)).toMatchObject({
      peeringSyncLevel: "FullyInSync",
      remoteAddressSpace: { addressPrefixes: ["172.16.0.0/16", "172.17.0.0/16"] },
    });
  });

  it("takes new flags with one write, and gives them back when they are no longer asked for", async () => {
    const world = await peered();
    const count = world.writes().length;
    withPeerings(world, [{ ...toHub, forwardPeeringProperties: { allowForwardedTraffic: true } }]);
    await world.run(hour);
    expect(since(world, count)).toEqual([short("PUT", forward)]);
    expect(shown(world, forward)["allowForwardedTraffic"]).toBe(true);
    withPeerings(world, [toHub]);
    await world.run(hour);
    expect(since(world, count)).toEqual([short("PUT", forward), short("PUT", forward)]);
    expect(shown(world, forward)["allowForwardedTraffic"] ?? false).toBe(false);
    expect(states(world)).toEqual(["Connected", "Connected"]);
  });

  it("A48: goes in both directions when it leaves the spec; upstream leaves it", async () => {
    const world = await peered();
    const count = world.writes().length;
    withPeerings(world, []);
    await world.run(hour);
    expect(new Set(since(world, count))).toEqual(new Set([short("DELETE", forward), short("DELETE", reverse)]));
    expect([peeringOf(world, forward), peeringOf(world, reverse)]).toEqual([undefined, undefined]);
    expect(said(world)).toBeUndefined();
    expect(world.objects.find(key)?.metadata.annotations["capstan.azure/owned-children"] ?? "").not.toContain("hub");
  });

  it("goes with the cluster, on the network that stays", async () => {
    const world = await peered();
    world.objects.remove(key);
    await world.run(hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(resources(world)).toEqual([hubGroup.toLowerCase(), hub.toLowerCase()].toSorted());
    expect(peeringOf(world, reverse)).toBeUndefined();
  });

  it("with two networks of one name has two names, that of the first as existing clusters have it", async () => {
    const other = `${subscription}/resourceGroups/other-rg`;
    const world = createWorld();
    seed(
      world,
      ...aHub(),
      { id: other, location: "eastus" },
      {
        id: `${other}/providers/Microsoft.Network/virtualNetworks/hub`,
        location: "eastus",
        properties: { addressSpace: { addressPrefixes: ["172.20.0.0/16"] } },
      },
    );
    applyDefaultCluster(world);
    withPeerings(world, [toHub, { ...toHub, resourceGroup: "other-rg" }]);
    await world.run(hour);
    const names = (bodyOf(world, ids.vnet)["properties"] as JsonObject)[
      "virtualNetworkPeerings"
    ] as readonly JsonObject[];
    // Upstream's value here: one name, and so one peering.
    expect(new Set(names.map(({ name }) => name))).toEqual(new Set(["c1-vnet-To-hub", "c1-vnet-To-hub-other-rg"]));
    expect(conditionsOf(world.objects.find(key))["Ready"]).toMatchObject({ status: "True" });
  });

  it("that somebody else made in the other network is used as it is, and stays", async () => {
    const world = createWorld();
    seed(world, ...aHub());
    applyDefaultCluster(world);
    await world.run(hour);
    seed(world, {
      id: reverse,
      properties: {
        remoteVirtualNetwork: { id: ids.vnet },
        allowForwardedTraffic: true,
        allowVirtualNetworkAccess: true,
      },
    });
    const count = world.writes().length;
    withPeerings(world, [{ ...toHub, reversePeeringProperties: { allowForwardedTraffic: false } }]);
    await world.run(hour);
    expect(since(world, count)).toEqual([short("PUT", forward)]);
    expect(shown(world, reverse)["allowForwardedTraffic"]).toBe(true);
    world.objects.remove(key);
    await world.run(hour);
    expect(peeringOf(world, reverse)).toBeDefined();
  });

  it("of networks with the same addresses is refused with Azure's words, and the object is not written at each try", async () => {
    const world = createWorld();
    world.restless = "Azure refuses the peering each time";
    seed(world, ...aHub("10.5.0.0/16"));
    applyDefaultCluster(world);
    withPeerings(world, [toHub]);
    await world.run(hour);
    expect(said(world)).toMatchObject({ status: "False", severity: "Error", reason: "Failed" });
    expect(JSON.stringify(said(world))).toContain("VnetAddressSpacesOverlap");
    expect(conditionsOf(world.objects.find(key))["LoadBalancersReady"]).toMatchObject({ status: "True" });
    const version = world.objects.find(key)?.metadata.resourceVersion;
    await lookAgain(world);
    await world.run(30 * hour);
    expect(world.objects.find(key)?.metadata.resourceVersion).toBe(version);
  });

  it("with a network of the cluster's own group is not taken for ours because the group is", async () => {
    const neighbour = `${group}/providers/Microsoft.Network/virtualNetworks/neighbour`;
    const theirs = `${neighbour}/virtualNetworkPeerings/neighbour-To-c1-vnet`;
    const world = createWorld();
    applyDefaultCluster(world);
    await world.run(hour);
    seed(
      world,
      { id: neighbour, location: "eastus", properties: { addressSpace: { addressPrefixes: ["172.16.0.0/16"] } } },
      { id: theirs, properties: { remoteVirtualNetwork: { id: ids.vnet }, allowForwardedTraffic: true } },
    );
    const count = world.writes().length;
    withPeerings(world, [{ remoteVnetName: "neighbour", reversePeeringProperties: { allowForwardedTraffic: false } }]);
    await world.run(hour);
    expect(since(world, count).filter((one) => one.includes("neighbour-To"))).toEqual([]);
  });
});
