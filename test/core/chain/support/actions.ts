import { newRow } from "../../../../src/core/chain/chainRow.ts";
import { commit } from "../../../../src/core/chain/commit.ts";
import { limits } from "../../../../src/core/chain/limits.ts";
import { drift, replay, resync } from "../../../../src/core/chain/messages.ts";
import { address, now } from "./build.ts";
import { abandon, announce, announceGone, send, spend } from "./effects.ts";
import type { Message, Protocol, Run, Scenario, World } from "./model.ts";
import { stepsOf } from "./steps.ts";

/** One possible future, with the name of what happened. */
export interface Successor {
  readonly action: string;
  readonly world: World;
}

const edit = (world: World, protocol: Protocol): World =>
  announce({ ...world, resourceVersion: world.resourceVersion + 1 }, protocol);

/** A settled object at generation 1, its follow-up on the way, due in an hour. */
const settledWorld = (scenario: Scenario, protocol: Protocol): World => {
  const row = commit({
    // As many turns as the life of a new object takes until it is settled.
    row: {
      ...newRow("i0"),
      turn: 1,
      uid: "u",
      lease: { nonce: "n0", endMs: 0 },
      why: { observe: false, human: false },
    },
    address,
    outcome: {
      kind: "turned",
      seen: { uid: "u", generation: 1, inputs: "" },
      dueMs: now + 3_600_000,
      idle: true,
      observed: true,
      settled: true,
    },
    nowMs: now,
    incarnation: "i0",
  });
  const world: World = {
    nowMs: now,
    uid: "u",
    row: { ...row, sent: true },
    etag: 0,
    ledger: { applied: 1, intent: 0 },
    indexMs: row.dueMs,
    messages: [],
    known: [],
    workers: [undefined, undefined],
    generation: 1,
    paused: false,
    object: "present",
    finalizer: true,
    forced: false,
    reborn: false,
    resourceVersion: 1,
    pauseHeard: false,
    azure: 1,
    losses: 0,
    names: 1,
    current: undefined,
    switches: scenario.switches,
    budget: scenario.budget,
  };
  return row.outbox === undefined ? world : send(world, protocol, row.outbox);
};

/** A new object: no row, its first doorbell on the way. */
const newWorld = (scenario: Scenario, protocol: Protocol): World => {
  const settled = settledWorld(scenario, protocol);
  const bare = {
    ...settled,
    row: undefined,
    ledger: undefined,
    indexMs: undefined,
    messages: [],
    known: [],
    azure: 0,
    finalizer: false,
  };
  return announce(bare, protocol);
};

/** Where a scenario starts. */
export const startOf = {
  settled: settledWorld,
  new: newWorld,
} as const;

const idleRun: Omit<Run, "item"> = {
  phase: "judge",
  skewMs: 0,
  startMs: 0,
  nonce: "",
  etag: -1,
  turnBefore: 0,
  takenOver: false,
  losses: 0,
  lost: false,
  uid: "",
  generation: 0,
  inputs: "",
  paused: false,
  known: 0,
  observed: false,
  wrote: false,
  leftOver: false,
  failed: "no",
  goneSinceMs: 0,
  unanswered: false,
  wants: 0,
};

const isReady = (world: World, { lockedBy, dueMs }: Message): boolean => lockedBy === undefined && dueMs <= world.nowMs;

const deliver = (world: World, at: number, worker: number): World => ({
  ...world,
  messages: world.messages.map((message, index) => (index === at ? { ...message, lockedBy: worker } : message)),
  workers: world.workers.map((run, index) => {
    const item = world.messages[at]?.item;
    return index === worker && item !== undefined ? { ...idleRun, item, startMs: world.nowMs } : run;
  }),
});

const deliveries = (world: World, isDeliverable = isReady): readonly Successor[] => {
  const free = world.workers.indexOf(undefined);
  if (free < 0) return [];
  const ids = new Set<string>();
  return world.messages.flatMap((message, at) => {
    if (!isDeliverable(world, message) || ids.has(message.id)) return [];
    ids.add(message.id);
    return [{ action: `deliver ${message.item.cause} ${message.item.turn ?? ""}`, world: deliver(world, at, free) }];
  });
};

/** The host kills a function after 5 min; for the protocol all ages beyond the lease and its wake are one. */
const oldestMs = 60_000;

/** To the next moment at which anything could be judged otherwise. */
const tick = (world: World, { skewMs, tells }: Pick<Scenario, "skewMs" | "tells">): Successor | undefined => {
  const { nowMs, messages, row, workers } = world;
  if (workers.some((run) => run !== undefined && nowMs - run.startMs > oldestMs)) return undefined;
  const moments = [
    ...messages.filter(({ lockedBy }) => lockedBy === undefined).map(({ dueMs }) => dueMs),
    ...(row === undefined ? [] : [row.lease.endMs, row.lease.endMs + skewMs]),
    ...workers.flatMap((run) => (run === undefined || run.wrote ? [] : [run.startMs + limits.azureStartMs + 1])),
    ...(tells ? workers.flatMap((run) => (run === undefined ? [] : [run.startMs + limits.kubeStartMs + 1])) : []),
  ].filter((moment) => moment > nowMs);
  if (moments.length === 0) return undefined;
  const next = Math.min(...moments);
  return { action: `wait ${(next - nowMs) / 1_000} s`, world: { ...world, nowMs: next } };
};

const unlock = (world: World, worker: number): World => ({
  ...abandon(world, worker),
  workers: world.workers,
});

const workerFaults = (world: World, worker: number, { losesChainsOnly }: Scenario): readonly Successor[] => {
  const crashed = spend(world, "crash");
  const lockLost = spend(world, "lockLost");
  const dead = losesChainsOnly && (world.row?.turn ?? 0) === 0 ? undefined : spend(world, "deadLetter");
  const locked = world.messages.some(({ lockedBy }) => lockedBy === worker);
  return [
    ...(crashed === undefined ? [] : [{ action: `crash of ${worker}`, world: abandon(crashed, worker) }]),
    ...(lockLost === undefined || !locked
      ? []
      : [{ action: `lock of ${worker} lost`, world: unlock(lockLost, worker) }]),
    ...(dead === undefined || !locked
      ? []
      : [
          {
            action: `dead letter of ${worker}`,
            world: abandon({ ...dead, messages: dead.messages.filter(({ lockedBy }) => lockedBy !== worker) }, worker),
          },
        ]),
  ];
};

/** A message that the broker brings too early, and a resync that comes although nothing is due. */
const untimely = (world: World, protocol: Protocol): readonly Successor[] => {
  const early = spend(world, "early");
  const timed = spend(world, "timer");
  const { nowMs, indexMs } = world;
  return [
    ...(early === undefined
      ? []
      : deliveries(early, (_, { lockedBy, dueMs }) => lockedBy === undefined && dueMs > nowMs)),
    ...(timed === undefined || indexMs === undefined
      ? []
      : [
          {
            action: "resync",
            world: send(
              timed,
              protocol,
              resync({ address, uid: world.uid, scheduledMs: nowMs, dueMs: nowMs, nowMs, listed: false }),
            ),
          },
        ]),
  ];
};

/** `kubectl delete`: gone at once without a finalizer. */
const remove = (world: World, protocol: Protocol): World =>
  world.finalizer
    ? announce({ ...world, object: "deleting", resourceVersion: world.resourceVersion + 1 }, protocol)
    : announceGone(world, protocol);

/** Another object under the same name: its spec is another one, and it has nothing of the former one but the name. */
const bearAgain = (world: World, protocol: Protocol): World =>
  edit(
    { ...world, uid: `${world.uid}'`, object: "present", finalizer: false, generation: world.generation + 1 },
    protocol,
  );

/** What happens to the object's life, and to its resource behind our back. */
const lifeFaults = (world: World, protocol: Protocol): readonly Successor[] => {
  const { object, nowMs, azure, row } = world;
  const deleted = object === "present" ? spend(world, "delete") : undefined;
  const vanished = object === "gone" ? undefined : spend(world, "vanish");
  const reborn = object === "gone" ? spend(world, "rebirth") : undefined;
  const drifted = object === "present" && azure > 0 ? spend(world, "drift") : undefined;
  const asked = row === undefined ? undefined : spend(world, "replay");
  const timed = { address, uid: world.uid, scheduledMs: nowMs, dueMs: nowMs, nowMs };
  return [
    ...(deleted === undefined ? [] : [{ action: "delete", world: remove(deleted, protocol) }]),
    ...(vanished === undefined
      ? []
      : [
          {
            action: "vanish",
            world: announceGone({ ...vanished, finalizer: false, forced: true }, protocol),
          },
        ]),
    ...(reborn === undefined ? [] : [{ action: "rebirth", world: bearAgain(reborn, protocol) }]),
    ...(drifted === undefined
      ? []
      : [
          {
            action: "drift",
            world: send(
              { ...drifted, azure: -2 },
              protocol,
              drift({ ...timed, scheduledMs: nowMs + (drifted.budget.drift ?? 0) }),
            ),
          },
        ]),
    ...(asked === undefined
      ? []
      : [
          {
            action: "replay",
            world: send(asked, protocol, replay({ address, uid: world.uid, request: `r${asked.names}`, nowMs })),
          },
        ]),
  ];
};

const worldFaults = (world: World, protocol: Protocol): readonly Successor[] => {
  const changed = spend(world, "change");
  const paused = spend(world, "pause");
  const duplicated = spend(world, "duplicate");
  const lost = spend(world, "loss");
  return [
    ...lifeFaults(world, protocol),
    ...(changed === undefined || world.object !== "present"
      ? []
      : [{ action: "change", world: edit({ ...changed, generation: changed.generation + 1 }, protocol) }]),
    ...(paused === undefined || world.object === "gone"
      ? []
      : [{ action: "pause or go on", world: edit({ ...paused, paused: !paused.paused }, protocol) }]),
    ...(duplicated === undefined
      ? []
      : duplicated.messages
          .filter(({ lockedBy }) => lockedBy === undefined)
          .map((message) => ({
            action: `duplicate of ${message.item.cause}`,
            world: { ...duplicated, messages: [...duplicated.messages, message] },
          }))),
    ...(lost === undefined || world.row === undefined
      ? []
      : [
          {
            action: "the row is lost",
            world: { ...lost, row: undefined, ledger: undefined, losses: lost.losses + 1, etag: lost.etag + 1 },
          },
        ]),
  ];
};

/** Prefers `worker` (or the passing of time) to the one that could go on: one switch less, none when there are no more. */
const switched = (before: World, next: Successor, worker: number | undefined): readonly Successor[] => {
  const { current } = before;
  const goesOn = worker === undefined ? before.workers.some((run) => run !== undefined) : isRunning(before, current);
  const costs = goesOn && current !== worker ? 1 : 0;
  if (before.switches < costs) return [];
  const now = worker === undefined || next.world.workers[worker] === undefined ? current : worker;
  const world = {
    ...next.world,
    current: isRunning(next.world, now) ? now : undefined,
    switches: before.switches - costs,
  };
  return [{ ...next, world }];
};
const isRunning = (world: World, worker: number | undefined): boolean =>
  worker !== undefined && world.workers[worker] !== undefined;

/** All that may happen next. */
export const successors = (world: World, scenario: Scenario, protocol: Protocol): readonly Successor[] => {
  const later = tick(world, scenario);
  const free = world.workers.indexOf(undefined);
  return [
    ...world.workers.flatMap((run, worker) =>
      run === undefined
        ? []
        : stepsOf(world, worker, protocol, scenario).flatMap((next) =>
            switched(world, { action: `${worker} ${run.phase}`, world: next }, worker),
          ),
    ),
    ...world.workers.flatMap((run, worker) => (run === undefined ? [] : workerFaults(world, worker, scenario))),
    ...deliveries(world).flatMap((next) => switched(world, next, free)),
    ...worldFaults(world, protocol),
    ...untimely(world, protocol),
    ...(later === undefined ? [] : switched(world, later, undefined)),
  ];
};

/** Only when all messages are gone does the timer have to help: from the index, or from the hourly listing. */
const timer = (world: World, protocol: Protocol): Successor | undefined => {
  if (world.object === "gone" && world.row === undefined) return undefined;
  const listed = world.indexMs === undefined;
  const nowMs = Math.max(world.nowMs, listed ? world.nowMs + 3_600_000 : (world.indexMs ?? 0) + 120_000);
  const outgoing = resync({ address, uid: world.uid, scheduledMs: nowMs, dueMs: nowMs, nowMs, listed });
  return { action: "resync", world: send({ ...world, nowMs }, protocol, outgoing) };
};

/** What happens next when all goes well: runs go on, then messages are delivered, then time passes. */
export const fairSuccessor = (world: World, scenario: Scenario, protocol: Protocol): Successor | undefined => {
  const calm = { ...world, budget: {}, current: undefined, switches: 0 };
  const worker = calm.workers.findIndex((run) => run !== undefined);
  const [next] = worker < 0 ? [] : stepsOf(calm, worker, protocol, { ...scenario, skewMs: 0 });
  if (next !== undefined) return { action: `${worker} ${calm.workers[worker]?.phase ?? ""}`, world: next };
  return (
    deliveries(calm)[0] ??
    tick(calm, { ...scenario, skewMs: 0 }) ??
    (scenario.timerHelps ? timer(calm, protocol) : undefined)
  );
};
