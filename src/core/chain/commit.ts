import type { Address } from "../workItem.ts";
import type { ChainRow, Seen } from "./chainRow.ts";
import { backOffMs, limits } from "./limits.ts";
import { followUp } from "./messages.ts";

/** How a turn ended, as far as the chain is concerned. */
export type TurnOutcome =
  | {
      /** It went through, whatever Azure answered. */
      readonly kind: "turned";
      /** What it really read; the own writes confirmed by the API server included. */
      readonly seen: Seen;
      /** Earliest of poll, back-off, hold, token expiry, drift period; now when steps are left over for lack of time. */
      readonly dueMs: number;
      /** It neither wrote to Azure nor polled. */
      readonly idle: boolean;
      /** Everything was read from Azure afresh. */
      readonly observed: boolean;
      /** Nothing is left to do. */
      readonly settled: boolean;
    }
  /** The API server says that the object does not exist, and its rows are kept for now. */
  | { readonly kind: "gone"; readonly sinceMs: number }
  /** API server, identity or another's queue failed: what was seen stays, the next try follows the back-off. */
  | { readonly kind: "surroundings" }
  /** An exception in our own code. */
  | { readonly kind: "defect" };

export interface Commit {
  /** As last read or written under the own nonce: it carries the flags. */
  readonly row: ChainRow;
  readonly address: Address;
  readonly outcome: TurnOutcome;
  readonly nowMs: number;
  /** Random; used when the object read is another one under the same name. */
  readonly incarnation: string;
}

const afterTurn = (row: ChainRow, outcome: TurnOutcome & { kind: "turned" }, commit: Commit): ChainRow => {
  const { goneSinceMs: _, ...rest } = row;
  const another = row.uid !== "" && row.uid !== outcome.seen.uid;
  return {
    ...rest,
    uid: outcome.seen.uid,
    seen: outcome.seen,
    incarnation: another ? commit.incarnation : row.incarnation,
    // What came together with `dirty` came after the turn had read.
    why: row.dirty
      ? row.why
      : { observe: row.why.observe && !outcome.observed, human: row.why.human && !outcome.settled },
    dueMs: Math.max(outcome.dueMs, commit.nowMs + (outcome.idle ? limits.idleDueAtLeastMs : limits.dueAtLeastMs)),
    surroundings: 0,
    defects: 0,
  };
};

const afterOutcome = (commit: Commit): ChainRow => {
  const { row, outcome, nowMs } = commit;
  switch (outcome.kind) {
    case "turned":
      return afterTurn(row, outcome, commit);
    case "gone":
      return {
        ...row,
        goneSinceMs: outcome.sinceMs,
        dueMs: outcome.sinceMs + limits.goneMs,
        surroundings: 0,
        defects: 0,
      };
    case "surroundings": {
      const surroundings = row.surroundings + 1;
      return { ...row, surroundings, dueMs: nowMs + backOffMs(surroundings, limits.surroundings) };
    }
    case "defect": {
      const defects = row.defects + 1;
      return { ...row, defects, dueMs: nowMs + backOffMs(defects, limits.defect) };
    }
  }
};

/** The row that ends a turn: one turn further, lease released (its nonce stays), and one message owed to the object itself. */
export const commit = (input: Commit): ChainRow => {
  const { row, address, nowMs } = input;
  const next = afterOutcome(input);
  const committed: ChainRow = {
    ...next,
    turn: row.turn + 1,
    lease: { nonce: row.lease.nonce, endMs: 0 },
    dirty: false,
    stop: false,
    dueMs: row.dirty || row.stop ? nowMs : next.dueMs,
    sent: false,
  };
  return { ...committed, outbox: followUp({ address, row: committed, nowMs }) };
};

/**
 * The same when the row has vanished: to be inserted (on 409 the turn stops). It has a new incarnation, reads Azure
 * afresh, and is due now: a message that had set `dirty` on the lost row was completed, and its wake names a past turn.
 */
export const commitAnew = (input: Commit): ChainRow =>
  commit({
    ...input,
    row: { ...input.row, incarnation: input.incarnation, dirty: true, why: { ...input.row.why, observe: true } },
  });

/**
 * What became of a fenced write whose answer was 412 or unknown, told by the row as read then. `writeAgain`: under the
 * etag and with the flags just read. `insert`: `commitAnew`, and nothing but that. `stop`: write nothing,
 * send nothing, and judge the message again: who took the lease over may have died since.
 */
export const afterUnknownWrite = (input: {
  readonly row: ChainRow | undefined;
  readonly nonce: string;
  readonly turnBefore: number;
}): "committed" | "writeAgain" | "insert" | "stop" => {
  const { row, nonce, turnBefore } = input;
  if (row === undefined) return "insert";
  if (row.lease.nonce !== nonce) return "stop";
  if (row.turn === turnBefore) return "writeAgain";
  return row.turn === turnBefore + 1 ? "committed" : "stop";
};

/**
 * Whether a turn may start its next wave of writes, told by the row as read just before. `finish`: start nothing more
 * and commit (with `commitAnew` when there is no row). `stop`: as after a lost race.
 */
export const beforeWave = (row: ChainRow | undefined, nonce: string): "goOn" | "finish" | "stop" => {
  if (row === undefined) return "finish";
  if (row.lease.nonce !== nonce || row.lease.endMs === 0) return "stop";
  return row.stop ? "finish" : "goOn";
};
