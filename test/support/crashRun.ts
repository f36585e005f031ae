import type { Json } from "../../src/core/types.ts";
import type { Deps } from "../../src/engine/deps.ts";
import { handle } from "../../src/engine/handle.ts";
import { createSharedCache } from "../../src/engine/shared/sharedCache.ts";
import { createThrottle } from "../../src/engine/throttle/throttle.ts";
import { expectAllAtRest } from "./atRest.ts";
import { azureState } from "./azureState.ts";
import { crashing } from "./crashes.ts";
import type { Story } from "./crashStories.ts";
import { key } from "./defaultCluster.ts";
import { type Call, intercept } from "./intercept.ts";
import { foreignOn } from "./scheduleGround.ts";
import { runBy } from "./turns.ts";
import { conditionsOf, type World } from "./world.ts";

/** Where one function app after another dies: at its n-th call, counted from 1, before or after that call took effect. */
export interface Death {
  readonly at: number;
  readonly effect: "before" | "after";
  /** What becomes of the message: it comes back at once, or when its lock has ended. */
  readonly message: "abandoned" | "locked";
}

/** What a story has led to. */
export interface Outcome {
  readonly azure: Readonly<Record<string, Json>>;
  /** Accepted writes by method and path. */
  readonly writes: Readonly<Record<string, number>>;
  /** Ready, or undefined when the object is gone. */
  readonly ready: string | undefined;
  readonly messages: { readonly deadLetter: number; readonly active: number; readonly failed: number };
  /** Resources of ours that were there when the object went. */
  readonly leftBehind: readonly string[];
  /** Rows of an object that is gone. */
  readonly rows: number;
  /** Writes to what is not ours. */
  readonly foreignWrites: readonly string[];
}

export interface Told {
  readonly world: World;
  readonly outcome: Outcome;
  /** The calls of the first function app, up to its death. */
  readonly calls: readonly string[];
  /** The writes to Azure at which one died after they took effect. */
  readonly unanswered: readonly string[];
  /** Every death came to pass. */
  readonly died: boolean;
}

const hour = 3_600_000;

/** One function app after another: each has a memory of its own, and a clock a minute before or after that of the last one. */
const processOf = ({ deps }: World, number: number): Deps => ({
  ...deps,
  throttle: createThrottle(),
  shared: createSharedCache(),
  clock: { ...deps.clock, monotonicMs: () => deps.clock.monotonicMs() + (number % 2) * 60_000 },
});

/** Handles messages by an app until it dies there; false when it came through. */
const runUntilDeath = async (world: World, deps: Deps, { at, effect, message }: Death, calls: string[]) => {
  const plan = crashing(deps, at, effect);
  const endMs = world.clock.nowMs() + hour;
  for (;;) {
    const delivery = world.queue.receive();
    const next = world.queue.nextDueMs();
    if (delivery === undefined && (next === undefined || next > endMs)) break;
    if (delivery === undefined) {
      world.clock.advanceTo(next ?? endMs);
      continue;
    }
    const settle = (how: "complete" | "abandon") => () =>
      void world.queue.reconcile[how](world.clock.nowMs(), delivery.lockToken);
    const handled = handle({ body: delivery.message.body, messageId: delivery.message.id }, plan.deps);
    const died = await Promise.race([
      handled.then(settle("complete"), settle("abandon")).then(() => false),
      plan.died.then(() => true),
    ]);
    if (!died) continue;
    if (message === "abandoned") settle("abandon")();
    calls.push(...plan.calls);
    return true;
  }
  calls.push(...plan.calls);
  return false;
};

const outcomeOf = (
  world: World,
  { isDeletion, ground }: Story,
  since: number,
  leftBehind: readonly string[],
): Outcome => {
  const done = world.writes().slice(since);
  const accepted = done.filter(({ status }) => status > 0 && status < 400);
  const named = Map.groupBy(accepted, ({ method, path }) => `${method} ${path}`);
  const foreign = new Set(foreignOn[ground].map((id) => id.toLowerCase()));
  const { deadLetter, active } = world.queue.reconcile.counts(world.clock.nowMs());
  const object = world.objects.find(key);
  return {
    azure: azureState(world),
    writes: Object.fromEntries([...named].map(([name, some]) => [name, some.length])),
    ready: object === undefined ? undefined : conditionsOf(object)["Ready"]?.status,
    messages: { deadLetter, active, failed: world.queue.failed.counts(world.clock.nowMs()).active },
    leftBehind,
    rows: isDeletion ? world.tables.rows("state").length + world.tables.rows("index").length : 0,
    foreignWrites: done.map(({ path }) => path).filter((path) => foreign.has(path.toLowerCase())),
  };
};

/** What is there of ours when the object goes. */
const watchGoing = (world: World, { ground }: Story): readonly string[] => {
  const left: string[] = [];
  const foreign = new Set(foreignOn[ground].map((id) => id.toLowerCase()));
  world.objects.onChange((after, before) => {
    if (after !== undefined || before?.kind !== "AzureCluster") return;
    left.push(...[...world.arm.resources.keys()].filter((id) => !foreign.has(id)));
  });
  return left;
};

/** Tells a story whose function apps die one after another, each at its place; a last one lives. */
export const tell = async (
  story: Story,
  deaths: readonly Death[],
  around: (world: World, deps: Deps) => Deps = (_, deps) => deps,
): Promise<Told> => {
  const world = await story.begin();
  const left = watchGoing(world, story);
  const since = world.writes().length;
  story.act(world);
  const calls: string[] = [];
  const unanswered: string[] = [];
  let died = true;
  for (const [number, death] of deaths.entries()) {
    let last: Call | undefined;
    const noting = intercept(around(world, processOf(world, number)), (call, run) => {
      last = call;
      return run();
    });
    const own: string[] = [];
    died = (await runUntilDeath(world, noting, death, own)) && died;
    if (number === 0) calls.push(...own);
    if (died && death.effect === "after" && last?.port === "arm" && last.writes)
      unanswered.push(`${last.name.slice("arm ".length)} ${last.path}`);
  }
  await runBy(world, around(world, processOf(world, deaths.length)), 2 * hour);
  // Hundreds of worlds are told of in one test: each is looked at here, and then forgotten.
  const outcome = outcomeOf(world, story, since, left);
  await expectAllAtRest();
  return { world, outcome, calls, unanswered, died };
};

/** The same story when nothing happens, with the calls it takes. */
export const tellUndisturbed = async (story: Story): Promise<Told> =>
  tell(story, [{ at: 0, effect: "before", message: "locked" }]);
