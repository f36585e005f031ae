import type { ChainRow } from "../core/chain/chainRow.ts";
import { judge, type Verdict } from "../core/chain/judge.ts";
import { encodeChainRow } from "../core/chain/rowCodec.ts";
import type { Failure, Result } from "../core/types.ts";
import { addressOf, type Outgoing, type WorkItem } from "../core/workItem.ts";
import type { TableAction } from "../ports.ts";
import type { Deps } from "./deps.ts";
import { type Held, readObjectRow } from "./fence.ts";
import { objectRow, partitionOf } from "./ledger.ts";
import { findObjectRow } from "./lostRow.ts";
import { sendOutgoing } from "./send.ts";

/** What judging a message led to. */
export type Judged =
  | { readonly kind: "ended"; readonly why: string }
  | {
      readonly kind: "held";
      readonly held: Held;
      readonly takenOver: boolean;
      /** Monotonic time at which the request was sent whose `Date` the lease's end is computed from. */
      readonly startedMs: number;
    }
  | { readonly kind: "failed"; readonly failure: Failure };

const attempts = 20;

/** Reads the row, judges the message, and does what the verdict says, until it ends or the lease is taken. */
export const takeLease = async (item: WorkItem, deps: Deps, left = attempts): Promise<Judged> => {
  const partition = partitionOf(item.cluster, item);
  const startedMs = deps.clock.monotonicMs();
  const read = await findObjectRow(partition, deps);
  if (!read.ok) return { kind: "failed", failure: read.error };
  const nowMs = deps.tables.nowMs() ?? 0;
  const nonce = deps.nonce();
  const verdict = judge({ row: read.value.row, item, nowMs, nonce, incarnation: deps.nonce() });
  const again = (): Promise<Judged> =>
    left === 0
      ? Promise.resolve({
          kind: "failed",
          failure: { kind: "conflict", code: "RowContended", message: `row of ${partition} is changed all the time` },
        })
      : takeLease(item, deps, left - 1);
  switch (verdict.kind) {
    case "end":
      return { kind: "ended", why: verdict.why };
    case "reschedule":
      return endedAfter(await sendOutgoing([verdict.outgoing], deps), "rescheduled");
    case "flush": {
      const sent = await sendOutgoing([verdict.outgoing], deps);
      if (!sent.ok) return { kind: "failed", failure: sent.error };
      await write(partition, verdict.row, read.value.etag, deps);
      return again();
    }
    case "defer":
      return defer(partition, verdict, read.value.etag, deps, again);
    case "run": {
      const taken = await take(partition, verdict.row, read.value.etag, deps);
      if (taken.kind === "contended") return again();
      if (taken.kind === "failed") return taken;
      const held = { address: addressOf(item), partition, nonce, row: verdict.row, etag: taken.etag };
      return { kind: "held", held, takenOver: verdict.takenOver, startedMs };
    }
  }
};

const endedAfter = (sent: Result<void>, why: string): Judged =>
  sent.ok ? { kind: "ended", why } : { kind: "failed", failure: sent.error };

const defer = async (
  partition: string,
  verdict: Extract<Verdict, { kind: "defer" }>,
  etag: string | undefined,
  deps: Deps,
  again: () => Promise<Judged>,
): Promise<Judged> => {
  const sent = await sendOutgoing([verdict.wake as Outgoing], deps);
  if (!sent.ok || verdict.row === undefined) return endedAfter(sent, "another turn has the lease");
  const written = await write(partition, verdict.row, etag, deps);
  if (written.ok) return { kind: "ended", why: "another turn has the lease" };
  return written.error.code === "PreconditionFailed" ? again() : { kind: "failed", failure: written.error };
};

const write = (
  partition: string,
  row: ChainRow,
  etag: string | undefined,
  { tables }: Deps,
): Promise<Result<ReadonlyMap<string, string>>> => {
  const values = encodeChainRow(row);
  const action: TableAction =
    etag === undefined ? { kind: "insert", row: objectRow, values } : { kind: "replace", row: objectRow, values, etag };
  return tables.commit("state", partition, [action]);
};

type Taken =
  | { readonly kind: "taken"; readonly etag: string }
  | { readonly kind: "contended" }
  | { readonly kind: "failed"; readonly failure: Failure };

/** A lost race or a missing answer after which the row shows the own nonce means taken. */
const take = async (partition: string, row: ChainRow, etag: string | undefined, deps: Deps): Promise<Taken> => {
  const written = await write(partition, row, etag, deps);
  if (written.ok) return { kind: "taken", etag: written.value.get(objectRow) ?? "" };
  const { code } = written.error;
  if (code !== "PreconditionFailed" && code !== "OutcomeUnknown") return { kind: "failed", failure: written.error };
  const read = await readObjectRow(deps.tables, partition);
  if (!read.ok) return { kind: "failed", failure: read.error };
  return read.value?.row.lease.nonce === row.lease.nonce
    ? { kind: "taken", etag: read.value.etag }
    : { kind: "contended" };
};
