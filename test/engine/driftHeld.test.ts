import { describe, expect, it } from "vitest";
import { annotations } from "../../src/core/annotations.ts";
import { removeResource } from "../../src/sim/arm/otherWriter.ts";
import { annotate, group, ids, key, settledCluster, withSource } from "../support/defaultCluster.ts";
import { day, driftTick, hour, minute, pass } from "../support/timers.ts";
import { lookAgain, ready, rowOf } from "../support/turns.ts";
import { conditionsOf, type World } from "../support/world.ts";

const condition = (world: World, type: string) => conditionsOf(world.objects.find(key))[type];
const writesTo = (world: World, from: number): readonly string[] =>
  world
    .writes()
    .slice(from)
    .filter(({ path }) => !path.includes("ResourceGraph"))
    .map(({ method, path }) => `${method} ${path}`);

const cases = [
  { name: annotations.reportOnly, reason: "Drifted" },
  { name: annotations.hold, reason: "Held" },
];

describe.each(cases)("an object with $name", ({ name, reason }) => {
  const watched = async (): Promise<World> => {
    const world = await settledCluster();
    annotate(world, name, "");
    await pass(world, hour);
    return world;
  };

  it("shows a changed field with both values, writes nothing, and acts when it is taken off", async () => {
    const world = await watched();
    const from = world.writes().length;
    world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    await pass(world, day);
    expect(writesTo(world, from)).toEqual([]);
    expect(condition(world, "SecurityGroupsReady")).toMatchObject({ status: "False", severity: "Warning", reason });
    expect(condition(world, "SecurityGroupsReady")?.message).toContain("10.1.0.0/16");
    expect(condition(world, "SecurityGroupsReady")?.message).toContain(name);
    annotate(world, name, undefined);
    await pass(world, minute);
    expect(writesTo(world, from)).toEqual([`PUT ${ids.nodeNsg}`]);
    expect(ready(world)).toMatchObject({ status: "True" });
  });

  it("shows what is missing and does not make it", async () => {
    const world = await watched();
    const from = world.writes().length;
    removeResource(world.arm, ids.lb, world.clock.nowMs());
    await driftTick(world);
    expect(writesTo(world, from)).toEqual([]);
    expect(ready(world)).toMatchObject({ status: "False", reason });
    expect(ready(world)?.message).toContain("does not exist");
    annotate(world, name, undefined);
    await pass(world, minute);
    expect(writesTo(world, from)).toEqual([`PUT ${ids.lb}`]);
  });

  it("creates nothing at all, and all of it when it is taken off", async () => {
    const world = await settledCluster();
    for (const id of [group]) removeResource(world.arm, id, world.clock.nowMs());
    world.tables.clear();
    annotate(world, name, "");
    const from = world.writes().length;
    await pass(world, hour);
    expect(writesTo(world, from)).toEqual([]);
    annotate(world, name, undefined);
    await pass(world, hour);
    expect(writesTo(world, from)).toHaveLength(11);
  });

  it("goes on with the operation that runs, and starts no other", async () => {
    const world = await settledCluster({
      retryAfterSeconds: 60,
      latency: { types: { "Microsoft.Network/networkSecurityGroups": 5 * minute } },
    });
    await pass(world, hour);
    world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    await pass(world, minute);
    annotate(world, name, "");
    const from = world.writes().length;
    await pass(world, hour);
    expect(writesTo(world, from)).toEqual([]);
    expect(rowOf(world, ids.nodeNsg)).not.toHaveProperty("operation");
    expect(ready(world)).toMatchObject({ status: "True" });
  });

  it("is not deleted from Azure before it is taken off, and says so", async () => {
    const world = await watched();
    const from = world.writes().length;
    world.objects.remove(key);
    await pass(world, hour);
    expect(writesTo(world, from)).toEqual([]);
    expect(ready(world)).toMatchObject({ status: "False", reason: "DeleteBlocked" });
    expect(ready(world)?.message).toContain(name);
    annotate(world, name, undefined);
    await pass(world, hour);
    expect(writesTo(world, from)).toEqual([`DELETE ${group}`]);
    expect(world.objects.find(key)).toBeUndefined();
  });
});

describe("a resource group that was ours and is gone", () => {
  const lose = async (): Promise<World> => {
    const world = await settledCluster();
    await pass(world, hour);
    removeResource(world.arm, group, world.clock.nowMs());
    return world;
  };

  it("A59: is InfrastructureLost; the network is not rebuilt for three days without its machines", async () => {
    const world = await lose();
    const from = world.writes().length;
    for (let tick = 0; tick < 72; tick += 1) {
      await driftTick(world, 0);
      await pass(world, hour);
    }
    expect(writesTo(world, from)).toEqual([]);
    expect(condition(world, "ResourceGroupReady")).toMatchObject({
      status: "False",
      severity: "Error",
      reason: "InfrastructureLost",
    });
    expect(ready(world)).toMatchObject({ reason: "InfrastructureLost" });
    expect(ready(world)?.message).toContain(annotations.retry);
  });

  it("A59: a change of the spec finds it too, and makes nothing", async () => {
    const world = await lose();
    const from = world.writes().length;
    world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    await pass(world, hour);
    expect(writesTo(world, from).filter((line) => !line.includes("networkSecurityGroups"))).toEqual([]);
    expect(world.arm.resources.size).toBe(0);
    expect(ready(world)).toMatchObject({ reason: "InfrastructureLost" });
  });

  it.each([
    {
      how: "a new value of the annotation",
      ask: (world: World) => Promise.resolve(annotate(world, annotations.retry, "2")),
    },
    { how: "a replay", ask: (world: World) => lookAgain(world) },
  ])("A59: is made again with all its content after $how", async ({ ask }) => {
    const world = await settledCluster();
    annotate(world, annotations.retry, "1");
    await pass(world, hour);
    removeResource(world.arm, group, world.clock.nowMs());
    await driftTick(world);
    expect(ready(world)).toMatchObject({ reason: "InfrastructureLost" });
    const from = world.writes().length;
    await ask(world);
    await pass(world, hour);
    expect(writesTo(world, from)).toHaveLength(11);
    expect(ready(world)).toMatchObject({ status: "True" });
    // A second loss asks for a second word.
    removeResource(world.arm, group, world.clock.nowMs());
    await pass(world, 2 * minute);
    await driftTick(world);
    expect(ready(world)).toMatchObject({ reason: "InfrastructureLost" });
  });

  it("is asked for once, also when the first try is refused", async () => {
    const world = await lose();
    await driftTick(world);
    const fault = { kind: "respond", status: 403, code: "AuthorizationFailed", message: "no" } as const;
    world.arm.faults.push({ rule: { match: { method: "PUT", times: 1 }, fault }, seen: 0 });
    annotate(world, annotations.retry, "now");
    await pass(world, 3 * hour);
    expect(ready(world)).toMatchObject({ status: "True" });
  });

  it("goes with its object when that is deleted", async () => {
    const world = await lose();
    await driftTick(world);
    const from = world.writes().length;
    world.objects.remove(key);
    await pass(world, hour);
    expect(writesTo(world, from)).toEqual([]);
    expect(world.objects.find(key)).toBeUndefined();
  });

  it("is nobody's loss when it was never ours", async () => {
    const world = await settledCluster();
    await pass(world, hour);
    world.tables.clear();
    removeResource(world.arm, group, world.clock.nowMs());
    const from = world.writes().length;
    await lookAgain(world);
    await pass(world, hour);
    expect(writesTo(world, from)).toHaveLength(11);
  });
});
