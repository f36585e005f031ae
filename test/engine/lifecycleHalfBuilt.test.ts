import { describe, expect, it } from "vitest";
import { createSharedCache } from "../../src/engine/shared/sharedCache.ts";
import { createThrottle } from "../../src/engine/throttle/throttle.ts";
import { expectAllAtRest } from "../support/atRest.ts";
import { crashing } from "../support/crashes.ts";
import { key } from "../support/defaultCluster.ts";
import { type BroughtAlong, expectGone, expectStanding, richCluster } from "../support/richCluster.ts";
import { runBy } from "../support/turns.ts";
import type { World } from "../support/world.ts";

const isExhaustive = process.env["CAPSTAN_EXHAUSTIVE"] === "1";
const minute = 60_000;
const hour = 60 * minute;

interface Ground {
  readonly name: string;
  readonly theirs: readonly BroughtAlong[];
  /** How long Azure works on each write. */
  readonly latency: number;
  /** Every so manieth place is tried; all of them with CAPSTAN_EXHAUSTIVE=1. */
  readonly stride: number;
}

const grounds: readonly Ground[] = [
  { name: "nobody made anything before", theirs: [], latency: 0, stride: 1 },
  { name: "Azure takes half a minute for each write", theirs: [], latency: 30_000, stride: 7 },
  {
    name: "others made all groups and the zone",
    theirs: ["clusterGroup", "networkGroup", "zone"],
    latency: 0,
    stride: 1,
  },
];

/** Calls of one function app until the cluster stands, oldest first. */
const callsOf = async ({ theirs, latency }: Ground): Promise<readonly string[]> => {
  const { world } = richCluster(theirs, { latency });
  const plan = crashing(world.deps, 0, "before");
  await runBy(world, plan.deps, hour);
  expectStanding(world);
  return plan.calls;
};

/** The function app dies at this call; what it held is lost with it. */
const dieAt = async (world: World, at: number, effect: "before" | "after"): Promise<void> => {
  const plan = crashing(world.deps, at, effect);
  for (let died = false; !died; ) {
    if (!world.queue.reconcile.hasReady(world.clock.nowMs())) world.clock.advanceTo(world.queue.nextDueMs() ?? 0);
    died = await world.stepMortal(plan);
  }
};

/** What was sent to Azure before and after it took effect is not the same; of a read only the answer is lost either way. */
const effectsAt = (name: string | undefined): readonly ("before" | "after")[] =>
  name === "arm PUT" ? ["before", "after"] : ["before"];

const goFrom = async ({ theirs, latency }: Ground, at: number, effect: "before" | "after"): Promise<void> => {
  const rich = richCluster(theirs, { latency });
  const { world } = rich;
  await dieAt(world, at, effect);
  const made = world.writes().length;
  world.objects.remove(key);
  await runBy(world, { ...world.deps, throttle: createThrottle(), shared: createSharedCache() }, 3 * hour);
  const after = world.writes().slice(made);
  expect(after.filter(({ method }) => method !== "DELETE")).toEqual([]);
  await expectGone(rich);
  await expectAllAtRest();
};

describe("a cluster that was being made goes, wherever its making was stopped", () => {
  it.each(grounds)(
    "at one in $stride of the calls to Azure: $name",
    async (ground) => {
      const calls = await callsOf(ground);
      const stops = calls.flatMap((name, index) =>
        name.startsWith("arm ") ? effectsAt(name).map((effect) => ({ at: index + 1, effect })) : [],
      );
      const stride = isExhaustive ? 1 : ground.stride;
      const chosen = stops.filter((_, index) => index % stride === 0);
      expect(chosen.length).toBeGreaterThan(30);
      for (const { at, effect } of chosen)
        await goFrom(ground, at, effect).catch((error: unknown) => {
          throw new Error(`stopped at call ${at}, ${calls[at - 1]}, ${effect} its effect`, { cause: error });
        });
    },
    20 * minute,
  );
});
