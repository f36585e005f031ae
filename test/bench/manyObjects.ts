import type { Failure } from "../../src/core/types.ts";
import { resync } from "../../src/engine/resync.ts";
import { azureThrottling } from "../../src/sim/arm/throttle.ts";
import { brokenChains } from "../support/brokenChains.ts";
import { applySmallClusters, readyOf } from "../support/manyClusters.ts";
import { applyDefaultCluster, createWorld, type World } from "../support/world.ts";
import type { Bench } from "./bench.ts";
import type { Values } from "./figures.ts";

/** In memory, on a virtual clock. */
const objects = 300;
const minute = 60_000;
const hour = 60 * minute;

const sayAllReady = (world: World, names: readonly string[]): void => {
  const missing = names.filter((name) => readyOf(world, name) !== "True");
  if (missing.length > 0) throw new Error(`${missing.length} objects are not ready`);
};

/** Refusals (429) of a subscription with Azure's own limits, 250 read and 200 write tokens, in which many objects are created at once. */
export const throttledRefusals = async (bench: Bench): Promise<Values> => {
  bench.progress(`${objects} objects within the limits of one subscription`);
  const world = createWorld({ throttling: azureThrottling });
  const names = applySmallClusters(world, objects);
  await world.run(hour);
  sayAllReady(world, names);
  return { throttledRefusals: world.requests().filter(({ status }) => status === 429).length };
};

const away: Failure = { kind: "transient", code: "NoAnswer", message: "the API server does not answer" };

/** What three minutes without the API server cost while many objects are at work: given up messages, chains that ended. */
export const outage = async (bench: Bench): Promise<Values> => {
  bench.progress(`${objects} objects without the API server for three minutes`);
  const types = { "Microsoft.Resources/resourceGroups": "sync" } as const;
  const world = createWorld({ latency: { types, default: 4 * minute }, retryAfterSeconds: 30 });
  const names = applySmallClusters(world, objects);
  await world.run(minute);
  const endMs = world.clock.nowMs() + 3 * minute;
  world.faults.kube = () => away;
  await world.run(3 * minute);
  world.clock.advanceTo(endMs);
  const broken = brokenChains(world, names).length;
  delete world.faults.kube;
  await world.run(2 * hour);
  sayAllReady(world, names);
  const nowMs = world.clock.nowMs();
  const { deadLetter } = world.queue.reconcile.counts(nowMs);
  return { outageDeadLetters: deadLetter + world.queue.failed.counts(nowMs).active, outageBrokenChains: broken };
};

const resourceRows = (world: World): number =>
  world.tables.rows("state").filter(({ row }) => row.startsWith("resource~")).length;

/** Writes to Azure of the resync that builds all rows of the default cluster anew after every table is lost. */
export const rebuild = async (bench: Bench): Promise<Values> => {
  bench.progress("rebuild after all tables are lost");
  const world = createWorld();
  applyDefaultCluster(world);
  await world.run(hour);
  sayAllReady(world, ["c1"]);
  const [rows, writes] = [resourceRows(world), world.writes().length];
  world.tables.clear();
  // The hourly listing spreads its objects over the hour.
  for (let n = 0; n < 13; n += 1) {
    await resync(world.clock.nowMs(), world.deps);
    await world.run(5 * minute);
  }
  if (resourceRows(world) !== rows) throw new Error(`${resourceRows(world)} rows instead of ${rows}`);
  return { rebuildArmWrites: world.writes().length - writes };
};
