import type { Outgoing, WorkItem } from "../workItem.ts";
import { type ChainRow, markSent, newRow, type Why } from "./chainRow.ts";
import { limits } from "./limits.ts";
import { again, wake } from "./messages.ts";

/** What a message is judged by: the row as just read, and the time of the table service at that read. */
export interface Call {
  readonly row: ChainRow;
  readonly item: WorkItem;
  readonly nowMs: number;
  /** Of the lease, should one be taken: new for every message handled. */
  readonly nonce: string;
}

export type EndReason = "anotherTurn" | "alreadySeen" | "notDue" | "nothingToWake";

/** What to do with a message. After a lost race (412) on any of the writes it is judged again from a fresh read. */
export type Verdict =
  /** Send the outbox, then write `row` (a 412 is ignored), read again and judge again. */
  | { readonly kind: "flush"; readonly outgoing: Outgoing; readonly row: ChainRow }
  /** Complete the message; nothing is to be done. */
  | { readonly kind: "end"; readonly why: EndReason }
  /** Send, then complete. */
  | { readonly kind: "reschedule"; readonly outgoing: Outgoing }
  /** Send the wake first, then write `row` under If-Match when there is one, then complete. */
  | { readonly kind: "defer"; readonly wake: Outgoing; readonly row?: ChainRow }
  /** Take the lease by writing `row` (insert, or replace under If-Match), then run. */
  | {
      readonly kind: "run";
      readonly row: ChainRow;
      readonly insert: boolean;
      /** The lease of a turn that never committed was taken over: observe every resource with an open intent first. */
      readonly takenOver: boolean;
    };

/** One rule of the order in which a message is judged; undefined when it has no say. */
export type Rule = (call: Call) => Verdict | undefined;

const end = (why: EndReason): Verdict => ({ kind: "end", why });

/** What a message asks of the turn that answers it, beside looking at the object. */
export const whyOf = (item: WorkItem): Why => ({
  observe: item.cause === "drift" || item.cause === "replay",
  human: item.cause === "change" || item.cause === "replay",
});
const both = (one: Why, other: Why): Why => ({
  observe: one.observe || other.observe,
  human: one.human || other.human,
});

const flushOutbox: Rule = ({ row }) =>
  row.outbox === undefined || row.sent ? undefined : { kind: "flush", outgoing: row.outbox, row: markSent(row) };

/**
 * A row that has read its object owes a follow-up of its own: one of a former life is void, whatever number it carries.
 * Before that the very message that made the row may come again after a crash.
 */
const isOfAnotherLife = (row: ChainRow, item: WorkItem): boolean =>
  item.cause === "followUp" && row.uid !== "" && item.nonce !== row.incarnation;

const continuesTurn: Rule = ({ row, item }) =>
  (item.cause === "followUp" || item.cause === "wake") && (item.turn !== row.turn || isOfAnotherLife(row, item))
    ? end("anotherTurn")
    : undefined;

const marked = (row: ChainRow, item: WorkItem): ChainRow | undefined => {
  const stop = row.stop || item.paused || item.deleting;
  const why = both(row.why, whyOf(item));
  const known = row.dirty && row.stop === stop && row.why.observe === why.observe && row.why.human === why.human;
  return known ? undefined : { ...row, dirty: true, stop, why };
};

const respectLease: Rule = ({ row, item, nowMs }) => {
  if (row.lease.endMs <= nowMs) return undefined;
  if (item.cause === "wake" && item.nonce === row.lease.nonce)
    return { kind: "reschedule", outgoing: again(item, row.lease.endMs + limits.wakeAfterLeaseMs, nowMs) };
  const next = marked(row, item);
  return { kind: "defer", wake: wake({ item, row, nowMs }), ...(next === undefined ? {} : { row: next }) };
};

const ignoreKnown: Rule = ({ row: { seen, dueMs }, item, nowMs }) =>
  (item.cause === "change" || item.cause === "dependency") &&
  seen !== undefined &&
  seen.uid === item.uid &&
  seen.generation === item.generation &&
  seen.inputs === item.inputs &&
  dueMs > nowMs
    ? end("alreadySeen")
    : undefined;

const awaitDue: Rule = ({ row, item, nowMs }) =>
  item.cause === "resync" && item.listed !== true && row.dueMs > nowMs ? end("notDue") : undefined;

const postponeEarly: Rule = ({ row, item, nowMs }) =>
  item.cause === "followUp" && row.dueMs > nowMs + limits.earlyMs
    ? { kind: "reschedule", outgoing: again(item, row.dueMs, nowMs) }
    : undefined;

/** The lease need not be the one that the wake guards: the turn that this very wake started may have died. */
const wakeNeeded: Rule = ({ row, item }) =>
  item.cause !== "wake" || row.dirty || row.lease.endMs !== 0 ? undefined : end("nothingToWake");

/** The row under a new lease. Both flags are cleared before the turn reads anything, so that later ones are news to it. */
export const underLease = (row: ChainRow, { item, nowMs, nonce }: Omit<Call, "row">): ChainRow => {
  const { outbox: _, ...rest } = row;
  return {
    ...rest,
    lease: { nonce, endMs: nowMs + limits.leaseMs },
    dirty: false,
    stop: false,
    why: both(row.why, whyOf(item)),
    sent: true,
  };
};

const takeLease = (call: Call): Verdict => ({
  kind: "run",
  row: underLease(call.row, call),
  insert: false,
  takenOver: call.row.lease.endMs !== 0,
});

/** The rules of design section 4, step 1, in their order; the first that has a say decides, else the message runs. */
export const rules = {
  flushOutbox,
  continuesTurn,
  respectLease,
  ignoreKnown,
  awaitDue,
  postponeEarly,
  wakeNeeded,
} as const satisfies Readonly<Record<string, Rule>>;

/** Judges by a given set of rules. */
export const judgeBy =
  (order: readonly Rule[]) =>
  (input: Omit<Call, "row"> & { readonly row: ChainRow | undefined; readonly incarnation: string }): Verdict => {
    const { row, incarnation, ...rest } = input;
    // A missing row is no other turn. It takes the message's turn, so that this very message, should it come back after a
    // crash, still finds its own.
    if (row === undefined) {
      const created = { ...newRow(incarnation), turn: rest.item.turn ?? 0 };
      return { kind: "run", row: underLease(created, rest), insert: true, takenOver: false };
    }
    const call = { ...rest, row };
    for (const rule of order) {
      const verdict = rule(call);
      if (verdict !== undefined) return verdict;
    }
    return takeLease(call);
  };

/** Decides what becomes of a message, from one point read. `incarnation` is used when there is no row. */
export const judge = judgeBy(Object.values(rules));
