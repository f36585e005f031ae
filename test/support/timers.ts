import { drift } from "../../src/engine/drift.ts";
import { resync } from "../../src/engine/resync.ts";
import type { World } from "./world.ts";

/** The timers of the function app, rung by hand. */

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** One tick of the drift timer now, and what it brings about within a few minutes. */
export const driftTick = async (world: World, forMs = 5 * minute) => {
  const reports = await drift(world.clock.nowMs(), world.deps);
  await world.run(forMs);
  return reports;
};

/** One tick of the resync timer now. */
export const resyncTick = (world: World) => resync(world.clock.nowMs(), world.deps);

/** Lets time pass in which nothing but the objects' own messages happens. */
export const pass = async (world: World, ms: number): Promise<void> => {
  const endMs = world.clock.nowMs() + ms;
  await world.run(ms);
  if (world.clock.nowMs() < endMs) world.clock.advanceTo(endMs);
};
