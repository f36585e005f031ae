import type { ChainRow } from "../../../../src/core/chain/chainRow.ts";
import type { afterUnknownWrite, beforeWave, commit, commitAnew } from "../../../../src/core/chain/commit.ts";
import type { judge, Verdict } from "../../../../src/core/chain/judge.ts";
import type { Outgoing, WorkItem } from "../../../../src/core/workItem.ts";

/** What the exploration drives: the protocol's functions, and what they oblige the engine to. A mutant differs in one field. */
export interface Protocol {
  readonly judge: typeof judge;
  readonly commit: typeof commit;
  readonly commitAnew: typeof commitAnew;
  readonly afterUnknownWrite: typeof afterUnknownWrite;
  readonly beforeWave: typeof beforeWave;
  readonly idOf: (outgoing: Outgoing) => string;
  readonly mayCallAzure: (ageMs: number) => boolean;
  /** Writes that carry If-Match. */
  readonly fenced: Readonly<Record<"take" | "flag" | "mark" | "commit", boolean>>;
  /** A write without an answer is followed by a read. */
  readonly readsAfterUnknown: boolean;
  /** A turn that was stopped has its message judged again before it is completed. */
  readonly judgesAfterStop: boolean;
}

export type Fault =
  | "change"
  | "pause"
  | "crash"
  | "unknown"
  | "lockLost"
  | "duplicate"
  | "loss"
  | "outage"
  | "deadLetter"
  | "early"
  | "timer";

/** What may happen, how often, and what must hold in the end. */
export interface Scenario {
  readonly name: string;
  /** A settled object whose follow-up comes in an hour; a new one whose first doorbell is on the way. */
  readonly starts: readonly ("settled" | "new")[];
  readonly budget: Readonly<Partial<Record<Fault, number>>>;
  /** How far a holder's idea of the time may lag behind (the `Date` header has whole seconds). */
  readonly skewMs: number;
  /** Within this time from any state the wanted state is reached when no more faults come. */
  readonly deadlineMs: number;
  /** Messages are lost for good, so the resync timer has to help. */
  readonly timerHelps: boolean;
  /** How often a worker that could go on has to wait for another or for time to pass. */
  readonly switches: number;
  /** More are not looked at. */
  readonly statesAtMost: number;
}

export interface Message {
  readonly item: WorkItem;
  readonly id: string;
  readonly dueMs: number;
  /** Worker that holds the lock, or none. */
  readonly lockedBy: number | undefined;
}

export type Phase =
  | "judge"
  | "flushSend"
  | "flushMark"
  | "reschedule"
  | "deferWake"
  | "deferFlag"
  | "take"
  | "takeUnknown"
  | "gather"
  | "intend"
  | "intendUnknown"
  | "check"
  | "write"
  | "commit"
  | "commitUnknown"
  | "outboxSend"
  | "outboxMark"
  | "complete";

/** One message in the hands of one worker. */
export interface Run {
  readonly phase: Phase;
  readonly item: WorkItem;
  readonly skewMs: number;
  readonly startMs: number;
  readonly verdict?: Verdict;
  readonly nonce: string;
  readonly etag: number;
  readonly row?: ChainRow;
  readonly turnBefore: number;
  readonly takenOver: boolean;
  /** Row losses at the time the lease was taken. */
  readonly losses: number;
  /** The row was found missing: the commit inserts it. */
  readonly lost: boolean;
  readonly generation: number;
  readonly inputs: string;
  readonly paused: boolean;
  /** Generation that Azure is known to have; undefined before it is known. */
  readonly known: number;
  readonly observed: boolean;
  readonly wrote: boolean;
  readonly leftOver: boolean;
  readonly failed: boolean;
}

export interface World {
  readonly nowMs: number;
  readonly row: ChainRow | undefined;
  readonly etag: number;
  readonly ledger: { readonly applied: number; readonly intent: number } | undefined;
  readonly indexMs: number | undefined;
  readonly messages: readonly Message[];
  /** What the broker's duplicate detection remembers. */
  readonly known: readonly { readonly id: string; readonly item: WorkItem }[];
  readonly workers: readonly (Run | undefined)[];
  /** The object as the API server has it. */
  readonly generation: number;
  readonly paused: boolean;
  readonly resourceVersion: number;
  /** A message about the pause was completed while a turn was running. */
  readonly pauseHeard: boolean;
  /** Generation that Azure has. */
  readonly azure: number;
  readonly losses: number;
  readonly names: number;
  /** The worker that made the last step, while it runs, and how often another may still be preferred. */
  readonly current: number | undefined;
  readonly switches: number;
  readonly budget: Readonly<Partial<Record<Fault, number>>>;
}

/** The protocol was broken. */
export class Violation extends Error {}

export const inputsIn = (world: World): string => (world.paused ? "paused" : "");

/** Azure has what the object wants. */
export const isSettled = (world: World): boolean => world.paused || world.azure === world.generation;

/** Nothing runs, all is told, and exactly one message is left: the chain's. */
export const isQuiescent = (world: World): boolean => {
  const { row, messages, workers, nowMs, generation } = world;
  const [only] = messages;
  return (
    isSettled(world) &&
    workers.every((run) => run === undefined) &&
    row !== undefined &&
    row.lease.endMs === 0 &&
    !row.dirty &&
    row.sent &&
    row.dueMs > nowMs &&
    row.seen?.generation === generation &&
    row.seen.inputs === inputsIn(world) &&
    messages.length === 1 &&
    only?.item.cause === "followUp" &&
    only.item.turn === row.turn &&
    only.item.nonce === row.incarnation &&
    only.dueMs === row.dueMs
  );
};
