import { describe, expect, it } from "vitest";
import { drift } from "../../src/engine/drift.ts";
import { activeFaults } from "../../src/sim/arm/faults.ts";
import { removeResource } from "../../src/sim/arm/otherWriter.ts";
import { group, ids, key, mutate, ownerTag, seed, settledCluster } from "../support/defaultCluster.ts";
import { driftTick, hour, minute, pass } from "../support/timers.ts";
import { ready } from "../support/turns.ts";
import { applyDefaultCluster, createWorld, type World } from "../support/world.ts";

const subscriptionId = "00000000-0000-4000-8000-000000000001";
const identityClient = "00000000-0000-4000-8000-0000000000bb";

const putsSince = (world: World, from: number): readonly string[] =>
  world
    .writes()
    .slice(from)
    .filter(({ path }) => !path.includes("ResourceGraph"))
    .map(({ method, path }) => `${method} ${path}`);
const looksSince = (world: World, from: number): number =>
  world
    .requests()
    .slice(from)
    .filter(({ method }) => method === "GET").length;

const bodyOf = (world: World, id: string): unknown => world.arm.resources.get(id.toLowerCase())?.body;

/** A settled cluster whose own writes lie an hour back. */
const quietCluster = async (options: Parameters<typeof createWorld>[0] = {}): Promise<World> => {
  const world = await settledCluster(options);
  await pass(world, hour);
  return world;
};

describe("the drift timer finds", () => {
  it("A58: a deletion out of band, and makes again what CAPZ would have called ready", async () => {
    const world = await quietCluster();
    const from = world.writes().length;
    removeResource(world.arm, ids.lb, world.clock.nowMs());
    expect(ready(world)).toMatchObject({ status: "True" });
    const reports = await driftTick(world);
    expect(reports).toMatchObject([{ subscription: subscriptionId, objects: 1 }]);
    expect(putsSince(world, from)).toEqual([`PUT ${ids.lb}`]);
    expect(ready(world)).toMatchObject({ status: "True" });
  });

  it("a rule of ours that was changed, and puts it back", async () => {
    const world = await quietCluster();
    const from = world.writes().length;
    const subnet = bodyOf(world, ids.vnet);
    mutate(world, ids.nodeSubnet, (body) => ({
      ...body,
      properties: { ...(body["properties"] as object), routeTable: null },
    }));
    expect(bodyOf(world, ids.vnet)).not.toEqual(subnet);
    await driftTick(world);
    // Azure names the network, of which the subnet is a part.
    expect(putsSince(world, from)).toEqual([`PUT ${ids.nodeSubnet}`]);
  });

  it("an owner tag that was taken off, which only a query without a filter by tags can", async () => {
    const world = await quietCluster();
    const from = world.writes().length;
    mutate(world, ids.nodeNsg, (body) => {
      const { [ownerTag]: _, ...tags } = body["tags"] as Record<string, string>;
      return { ...body, tags };
    });
    await driftTick(world);
    expect(putsSince(world, from)).toEqual([]);
    expect(ready(world)).toMatchObject({ status: "False", reason: "OwnershipLost" });
  });

  it("an owner tag that was taken off the resource group, which stands in a table of its own", async () => {
    const world = await quietCluster();
    mutate(world, group, (body) => ({ ...body, tags: {} }));
    await driftTick(world);
    expect(ready(world)).toMatchObject({ status: "False", reason: "OwnershipLost" });
  });

  it("a change that Azure reports 40 minutes late", async () => {
    const world = await quietCluster({ changeFeed: { delayMs: 40 * minute } });
    await pass(world, hour);
    await driftTick(world);
    const from = world.writes().length;
    removeResource(world.arm, ids.lb, world.clock.nowMs());
    for (let tick = 0; tick < 4; tick += 1) {
      await driftTick(world, 0);
      await pass(world, 10 * minute);
      expect(putsSince(world, from)).toEqual([]);
    }
    await driftTick(world);
    expect(putsSince(world, from)).toEqual([`PUT ${ids.lb}`]);
  });

  it("A58: nothing of a deletion that Azure never reports; the daily read does, and no success is older than that", async () => {
    const world = await quietCluster({ changeFeed: { delayMs: 100 * 24 * hour } });
    const from = world.writes().length;
    removeResource(world.arm, ids.lb, world.clock.nowMs());
    await driftTick(world);
    expect(putsSince(world, from)).toEqual([]);
    await pass(world, 25 * hour);
    expect(putsSince(world, from)).toEqual([`PUT ${ids.lb}`]);
  });

  it("a change of 20 hours ago when the watermark is lost", async () => {
    const world = await quietCluster();
    await driftTick(world);
    removeResource(world.arm, ids.lb, world.clock.nowMs());
    const from = world.writes().length;
    // Nobody asks for long, as when the app is stopped; then the shared table is empty.
    world.clock.advanceTo(world.clock.nowMs() + 20 * hour);
    for (const { partition, row } of world.tables.rows("shared"))
      await world.tables.commit("shared", partition, [{ kind: "delete", row }]);
    await drift(world.clock.nowMs(), world.deps);
    await world.run(minute);
    expect(putsSince(world, from)).toEqual([`PUT ${ids.lb}`]);
  });

  it("a change on the third page", async () => {
    const world = await quietCluster();
    const noise = `${group}/providers/Microsoft.Network/publicIPAddresses/noise`;
    seed(world, { id: noise, location: "eastus" });
    for (let at = 0; at < 2_100; at += 1) mutate(world, noise, (body) => ({ ...body, tags: { at: String(at) } }));
    removeResource(world.arm, ids.lb, world.clock.nowMs());
    const from = world.requests().length;
    const writes = world.writes().length;
    const [report] = await driftTick(world);
    expect(report?.changes).toBeGreaterThan(2_100);
    expect(
      world
        .requests()
        .slice(from)
        .filter(({ path }) => path.includes("ResourceGraph")),
    ).toHaveLength(4);
    expect(putsSince(world, writes)).toEqual([`PUT ${ids.lb}`]);
  });
});

describe("the drift timer leaves in peace", () => {
  it("an object whose own writes it sees", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    await world.run(minute);
    const from = world.requests().length;
    const [report] = await driftTick(world, 0);
    expect(report).toMatchObject({ objects: 0 });
    expect(report?.changes).toBeGreaterThan(10);
    expect(looksSince(world, from)).toBe(0);
  });

  it("an object that has looked since", async () => {
    const world = await quietCluster();
    mutate(world, ids.lb, (body) => ({ ...body, tags: { ...(body["tags"] as object), team: "blue" } }));
    await pass(world, 2 * minute);
    expect(await driftTick(world)).toMatchObject([{ objects: 1 }]);
    await pass(world, 10 * minute);
    const from = world.requests().length;
    expect(await driftTick(world)).toMatchObject([{ objects: 0 }]);
    expect(looksSince(world, from)).toBe(0);
  });

  it("an object that has hardly looked since, after one look more", async () => {
    const world = await quietCluster();
    mutate(world, ids.lb, (body) => ({ ...body, tags: { ...(body["tags"] as object), team: "blue" } }));
    const looked: number[] = [];
    for (let tick = 0; tick < 4; tick += 1) {
      const [report] = await driftTick(world);
      looked.push(report?.objects ?? 0);
      await pass(world, 10 * minute);
    }
    expect(looked).toEqual([1, 1, 0, 0]);
  });

  it("an object whose subscription's changes are all of others", async () => {
    const world = await quietCluster();
    seed(world, {
      id: `${group.replace("/c1", "/other")}/providers/Microsoft.Network/routeTables/x`,
      location: "eastus",
    });
    seed(world, { id: `${ids.vnet}/subnets/foreign`, properties: { addressPrefix: "10.9.0.0/24" } });
    await pass(world, 2 * minute);
    const [report] = await driftTick(world);
    // The network is ours, whoever put a subnet into it.
    expect(report).toMatchObject({ objects: 1 });
    await pass(world, 10 * minute);
    seed(world, {
      id: `${group.replace("/c1", "/other")}/providers/Microsoft.Network/routeTables/y`,
      location: "eastus",
    });
    expect(await driftTick(world)).toMatchObject([{ objects: 0 }]);
  });
});

describe("a subscription that cannot be asked", () => {
  it("is logged and skipped, and asked from where it was when it answers again", async () => {
    const world = await quietCluster();
    await driftTick(world);
    await pass(world, 10 * minute);
    removeResource(world.arm, ids.lb, world.clock.nowMs());
    const from = world.writes().length;
    world.arm.options = { ...world.arm.options, denied: [{ identity: identityClient }] };
    for (let tick = 0; tick < 5; tick += 1) {
      const [report] = await driftTick(world, 0);
      expect(report?.failure).toBeDefined();
      world.clock.advanceTo(world.clock.nowMs() + hour);
    }
    world.arm.options = { ...world.arm.options, denied: [] };
    await driftTick(world);
    expect(putsSince(world, from)).toEqual([`PUT ${ids.lb}`]);
  });

  it("does not hold up the others", async () => {
    const world = await quietCluster();
    const other = "00000000-0000-4000-8000-000000000002";
    applyDefaultCluster(world, "c2");
    world.objects.edit({ ...key, name: "c2" }, (object) => ({
      ...object,
      spec: { ...object.spec, subscriptionID: other },
    }));
    await pass(world, hour);
    removeResource(world.arm, ids.lb.replaceAll("c1", "c2").replace(subscriptionId, other), world.clock.nowMs());
    const from = world.writes().length;
    world.arm.options = { ...world.arm.options, denied: [{ identity: identityClient, subscription: subscriptionId }] };
    const reports = await driftTick(world);
    expect(reports.map(({ subscription, failure }) => [subscription, failure !== undefined])).toEqual(
      expect.arrayContaining([
        [subscriptionId, true],
        [other, false],
      ]),
    );
    expect(putsSince(world, from)).toHaveLength(1);
  });

  it("is not asked at all while all its objects are paused", async () => {
    const world = await quietCluster();
    world.objects.edit({ ...key, kind: "Cluster" }, (object) => ({
      ...object,
      spec: { ...object.spec, paused: true },
    }));
    await pass(world, minute);
    const from = world.requests().length;
    expect(await driftTick(world)).toMatchObject([{ failure: "NobodyToAsk" }]);
    expect(world.requests()).toHaveLength(from);
  });
});

describe("the drift timer and Azure's limits", () => {
  it("asks nothing while Azure has said not to, and goes on from where it was", async () => {
    const world = await quietCluster();
    const refusal = {
      kind: "respond",
      status: 429,
      code: "RateLimiting",
      message: "x",
      retryAfterSeconds: 900,
    } as const;
    world.arm.faults.push(
      ...activeFaults([{ match: { method: "POST", path: "ResourceGraph", nth: 1 }, fault: refusal }]),
    );
    removeResource(world.arm, ids.lb, world.clock.nowMs());
    const asked = (): number => world.requests().filter(({ path }) => path.includes("ResourceGraph")).length;
    const before = asked();
    expect(await drift(world.clock.nowMs(), world.deps)).toMatchObject([{ objects: 0, failure: "RateLimiting" }]);
    world.clock.advanceTo(world.clock.nowMs() + 5 * minute);
    expect(await drift(world.clock.nowMs(), world.deps)).toMatchObject([{ objects: 0, failure: "HeldBack" }]);
    expect(asked()).toBe(before + 1);
    world.clock.advanceTo(world.clock.nowMs() + 15 * minute);
    expect(await drift(world.clock.nowMs(), world.deps)).toMatchObject([{ objects: 1 }]);
    await world.run();
    expect(ready(world)).toMatchObject({ status: "True" });
  });
});
