import type { ChainRow } from "../core/chain/chainRow.ts";
import { limits } from "../core/chain/limits.ts";
import { decodeChainRow } from "../core/chain/rowCodec.ts";
import type { Result } from "../core/types.ts";
import type { Deps } from "./deps.ts";
import { objectRow } from "./ledger.ts";

/** The object row as judging a message needs it. */
export interface FoundRow {
  /** Undefined: there is none, or what is there cannot be read and is as good as lost. */
  readonly row: ChainRow | undefined;
  /** Of what is there, readable or not: the fence under which it is replaced. */
  readonly etag: string | undefined;
}

/**
 * A damaged row counts as a lost one, so that its object is observed anew, unless it still shows a live lease: then
 * `RowDamaged` says to come again once that has ended. A row of a newer release is left alone: `RowFromTheFuture`.
 */
export const findObjectRow = async (partition: string, { tables, log }: Deps): Promise<Result<FoundRow>> => {
  const found = await tables.get("state", partition, objectRow);
  if (!found.ok) return found;
  if (found.value === undefined) return { ok: true, value: { row: undefined, etag: undefined } };
  const { values, etag } = found.value;
  const row = decodeChainRow(values);
  if (row.ok) return { ok: true, value: { row: row.value, etag } };
  if (row.error.code !== "RowDamaged") return row;
  const leaseEndMs = Number(values["leaseEndMs"] ?? 0);
  const nowMs = tables.nowMs() ?? 0;
  // A lease that ends later than any can is part of the damage.
  if (leaseEndMs > nowMs && leaseEndMs <= nowMs + limits.leaseMs) return row;
  log("warn", "object row not readable", { partition, code: row.error.code, message: row.error.message });
  return { ok: true, value: { row: undefined, etag } };
};
