import { describe, expect, it } from "vitest";
import type { JsonObject, KubeObject } from "../../src/core/types.ts";
import { annotate, key, withAnnotation } from "../support/defaultCluster.ts";
import { type Arena, arena, askFor, conditionOf, hourOf } from "../support/fights.ts";
import { type Call, intercept } from "../support/intercept.ts";
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
    const deps = intercept(world.deps, async <T>(call: Call, run: () => Promise<T>): Promise<T> => {
      const answer = await run();
      if (call.name !== "kube apply metadata") return answer;
      world.objects.edit(key, withoutFinalizer, "another-controller");
      const { ok, value } = answer as { readonly ok: boolean; readonly value: KubeObject };
      return (ok ? { ok, value: withoutFinalizer(value) } : answer) as T;
    });
    for (let n = 0; n < 8; n += 1)
      if (!(await world.step(deps))) world.clock.advanceTo(world.queue.nextDueMs() ?? world.clock.nowMs());
    expect(applies(world, "metadata")).toBeGreaterThan(0);
    expect(world.writes()).toEqual([]);
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
