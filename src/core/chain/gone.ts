import type { ChainRow } from "./chainRow.ts";
import type { TurnOutcome } from "./commit.ts";
import { limits } from "./limits.ts";

export type GoneVerdict =
  | { readonly kind: "wait"; readonly outcome: TurnOutcome & { readonly kind: "gone" } }
  /** Move what the ledger lists to the orphans, delete the index row and the rows; no outbox. */
  | { readonly kind: "remove" };

/**
 * What a NotFound that names the object means: at first only that it may be gone, since an API server restored from an
 * old copy says so too. With nothing in the ledger there is nothing to lose.
 */
export const gone = (input: {
  readonly row: ChainRow;
  readonly nowMs: number;
  readonly ledgerEmpty: boolean;
}): GoneVerdict => {
  const { row, nowMs, ledgerEmpty } = input;
  const sinceMs = row.goneSinceMs ?? nowMs;
  return ledgerEmpty || nowMs >= sinceMs + limits.goneMs
    ? { kind: "remove" }
    : { kind: "wait", outcome: { kind: "gone", sinceMs } };
};

/**
 * The row just before it is deleted: still under the own lease, nothing owed. Written with the deletes of all other rows
 * in one transaction under If-Match; the row itself goes next, alone, under If-Match on the new etag. A message that
 * comes in between meets the lease, and its wake finds no row and runs.
 */
export const lastRow = (row: ChainRow): ChainRow => {
  const { outbox: _, ...rest } = row;
  return { ...rest, sent: true };
};

/** What became of the removal when its answer was 412 or unknown, told by the row as read then. */
export const afterUnknownRemoval = (row: ChainRow | undefined, nonce: string): "removed" | "removeAgain" | "stop" => {
  if (row === undefined) return "removed";
  return row.lease.nonce === nonce && row.lease.endMs !== 0 ? "removeAgain" : "stop";
};
