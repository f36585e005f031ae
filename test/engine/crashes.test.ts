import { describe, expect, it } from "vitest";
import { crashing } from "../support/crashes.ts";
import { applyDefaultCluster, conditionsOf, createWorld, type World } from "../support/world.ts";

/** How often each resource was written. */
const putsByPath = (world: World): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(world.writes(), ({ path }) => path)].map(([path, puts]) => [path, puts.length]));

const settledState = async (): Promise<readonly string[]> => {
  const world = createWorld();
  applyDefaultCluster(world);
  await world.run();
  return [...world.arm.resources.keys()].toSorted();
};

/** Runs the n-th turn of a creation by an app that dies at its k-th call, everything else by one that lives. */
const createWithCrash = async (
  turn: number,
  at: number,
  effect: "before" | "after",
): Promise<{ readonly world: World; readonly reached: boolean }> => {
  const world = createWorld();
  applyDefaultCluster(world);
  for (let n = 1; n < turn; n += 1) {
    while (!(await world.step())) world.clock.advanceTo(world.queue.nextDueMs() ?? world.clock.nowMs());
  }
  while (world.queue.reconcile.hasReady(world.clock.nowMs()) === false)
    world.clock.advanceTo(world.queue.nextDueMs() ?? 0);
  const plan = crashing(world.deps, at, effect);
  await world.stepMortal(plan);
  await world.run();
  return { world, reached: plan.calls.length >= at };
};

describe("a function app that dies", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
    "in message %i, at any call: the same end, nothing made twice, nothing dead-lettered",
    async (turn) => {
      const expected = await settledState();
      for (let at = 1; ; at += 1) {
        for (const effect of ["before", "after"] as const) {
          const { world, reached } = await createWithCrash(turn, at, effect);
          if (!reached) return;
          const where = `call ${at}, ${effect} its effect`;
          expect([...world.arm.resources.keys()].toSorted(), where).toEqual(expected);
          const object = world.objects.find({ kind: "AzureCluster", namespace: "default", name: "c1" });
          expect(conditionsOf(object)["Ready"], where).toMatchObject({ status: "True" });
          expect(
            Object.entries(putsByPath(world)).filter(([, puts]) => puts > 1),
            where,
          ).toEqual([]);
          expect(world.queue.reconcile.counts(world.clock.nowMs()).deadLetter, where).toBe(0);
          expect(world.queue.failed.counts(world.clock.nowMs()).active, where).toBe(0);
        }
      }
    },
  );
});
