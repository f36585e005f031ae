import { annotate, key } from "./defaultCluster.ts";
import { endOutages, happen, type Sky, tablesLost } from "./scheduleEvents.ts";
import { foreignOn, type Ground, settleOn } from "./scheduleGround.ts";
import { firstWish, withWish } from "./scheduleSpec.ts";
import { createStorm, diceOf } from "./storm.ts";
import { createWorld } from "./world.ts";

/** A schedule that has run: what came of it, and what has happened, in words. */
export interface Ran extends Sky {
  readonly seed: number;
  readonly ground: Ground;
  /** What disturbed it, with the time of each. */
  readonly journal: readonly string[];
  /** Requests to Azure until the disturbances ended. */
  readonly requestsInStorm: number;
  /** Rows were lost: what the spec had named and no longer names is only known by its owner tag. */
  readonly isForgetful: boolean;
}

const hour = 3_600_000;
const steps = 500;
const grounds: readonly Ground[] = ["nothing", "nothing", "group", "network"];

const begin = (seed: number): { readonly sky: Sky; readonly ground: Ground; readonly traits: readonly string[] } => {
  const dice = diceOf(seed);
  const ground = grounds[Math.floor(dice() * grounds.length)] ?? "nothing";
  const isSoft = dice() < 0.3;
  const latency = dice() < 0.5 ? "realistic" : 0;
  const consistency = isSoft ? { hiddenAfterPutMs: 5_000, visibleAfterDeleteMs: 5_000 } : {};
  const world = createWorld({ latency, consistency, signedUrls: false });
  const foreign = new Set(foreignOn[ground].map((id) => id.toLowerCase()));
  const storm = createStorm(world, dice, foreign);
  settleOn(world, ground);
  world.objects.edit(key, (object) => withWish(object, firstWish));
  const traits = [`ground: ${ground}`, `latency: ${latency}`, ...(isSoft ? ["soft consistency"] : [])];
  const sky: Sky = { world, storm, dice, wish: firstWish, isPaused: false, isDeleted: false, foreignTags: new Set() };
  return { sky, ground, traits };
};

/** Runs one schedule: a storm of so many steps, then calm until everything must have come to its end. */
export const runSchedule = async (seed: number): Promise<Ran> => {
  const { sky, ground, traits } = begin(seed);
  const { world, storm, dice } = sky;
  const startMs = world.clock.nowMs();
  const journal = [...traits];
  const note = (words: string): void => {
    if (words !== "") journal.push(`${((world.clock.nowMs() - startMs) / 1_000).toFixed(1)} s: ${words}`);
  };
  for (let n = 0; n < steps; n += 1) {
    if (!(await storm.step())) storm.waitAtMost(30_000);
    if (dice() < 0.05) note(happen(sky));
    if (dice() < 0.03) endOutages(sky);
  }
  endOutages(sky);
  storm.staleUntilMs = 0;
  world.arm.faults = [];
  note("all is well again");
  const requestsInStorm = world.requests().length;
  if (sky.isPaused) {
    await storm.calm(hour / 2);
    annotate(world, "cluster.x-k8s.io/paused", undefined);
    note("the user unpauses");
  }
  await storm.calm(6 * hour);
  const isForgetful = journal.some((words) => words.endsWith(tablesLost));
  return Object.assign(sky, { seed, ground, journal, requestsInStorm, isForgetful });
};
