import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../src/core/types.ts";
import { annotate, bodyOf, ids, key, resources } from "../support/defaultCluster.ts";
import { intercept } from "../support/intercept.ts";
import { ready, runBy } from "../support/turns.ts";
import { applyDefaultCluster, createWorld, type World } from "../support/world.ts";

const minute = 60_000;
const paused = "cluster.x-k8s.io/paused";

describe("a stop in the middle of a wave", () => {
  it.each([
    { when: "a pause", act: (world: World) => annotate(world, paused, "") },
    { when: "a deletion", act: (world: World) => world.objects.remove(key) },
  ])("$when: the wave under way ends, the next one is not begun", async ({ act }) => {
    const world = createWorld();
    applyDefaultCluster(world);
    let announced = false;
    let puts = 0;
    let after = 0;
    const deps = intercept(world.deps, async (call, run) => {
      if (call.name === "arm PUT") puts += 1;
      if (call.name === "arm PUT" && announced) after += 1;
      const answer = await run();
      if (call.name === "arm PUT" && !announced) {
        announced = true;
        act(world);
        // Another instance of the app handles the doorbell: it meets the lease.
        while (await world.step());
      }
      return answer;
    });
    await world.step(deps);
    // The group stands alone in its wave.
    expect({ puts, after }).toEqual({ puts: 1, after: 0 });
    await world.run();
    if (world.objects.find(key) === undefined) return expect(resources(world)).toEqual([]);
    expect(world.writes()).toHaveLength(1);
    annotate(world, paused, undefined);
    await world.run();
    expect(ready(world)).toMatchObject({ status: "True" });
    expect(world.writes()).toHaveLength(11);
  });
});

describe("a turn that takes too long", () => {
  it("starts no request to Azure after 30 s, no write to the API server after 40 s, and the next turn goes on", async () => {
    const world = createWorld({ latency: "sync" });
    applyDefaultCluster(world);
    let startedMs = 0;
    const late: string[] = [];
    const deps = intercept(world.deps, async (call, run) => {
      if (call.name === "tables get state" && startedMs === 0) startedMs = world.clock.nowMs();
      const ageMs = world.clock.nowMs() - startedMs;
      if (call.port === "arm" && ageMs >= 30_000) late.push(`${call.name} ${ageMs}`);
      if (call.name.startsWith("kube apply") && ageMs >= 40_000) late.push(`${call.name} ${ageMs}`);
      const answer = await run();
      if (call.port === "arm") world.clock.advanceTo(world.clock.nowMs() + 7_000);
      return answer;
    });
    for (let turn = 0; turn < 60 && ready(world)?.status !== "True"; turn += 1) {
      startedMs = 0;
      if (!(await world.step(deps))) world.clock.advanceTo(world.queue.nextDueMs() ?? world.clock.nowMs());
    }
    expect(late).toEqual([]);
    expect(ready(world)).toMatchObject({ status: "True" });
    expect(world.writes()).toHaveLength(11);
  });
});

describe("a turn that is slow to read its objects", () => {
  it("does not claim an object that another turn may soon have", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    const slow = intercept(world.deps, async (call, run) => {
      const answer = await run();
      if (call.name === "kube secret") world.clock.advanceTo(world.clock.nowMs() + 41_000);
      return answer;
    });
    await world.step(slow);
    expect(world.calls.map(({ name }) => name).filter((name) => name.startsWith("kube apply"))).toEqual([]);
    await world.run();
    expect(ready(world)).toMatchObject({ status: "True" });
  });
});

describe("children of one virtual network", () => {
  it("are written one after another", async () => {
    const world = createWorld({ latency: "realistic" });
    applyDefaultCluster(world);
    const busy: (readonly Json[])[] = [];
    const deps = intercept(world.deps, async (call, run) => {
      const { properties = {} } = bodyOf(world, ids.vnet) as { properties?: { subnets?: readonly JsonObject[] } };
      const states = (properties.subnets ?? []).map(
        (subnet) => (subnet["properties"] as JsonObject)["provisioningState"]!,
      );
      if (call.name === "arm PUT" && call.path.includes("/subnets/"))
        busy.push(states.filter((it) => it !== "Succeeded"));
      return run();
    });
    await runBy(world, deps);
    expect(ready(world)).toMatchObject({ status: "True" });
    expect(busy).toEqual([[], []]);
    expect(world.requests().filter(({ status }) => status === 409)).toEqual([]);
  });
});

describe("two at once", () => {
  it("one takes the lease, the other one leaves without looking at the object", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: inTurn, resolve: begun } = Promise.withResolvers<void>();
    const holder = intercept(world.deps, async (call, run) => {
      if (call.name === "kube get") {
        begun();
        await released;
      }
      return run();
    });
    const [first] = world.queue.reconcile.peek(world.clock.nowMs(), 0, 1);
    world.queue.reconcile.send(world.clock.nowMs(), [{ id: "copy", body: structuredClone(first!.body) }]);
    let held: Promise<boolean> | undefined;
    const others: string[] = [];
    const other = intercept(world.deps, async (call, run) => {
      others.push(call.name);
      if (call.name === "tables commit state" && held === undefined) {
        held = world.step(holder);
        await inTurn;
      }
      return run();
    });
    await world.step(other);
    expect(others.filter((name) => !name.startsWith("tables ") && !name.startsWith("queue "))).toEqual([]);
    release();
    await held;
    await world.run();
    expect(ready(world)).toMatchObject({ status: "True" });
    expect(world.writes()).toHaveLength(11);
  });

  it("a turn whose lease was taken over changes nothing any more", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    const writes: string[] = [];
    let isOver = false;
    const slow = intercept(world.deps, async (call, run) => {
      if (isOver && call.writes) writes.push(call.name);
      const answer = await run();
      if (call.name === "arm PUT" && !isOver) {
        world.clock.advanceTo(world.clock.nowMs() + minute);
        await world.run();
        isOver = true;
      }
      return answer;
    });
    await world.step(slow);
    expect(world.logs.map(({ message }) => message)).toContain("lease lost");
    expect(writes.filter((name) => name.startsWith("arm ") || name.startsWith("kube "))).toEqual([]);
    expect(ready(world)).toMatchObject({ status: "True" });
    expect(world.writes()).toHaveLength(11);
  });
});

describe("the end of a turn", () => {
  it("is told to the index, committed, sent, and only then marked as sent", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    const names: string[] = [];
    const deps = intercept(world.deps, (call, run) => {
      names.push(`${call.port} ${call.name}`);
      return run();
    });
    await world.step(deps);
    const told = names.filter((name) => /commit (index|state)|queue/.test(name)).map((name) => name.split(" ").at(-1));
    expect(told.slice(-4)).toEqual(["index", "state", "reconcile", "state"]);
  });
});

describe("the end of an object", () => {
  it("empties the ledger before the finalizer goes", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    await world.run();
    world.objects.remove(key);
    const listed: number[] = [];
    const deps = intercept(world.deps, (call, run) => {
      if (call.name === "kube apply metadata")
        listed.push(world.tables.rows("state").filter(({ row }) => row.startsWith("resource~")).length);
      return run();
    });
    await runBy(world, deps, 60 * minute);
    expect(world.objects.find(key)).toBeUndefined();
    expect(listed.at(-1)).toBe(0);
  });
});
