import type { Failure, JsonObject } from "../../src/core/types.ts";
import { activeFaults, type FaultRule } from "../../src/sim/arm/faults.ts";
import { annotate, ids, key, mutate, withTag } from "./defaultCluster.ts";
import { type Wish, withWish } from "./scheduleSpec.ts";
import type { Storm } from "./storm.ts";
import type { World } from "./world.ts";

/** What happens in a schedule beside the handling of messages. */
export interface Sky {
  readonly world: World;
  readonly storm: Storm;
  readonly dice: () => number;
  wish: Wish;
  isPaused: boolean;
  isDeleted: boolean;
  /** Tags that others have put on the load balancer: they must survive. */
  readonly foreignTags: Set<string>;
}

type Event = (sky: Sky) => string;

const oneOf = <T>(dice: () => number, values: readonly T[]): T => values[Math.floor(dice() * values.length)]!;
const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;

const down: Failure = { kind: "transient", code: "ServerTimeout", message: "the API server does not answer" };
const conflict: Failure = { kind: "conflict", code: "Conflict", message: "the object has been modified", status: 409 };

const busyCodes = [
  "AnotherOperationInProgress",
  "RetryableError",
  "ReferencedResourceNotProvisioned",
  "CanceledAndSupersededDueToAnotherOperation",
  "Conflict",
];
const refusals: readonly FaultRule["fault"][] = [
  { kind: "respond", status: 429, code: "TooManyRequests", message: "slow down", retryAfterSeconds: 17 },
  { kind: "respond", status: 429, code: "TooManyRequests", message: "slow down" },
  { kind: "respond", status: 500, code: "InternalServerError", message: "oops" },
  { kind: "respond", status: 503, code: "ServiceUnavailable", message: "oops", afterEffect: true },
  { kind: "drop", when: "before" },
  { kind: "drop", when: "after" },
  { kind: "failOperation", code: "InternalServerError", message: "failed half-way" },
  { kind: "failOperation", status: "Canceled", code: "OperationPreempted", message: "cancelled" },
  ...busyCodes.map((code) => ({ kind: "respond", status: 409, code, message: "busy" }) as const),
];
const inWords = ({ fault, match }: FaultRule): string => {
  const on = `${match.method} number ${match.nth} and ${(match.times ?? 1) - 1} more`;
  switch (fault.kind) {
    case "respond":
      return `Azure answers ${on} with ${fault.status} ${fault.code}${fault.afterEffect === true ? " after its effect" : ""}`;
    case "drop":
      return `Azure does not answer ${on}, cut ${fault.when} its effect`;
    case "delay":
      return `Azure is slow at ${on}`;
    case "failOperation":
      return `Azure fails the operation of ${on} with ${fault.code}`;
  }
};

const azure: Event = ({ world, dice }) => {
  const match = {
    method: oneOf(dice, ["PUT", "PUT", "GET", "DELETE"]),
    nth: 1 + Math.floor(dice() * 4),
    times: 1 + Math.floor(dice() * 2),
  };
  const rule: FaultRule = { match, fault: oneOf(dice, refusals) };
  world.arm.faults.push(...activeFaults([rule]));
  return inWords(rule);
};

const unknownOperation: Event = ({ world }) => {
  const fault = { kind: "respond", status: 404, code: "NotFound", message: "no such operation" } as const;
  world.arm.faults.push(...activeFaults([{ match: { method: "GET", path: "/operations/" }, fault }]));
  return "Azure no longer knows the URL of an operation";
};

const edit: Event = (sky) => {
  const { dice, world } = sky;
  const change = oneOf<Partial<Wish>>(dice, [
    { source: `10.${Math.floor(dice() * 4)}.0.0/16` },
    { isWider: !sky.wish.isWider },
    { team: oneOf(dice, ["a", "b", "c"]) },
  ]);
  sky.wish = { ...sky.wish, ...change };
  world.objects.edit(key, (object) => withWish(object, sky.wish));
  return `the user edits: ${JSON.stringify(change)}`;
};

const pause: Event = (sky) => {
  sky.isPaused = !sky.isPaused;
  annotate(sky.world, "cluster.x-k8s.io/paused", sky.isPaused ? "" : undefined);
  return sky.isPaused ? "the user pauses" : "the user unpauses";
};

const copy: Event = ({ world, dice }) => {
  const nowMs = world.clock.nowMs();
  const message = oneOf(dice, world.queue.reconcile.peek(nowMs, 0, 5));
  const lateMs = dice() < 0.5 ? 0 : dice() * 300_000;
  if (message === undefined) return "";
  const scheduled = lateMs > 0 && { scheduledForMs: nowMs + lateMs };
  const body = structuredClone(message.body);
  world.queue.reconcile.send(nowMs, [{ id: `copy-${dice()}`, body, ...scheduled }]);
  return `a message comes once more, after ${seconds(lateMs)}`;
};

const kill: Event = ({ storm, dice }) => {
  const handler = oneOf(dice, storm.handlers);
  if (handler === undefined) return "";
  const message = dice() < 0.5 ? "locked" : "abandoned";
  storm.kill(handler, message);
  return `a process dies, its message is ${message}`;
};

const lockLost: Event = ({ storm, dice }) => {
  const handler = oneOf(dice, storm.handlers);
  if (handler === undefined) return "";
  storm.loseLock(handler);
  return "a lock of the broker is lost while its handler is at work";
};

const tag: Event = ({ world, isDeleted, foreignTags }) => {
  const name = `other${foreignTags.size}`;
  if (isDeleted || !world.arm.resources.has(ids.lb.toLowerCase())) return "";
  mutate(world, ids.lb, (body: JsonObject) => withTag(body, name, "1"));
  foreignTags.add(name);
  return `somebody puts tag ${name} on the load balancer`;
};

const wait =
  (mostMs: number, leastMs = 0): Event =>
  ({ world, dice }) => {
    const ms = leastMs + dice() * (mostMs - leastMs);
    world.clock.advanceTo(world.clock.nowMs() + ms);
    return `all stand still for ${seconds(ms)}`;
  };

const stale: Event = ({ world, storm, dice }) => {
  const ms = dice() * 60_000;
  storm.staleUntilMs = world.clock.nowMs() + ms;
  return `Azure's reads may be 10 s old, for ${seconds(ms)}`;
};

export const tablesLost = "all tables are lost";
const loss: Event = ({ storm, dice }) => {
  if (dice() > 0.3) return "";
  storm.loseTables();
  return tablesLost;
};

const remove: Event = (sky) => {
  if (sky.isDeleted || sky.dice() > 0.3) return "";
  sky.isDeleted = true;
  sky.world.objects.remove(key);
  return "the user deletes the object";
};

const broken: readonly Event[] = [
  ({ world: { faults } }) => {
    faults.brokerDown = true;
    return "the broker is down";
  },
  ({ world: { faults }, dice }) => {
    faults.kube = () => (dice() < 0.7 ? down : undefined);
    return "the API server answers three calls of ten";
  },
  ({ world: { faults }, dice }) => {
    faults.kube = (call) => (call === "write" && dice() < 0.5 ? conflict : undefined);
    return "the API server refuses every other write as a conflict";
  },
  ({ world: { faults }, dice }) => {
    faults.tables = () => (dice() < 0.7 ? { kind: "down" } : undefined);
    return "the tables answer three calls of ten";
  },
  ({ world: { faults }, dice }) => {
    faults.tables = (call) => (call === "commit" && dice() < 0.3 ? { kind: "answerLost" } : undefined);
    return "three of ten commits take effect without an answer";
  },
  ({ storm, dice }) => {
    const port = oneOf(dice, ["kube", "queue", "arm"] as const);
    storm.losing.add(port);
    return `three of ten writes to ${port} take effect without an answer`;
  },
];

const events: readonly Event[] = [
  azure,
  azure,
  azure,
  unknownOperation,
  edit,
  edit,
  pause,
  copy,
  kill,
  kill,
  lockLost,
  tag,
  wait(40_000),
  wait(90_000, 60_000),
  stale,
  loss,
  remove,
  (sky) => oneOf(sky.dice, broken)(sky),
];

/** The surroundings work again. */
export const endOutages = ({ world: { faults }, storm }: Pick<Sky, "world" | "storm">): void => {
  delete faults.kube;
  delete faults.tables;
  faults.brokerDown = false;
  storm.losing.clear();
};

/** Something happens; answers what, in words, or nothing when it could not. */
export const happen = (sky: Sky): string => oneOf(sky.dice, events)(sky);
