import { hashOf } from "../hash.ts";
import { messageIdOf } from "../messageId.ts";
import { type Address, addressOf, type Outgoing, type WorkItem } from "../workItem.ts";
import type { ChainRow } from "./chainRow.ts";
import { limits } from "./limits.ts";

/** What a sender knows of the object it names. */
export interface News {
  readonly uid: string;
  readonly generation: number;
  readonly inputs: string;
  readonly paused: boolean;
  readonly deleting: boolean;
  /** It goes because it was moved to another management cluster. */
  readonly moved?: true;
}

const noNews: News = { uid: "", generation: 0, inputs: "", paused: false, deleting: false };

const outgoing = (item: WorkItem, dueMs: number): Outgoing => ({ item, messageId: messageIdOf(item), dueMs });
const rfc3339 = (ms: number): string => new Date(ms).toISOString();

/** The message by which an object calls itself back at the row's `dueMs`. The row is the one about to be committed. */
export const followUp = (input: {
  readonly address: Address;
  readonly row: ChainRow;
  readonly nowMs: number;
}): Outgoing => {
  const { address, row, nowMs } = input;
  const { uid, turn, incarnation, seen } = row;
  return outgoing(
    {
      ...noNews,
      v: 1,
      ...addressOf(address),
      uid,
      generation: seen?.generation ?? 0,
      inputs: seen?.inputs ?? "",
      turn,
      attempt: 0,
      nonce: incarnation,
      cause: "followUp",
      sentAt: rfc3339(nowMs),
    },
    row.dueMs,
  );
};

/** The message that looks after a live lease once it has ended. A burst of messages makes one: its id carries the nonce. */
export const wake = (input: { readonly item: WorkItem; readonly row: ChainRow; readonly nowMs: number }): Outgoing => {
  const { item, row, nowMs } = input;
  const { listed: _, ...rest } = item;
  return outgoing(
    {
      ...rest,
      uid: row.uid,
      paused: false,
      deleting: false,
      turn: row.turn,
      attempt: 0,
      nonce: row.lease.nonce,
      cause: "wake",
      sentAt: rfc3339(nowMs),
    },
    row.lease.endMs + limits.wakeAfterLeaseMs,
  );
};

/** The same message once more, not before `notBeforeMs` and, as attempts add up, later and later. */
export const again = (item: WorkItem, notBeforeMs: number, nowMs: number): Outgoing => {
  const attempt = item.attempt + 1;
  const pauseMs = Math.min(limits.rescheduleAtMostMs, 1_000 * 2 ** Math.min(attempt, 10));
  return outgoing({ ...item, attempt, sentAt: rfc3339(nowMs) }, Math.max(notBeforeMs, nowMs + pauseMs));
};

/**
 * A doorbell: the object itself (`change`) or one that it obeys (`dependency`) was seen in another state. `versions` are
 * the resourceVersions, as seen, of the object and of all that its `inputs` were computed from, in any order: both
 * watcher replicas, and a producer's retry, make the same id.
 */
export const doorbell = (input: {
  readonly cause: "change" | "dependency";
  readonly address: Address;
  readonly news: News;
  readonly versions: readonly string[];
  readonly nowMs: number;
}): Outgoing =>
  outgoing(
    {
      v: 1,
      ...addressOf(input.address),
      ...input.news,
      attempt: 0,
      nonce: hashOf(input.versions.toSorted()),
      cause: input.cause,
      sentAt: rfc3339(input.nowMs),
    },
    input.nowMs,
  );

interface Timed {
  readonly address: Address;
  /** As known from the index or the listing; empty when not. */
  readonly uid: string;
  /** The timer's scheduled time, equal in all that run for the same tick. */
  readonly scheduledMs: number;
  readonly dueMs: number;
  readonly nowMs: number;
}

/** A message of the resync timer; `listed` when it comes from the hourly listing and not from the index. */
export const resync = (input: Timed & { readonly listed: boolean }): Outgoing =>
  outgoing(
    {
      ...noNews,
      v: 1,
      ...addressOf(input.address),
      uid: input.uid,
      ...(input.listed ? { listed: true } : {}),
      attempt: 0,
      nonce: rfc3339(input.scheduledMs),
      cause: "resync",
      sentAt: rfc3339(input.nowMs),
    },
    input.dueMs,
  );

/** A message of the drift timer: something in Azure that the object owns was changed by somebody. */
export const drift = (input: Timed): Outgoing =>
  outgoing(
    {
      ...noNews,
      v: 1,
      ...addressOf(input.address),
      uid: input.uid,
      attempt: 0,
      nonce: rfc3339(input.scheduledMs),
      cause: "drift",
      sentAt: rfc3339(input.nowMs),
    },
    input.dueMs,
  );

/** A person wants the object to be looked at now. `request` is the id of the request that said so. */
export const replay = (input: {
  readonly address: Address;
  readonly uid: string;
  readonly request: string;
  readonly nowMs: number;
}): Outgoing =>
  outgoing(
    {
      ...noNews,
      v: 1,
      ...addressOf(input.address),
      uid: input.uid,
      attempt: 0,
      nonce: input.request,
      cause: "replay",
      sentAt: rfc3339(input.nowMs),
    },
    input.nowMs,
  );
