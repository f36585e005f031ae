import type { ChainRow } from "../../../../src/core/chain/chainRow.ts";
import type { afterUnknownWrite, beforeWave, commit, commitAnew } from "../../../../src/core/chain/commit.ts";
import type { afterUnknownRemoval, gone, lastRow } from "../../../../src/core/chain/gone.ts";
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
  readonly mayWriteKube: (ageMs: number) => boolean;
  readonly gone: typeof gone;
  readonly lastRow: typeof lastRow;
  readonly afterUnknownRemoval: typeof afterUnknownRemoval;
  /** Writes that carry If-Match. */
  readonly fenced: Readonly<Record<"take" | "flag" | "mark" | "commit" | "remove", boolean>>;
  /** A write without an answer is followed by a read. */
  readonly readsAfterUnknown: boolean;
  /** A turn that was stopped has its message judged again before it is completed. */
  readonly judgesAfterStop: boolean;
  /** The finalizer is confirmed before the first intent. */
  readonly claimsFirst: boolean;
  /** An intent is stored before its write is sent. */
  readonly intendsFirst: boolean;
  /** Whether a turn reads Azure before it plans. */
  readonly observes: (facts: Facts) => boolean;
  /** When `index` hears of the due time. */
  readonly indexes: "beforeCommit" | "afterCommit" | "never";
  /** What becomes of a message while the table does not answer. */
  readonly whenSilent: "copyAndComplete" | "complete";
  /** A message whose send failed comes again. */
  readonly abandonsUnsent: boolean;
  /** The order in which the rows of an object go at the end of its life. */
  readonly leaves: "emptyFirst" | "releaseFirst";
}

/** What a turn knows before it decides whether to read Azure. */
export interface Facts {
  readonly takenOver: boolean;
  /** Undefined: the rows are lost. */
  readonly ledger: { readonly applied: number; readonly intent: number } | undefined;
  readonly observe: boolean;
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
  | "timer"
  /** A person deletes the object. */
  | "delete"
  /** Somebody takes finalizers off and deletes. */
  | "vanish"
  /** After its end the object is created again under the same name. */
  | "rebirth"
  /** The API server says NotFound of an object that exists. */
  | "flicker"
  /** The table does not answer. */
  | "silent"
  /** The broker takes nothing. */
  | "broker"
  /** A write to Azure has no answer; it may have happened. */
  | "noAnswer"
  /** Somebody changes the resource in Azure, and the drift timer tells. */
  | "drift"
  /** A person asks for a look. */
  | "replay"
  /** An exception in our own code. */
  | "defect";

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
  /** Turns write a status, which costs a step. */
  readonly tells: boolean;
  /** Only messages of a chain that has begun are lost for good. */
  readonly losesChainsOnly: boolean;
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
  | "postpone"
  | "gather"
  | "claim"
  | "intend"
  | "intendUnknown"
  | "check"
  | "write"
  | "tell"
  | "index"
  | "commit"
  | "commitUnknown"
  | "indexLate"
  | "empty"
  | "emptyUnknown"
  | "release"
  | "dropIndex"
  | "last"
  | "lastUnknown"
  | "remove"
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
  /** Of the object read. */
  readonly uid: string;
  readonly generation: number;
  readonly inputs: string;
  readonly paused: boolean;
  /** Generation that Azure is known to have; undefined before it is known. */
  readonly known: number;
  readonly observed: boolean;
  readonly wrote: boolean;
  readonly leftOver: boolean;
  /** How the turn ended, when it did not go through. */
  readonly failed: "no" | "surroundings" | "defect" | "gone";
  readonly goneSinceMs: number;
  /** The write had no answer: its intent stays open. */
  readonly unanswered: boolean;
  /** What the turn wants Azure to have: the generation, or 0 for an object that is deleted. */
  readonly wants: number;
}

export interface World {
  readonly nowMs: number;
  /** Of the object under this name now, or of the last one. */
  readonly uid: string;
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
  readonly object: "present" | "deleting" | "gone";
  readonly finalizer: boolean;
  /** Finalizers were taken off by somebody else: what is left in Azure is an orphan, not a leak. */
  readonly forced: boolean;
  /** A turn that came too late has inserted the rows again. */
  readonly reborn: boolean;
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

export const inputsIn = (world: World): string =>
  `${world.paused ? "paused" : ""}${world.object === "present" ? "" : world.object}`;

/** Azure has what the object wants. */
export const isSettled = (world: World): boolean => {
  if (world.object === "gone") return (world.azure === 0 || world.forced) && world.row === undefined;
  return world.paused || (world.object === "present" && world.azure === world.generation);
};

/** An index row may be left by a turn that came too late: the resync finds that out. */
const isQuiet = ({ workers, messages }: World): boolean =>
  workers.every((run) => run === undefined) && messages.length === 0;

/** Nothing runs, all is told, and exactly one message is left: the chain's. */
export const isQuiescent = (world: World): boolean => {
  const { row, messages, workers, nowMs, generation } = world;
  const [only] = messages;
  if (world.object === "gone") return isSettled(world) && isQuiet(world);
  return (
    isSettled(world) &&
    workers.every((run) => run === undefined) &&
    row !== undefined &&
    row.lease.endMs === 0 &&
    !row.dirty &&
    // A paused object is not read, so that stays owed.
    (!row.why.observe || world.paused) &&
    !row.why.human &&
    row.sent &&
    row.dueMs > nowMs &&
    row.goneSinceMs === undefined &&
    row.surroundings === 0 &&
    row.defects === 0 &&
    row.seen?.generation === generation &&
    row.seen.inputs === inputsIn(world) &&
    messages.length === 1 &&
    only?.item.cause === "followUp" &&
    only.item.turn === row.turn &&
    only.item.nonce === row.incarnation &&
    only.dueMs === row.dueMs
  );
};
