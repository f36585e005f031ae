import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/types.ts";
import { resync } from "../../src/engine/resync.ts";
import { annotate, bodyOf, ids, key, mutate, settledCluster, withSource, withTag } from "../support/defaultCluster.ts";
import { lookAgain, ready, runBy } from "../support/turns.ts";
import { applyDefaultCluster, clusterUid, conditionsOf, createWorld, type World } from "../support/world.ts";

const minute = 60_000;

describe("a defect of our own", () => {
  it("shows on the object, is copied once, is tried slowly, and is forgotten when it is gone", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    let isBroken = true;
    const deps: World["deps"] = {
      ...world.deps,
      schema: (type) =>
        isBroken ? Promise.reject(new TypeError("undefined is not a function")) : world.deps.schema(type),
    };
    await runBy(world, deps, 20 * minute);
    const says = () => conditionsOf(world.objects.find(key))["NetworkInfrastructureReady"];
    expect(says()).toMatchObject({
      status: "False",
      reason: "ReconcileDefect",
      message: expect.stringContaining("undefined is not"),
    });
    expect(world.queue.failed.counts(world.clock.nowMs()).active).toBe(1);
    expect(world.queue.reconcile.counts(world.clock.nowMs()).deadLetter).toBe(0);
    isBroken = false;
    await runBy(world, deps, 60 * minute);
    expect(says()).toMatchObject({ status: "True" });
  });
});

describe("a lost race", () => {
  it("412 is read and planned again in the same turn", async () => {
    const world = await settledCluster();
    const fault = { kind: "respond", status: 412, code: "PreconditionFailed", message: "another etag" } as const;
    world.arm.faults.push({ rule: { match: { method: "PUT", times: 3 }, fault }, seen: 0 });
    world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    const atMs = world.clock.nowMs();
    await world.step();
    expect(world.clock.nowMs()).toBe(atMs);
    expect(
      world
        .writes()
        .slice(-4)
        .map(({ status }) => status),
    ).toEqual([412, 412, 412, 200]);
  });

  it("a fourth one waits like any conflict, and ends well", async () => {
    const world = await settledCluster();
    const fault = { kind: "respond", status: 412, code: "PreconditionFailed", message: "another etag" } as const;
    world.arm.faults.push({ rule: { match: { method: "PUT", times: 5 }, fault }, seen: 0 });
    world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    await world.step();
    expect(
      world
        .writes()
        .slice(-4)
        .map(({ status }) => status),
    ).toEqual([412, 412, 412, 412]);
    await world.run();
    expect(ready(world)).toMatchObject({ status: "True" });
    expect((bodyOf(world, ids.nodeNsg)["properties"] as JsonObject)["securityRules"]).toHaveLength(1);
  });
});

describe("a back-off", () => {
  const refused = async (): Promise<{ readonly world: World; readonly tries: () => number }> => {
    const world = await settledCluster();
    const fault = { kind: "respond", status: 403, code: "AuthorizationFailed", message: "no" } as const;
    world.arm.faults.push({ rule: { match: { method: "PUT", times: 99 }, fault }, seen: 0 });
    world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    await world.run(1_000);
    return { world, tries: () => world.writes().length - 11 };
  };

  it("is kept by a turn that comes for another reason", async () => {
    const { world, tries } = await refused();
    annotate(world, "capstan.azure/keep-foreign", "true");
    await world.run(1_000);
    expect(tries()).toBe(1);
    expect(conditionsOf(world.objects.find(key))["SecurityGroupsReady"]?.message).toContain("AuthorizationFailed");
    world.arm.faults = [];
  });

  it.each([
    { when: "a person asks by annotation", act: (world: World) => annotate(world, "capstan.azure/retry", "now") },
    { when: "a person asks by replay", act: lookAgain },
    {
      when: "the spec changes",
      act: async (world: World) => void world.objects.edit(key, (it) => withSource(it, "10.2.0.0/16")),
    },
    {
      when: "the identity changes",
      act: (world: World) =>
        world.objects.edit({ kind: "AzureClusterIdentity", namespace: "default", name: "sp" }, (it) => ({
          ...it,
          spec: { ...it.spec, clientID: "00000000-0000-4000-8000-0000000000cc" },
        })),
    },
  ])("ends when $when", async ({ act }) => {
    const { world, tries } = await refused();
    world.arm.faults = [];
    await Promise.resolve(act(world));
    await world.run(1_000);
    expect(tries()).toBe(2);
    await world.run(10_000);
    expect(ready(world)).toMatchObject({ status: "True" });
  });

  it("does not make a drift forgotten whose repair was refused", async () => {
    const world = await settledCluster();
    world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    await world.run();
    const fault = { kind: "respond", status: 403, code: "AuthorizationFailed", message: "no" } as const;
    world.arm.faults.push({ rule: { match: { method: "PUT" }, fault }, seen: 0 });
    mutate(world, ids.nodeNsg, (body) => ({
      ...body,
      properties: { ...(body["properties"] as JsonObject), securityRules: [] },
    }));
    await lookAgain(world);
    expect((bodyOf(world, ids.nodeNsg)["properties"] as JsonObject)["securityRules"]).toHaveLength(1);
  });

  it("of a poll that fails keeps the operation, and grows", async () => {
    const world = createWorld({ latency: "realistic" });
    applyDefaultCluster(world);
    const fault = { kind: "respond", status: 403, code: "AuthorizationFailed", message: "no" } as const;
    world.arm.faults.push({ rule: { match: { method: "GET", path: "/operations/", times: 40 }, fault }, seen: 0 });
    await world.run(30 * minute);
    expect(world.arm.faults[0]?.seen).toBeLessThan(40);
    expect(ready(world)?.message).toContain("AuthorizationFailed");
    world.arm.faults = [];
    await world.run(4 * 60 * minute);
    expect(ready(world)).toMatchObject({ status: "True" });
    expect(world.writes()).toHaveLength(11);
  });
});

describe("what was to be read and could not be", () => {
  it("is read when its time comes", async () => {
    const world = await settledCluster();
    world.objects.edit(key, (object) => ({ ...object, spec: { ...object.spec, additionalTags: { team: "blue" } } }));
    await world.run();
    mutate(world, ids.lb, (body) => withTag(body, "team", "red"));
    const fault = { kind: "respond", status: 403, code: "AuthorizationFailed", message: "no" } as const;
    world.arm.faults.push({ rule: { match: { method: "GET", path: "publicIPAddresses", times: 2 }, fault }, seen: 0 });
    world.clock.advanceTo(world.clock.nowMs() + minute);
    await lookAgain(world);
    expect(bodyOf(world, ids.lb)["tags"]).toMatchObject({ team: "blue" });
  });
});

describe("a message that is lost", () => {
  it("is made up for by the resync, from the index alone", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    const deps: World["deps"] = {
      ...world.deps,
      queue: { send: () => Promise.resolve({ ok: true, value: undefined }) },
    };
    // Whatever the app sends is lost; nothing was listed yet.
    await runBy(world, deps, 60 * minute);
    expect(ready(world)?.status).not.toBe("True");
    expect(world.queue.nextDueMs()).toBeUndefined();
    world.clock.advanceTo(world.clock.nowMs() + 3 * minute);
    await world.tables.commit("shared", clusterUid, [
      { kind: "upsert", row: "listed", values: { atMs: world.clock.nowMs() } },
    ]);
    const [report] = await resync(world.clock.nowMs(), world.deps);
    expect(report).toMatchObject({ overdue: 1 });
    expect(report).not.toHaveProperty("listed");
    await world.run();
    expect(ready(world)).toMatchObject({ status: "True" });
  });
});
