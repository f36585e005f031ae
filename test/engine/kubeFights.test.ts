import { describe, expect, it } from "vitest";
import type { JsonObject, KubeObject } from "../../src/core/types.ts";
import { annotate, ids, key, withAnnotation } from "../support/defaultCluster.ts";
import {
  type Arena,
  arena,
  askFor,
  conditionOf,
  hour,
  hourOf,
  minute,
  setSource,
  source,
  writesTo,
} from "../support/fights.ts";
import { type Call, intercept } from "../support/intercept.ts";
import { runBy } from "../support/turns.ts";
import { applyDefaultCluster, createWorld, type World } from "../support/world.ts";

const blockMove = "clusterctl.cluster.x-k8s.io/block-move";
const finalizer = "azurecluster.infrastructure.cluster.x-k8s.io";

const applies = (world: World, part: string): number =>
  world.calls.filter(({ name }) => name === `kube apply ${part}`).length;
const loops = (world: World) => world.logs.filter(({ message }) => message === "reconcile loop");

const withCondition = (object: KubeObject, type: string, status: string): KubeObject => {
  const conditions = (object.status["conditions"] as readonly JsonObject[]).map((one) =>
    one["type"] === type
      ? { type, status, severity: "Info", reason: "Theirs", lastTransitionTime: one["lastTransitionTime"] ?? "" }
      : one,
  );
  return { ...object, status: { ...object.status, conditions } };
};
const withoutFinalizer = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, finalizers: [] },
});

/** Somebody who answers each of our writes at once, as a controller with a watch does. */
const answering = (world: World, change: (object: KubeObject) => KubeObject, isOurs: (object: KubeObject) => boolean) =>
  world.objects.onChange((after) => {
    if (after?.kind === key.kind && isOurs(after)) world.objects.edit(key, change, "another-controller");
  });

const fight = async (
  part: string,
  prepare: (at: Arena) => void,
): Promise<{ readonly world: World; readonly wrote: number }> => {
  const at = await arena();
  prepare(at);
  const before = applies(at.world, part);
  await hourOf(at, () => undefined);
  return { world: at.world, wrote: applies(at.world, part) - before };
};

/** A function app whose API server takes our finalizer off whatever is applied, and answers so. */
const stripping = (world: World): World["deps"] =>
  intercept(world.deps, async <T>(call: Call, run: () => Promise<T>): Promise<T> => {
    const answer = await run();
    if (call.name !== "kube apply metadata") return answer;
    world.objects.edit(key, withoutFinalizer, "another-controller");
    const { ok, value } = answer as { readonly ok: boolean; readonly value: KubeObject };
    return (ok ? { ok, value: withoutFinalizer(value) } : answer) as T;
  });

describe("another writer on the object itself", () => {
  it("A60: who takes our annotation off each time gets at most 8 answers in the first hour", async () => {
    const { world, wrote } = await fight("metadata", ({ world: at }) => {
      answering(
        at,
        (object) => withAnnotation(object, blockMove, undefined),
        ({ metadata }) => metadata.annotations[blockMove] !== undefined,
      );
      annotate(at, blockMove, undefined);
    });
    expect(wrote).toBeGreaterThanOrEqual(3);
    expect(wrote).toBeLessThanOrEqual(8);
    expect(loops(world).at(-1)?.fields).toMatchObject({ field: `metadata.annotations.${blockMove}`, from: "null" });
  });

  it("nothing is made in Azure without our finalizer, and the API server is not written in a loop", async () => {
    const { world, wrote } = await fight("metadata", ({ world: at }) => {
      answering(at, withoutFinalizer, ({ metadata }) => metadata.finalizers.length > 0);
      at.objects.edit(key, withoutFinalizer, "another-controller");
    });
    expect(wrote).toBeLessThanOrEqual(8);
    expect(loops(world).at(-1)?.fields).toMatchObject({ field: `metadata.finalizers[${finalizer}]` });
  });

  it("nothing is made in Azure as long as no answer shows our finalizer", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    const deps = stripping(world);
    for (let n = 0; n < 8; n += 1)
      if (!(await world.step(deps))) world.clock.advanceTo(world.queue.nextDueMs() ?? world.clock.nowMs());
    expect(applies(world, "metadata")).toBeGreaterThan(0);
    expect(world.writes()).toEqual([]);
  });

  it("A60: who takes our finalizer off keeps new writes away from Azure, and nothing else of the turn", async () => {
    let givesIn = false;
    const at = await arena(undefined, { latency: 5 * minute });
    const { world } = at;
    const isOurs = ({ metadata }: KubeObject): boolean => !givesIn && metadata.finalizers.length > 0;
    await world.run(3 * hour);
    askFor(world, "172.16.0.0/12");
    await world.run(minute);
    expect(conditionOf(world, "SecurityGroupsReady")).toMatchObject({ status: "False", severity: "Info" });
    answering(world, withoutFinalizer, isOurs);
    world.objects.edit(key, withoutFinalizer, "another-controller");
    const before = { logs: world.logs.length, writes: world.writes().length };
    await hourOf(at, (_, round) => {
      if (round === 40) setSource(world, "Internet");
    });
    // The running operation was followed to its end, the difference was read and told, and no turn failed.
    const results = world.logs.slice(before.logs).filter(({ message }) => message === "turn finished");
    expect(results.map(({ fields }) => fields["result"])).not.toContain("surroundings failed");
    expect(conditionOf(world, "SecurityGroupsReady")).toMatchObject({
      status: "False",
      reason: "ReconcileLoop",
      message: expect.stringContaining("172.16.0.0/12"),
    });
    expect(world.writes().length).toBe(before.writes);
    expect(conditionOf(world, "OwnFieldsKept")).toMatchObject({
      status: "False",
      reason: "ReconcileLoop",
      message: expect.stringMatching(/metadata\.finalizers.*goes on at 2026-/),
    });
    const events = world.objects.events().filter(({ message }) => message.includes("metadata.finalizers"));
    expect(events).toMatchObject([{ type: "Warning", reason: "ReconcileLoop" }]);
    expect(events[0]?.count).toBe(loops(world).length);
    expect(loops(world).length).toBeLessThanOrEqual(8);
    givesIn = true;
    await world.run(3 * hour);
    expect(source(world)).toBe("172.16.0.0/12");
    expect(conditionOf(world, "OwnFieldsKept")).toBeUndefined();
    expect(conditionOf(world, "Ready")).toMatchObject({ status: "True" });
  });

  it("that strips our finalizer from each answer is not written to in a loop, and is told of", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    await runBy(world, stripping(world), hour);
    expect(world.writes()).toEqual([]);
    expect(applies(world, "metadata")).toBeGreaterThanOrEqual(3);
    // One of them, to the identity, which nobody strips.
    expect(applies(world, "metadata")).toBeLessThanOrEqual(1 + 8);
    expect(conditionOf(world, "OwnFieldsKept")).toMatchObject({ status: "False", reason: "ReconcileLoop" });
    await world.run(3 * hour);
    expect(conditionOf(world, "NetworkInfrastructureReady")).toMatchObject({ status: "True" });
  });

  it("A60: who sets another host each time is obeyed, and the host is not fought over", async () => {
    const hostOf = ({ spec }: KubeObject): unknown => (spec["controlPlaneEndpoint"] as JsonObject)["host"];
    const at = await arena();
    const { world } = at;
    const before = { spec: applies(world, "spec"), writes: writesTo(world, ids.lb) };
    const set = (host: string): void =>
      void world.objects.edit(
        key,
        (object) => ({ ...object, spec: { ...object.spec, controlPlaneEndpoint: { host, port: 6443 } } }),
        "another-controller",
      );
    await hourOf(at, (_, round) => set(`host-${round}.example`));
    // What is set is the user's (contract), so we say each time what stands there already: no write at all.
    expect(hostOf(world.objects.find(key)!)).toMatch(/^host-\d+\.example$/);
    expect(applies(world, "spec")).toBe(before.spec);
    expect(writesTo(world, ids.lb)).toBe(before.writes);
  });

  it("A60: who takes the host off each time gets at most 8 answers in the first hour, and nobody is blamed wrongly", async () => {
    const withoutHost = (object: KubeObject): KubeObject => {
      const { controlPlaneEndpoint: _, ...spec } = object.spec;
      return { ...object, spec };
    };
    const { world, wrote } = await fight("spec", ({ world: at }) => {
      answering(at, withoutHost, ({ spec }) => spec["controlPlaneEndpoint"] !== undefined);
      at.objects.edit(key, withoutHost, "another-controller");
    });
    expect(wrote).toBeGreaterThanOrEqual(3);
    expect(wrote).toBeLessThanOrEqual(8);
    expect(conditionOf(world, "OwnFieldsKept")).toMatchObject({
      status: "False",
      reason: "SpecContested",
      message: expect.stringContaining("by somebody else (spec.controlPlaneEndpoint.host: null -> "),
    });
  });

  it("who rewrites one condition keeps none of the others from being told", async () => {
    const type = "RouteTablesReady";
    const { world, wrote } = await fight("status", ({ world: at }) => {
      answering(
        at,
        (object) => withCondition(object, type, "Unknown"),
        (object) =>
          (object.status["conditions"] as readonly JsonObject[]).some(
            (one) => one["type"] === type && one["status"] === "True",
          ),
      );
      at.objects.edit(key, (object) => withCondition(object, type, "Unknown"), "another-controller");
    });
    expect(wrote).toBeLessThanOrEqual(8);
    expect(loops(world).at(-1)?.fields).toMatchObject({ field: `status.conditions[${type}]` });
    const fault = { kind: "failOperation", code: "InternalServerError", message: "half-way" } as const;
    world.arm.faults.push({ rule: { match: { method: "PUT", path: "c1-node-nsg", times: 3 }, fault }, seen: 0 });
    askFor(world, "172.16.0.0/12");
    await world.run(10_000);
    expect(conditionOf(world, "SecurityGroupsReady")).toMatchObject({ status: "False" });
  });

  it("a release answers at once", async () => {
    const { world } = await fight("metadata", ({ world: at }) => {
      answering(
        at,
        (object) => withAnnotation(object, blockMove, undefined),
        ({ metadata }) => metadata.annotations[blockMove] !== undefined,
      );
      annotate(at, blockMove, undefined);
    });
    const before = applies(world, "metadata");
    annotate(world, "capstan.azure/release", "1");
    await world.run(5_000);
    expect(applies(world, "metadata")).toBeGreaterThan(before);
  });
});
