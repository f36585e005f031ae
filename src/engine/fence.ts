import type { ChainRow } from "../core/chain/chainRow.ts";
import {
  afterUnknownWrite,
  beforeWave,
  type Commit,
  commit,
  commitAnew,
  type TurnOutcome,
} from "../core/chain/commit.ts";
import { decodeChainRow, encodeChainRow } from "../core/chain/rowCodec.ts";
import type { Failure, Result } from "../core/types.ts";
import type { Address } from "../core/workItem.ts";
import type { TableAction, Tables } from "../ports.ts";
import type { Deps } from "./deps.ts";
import { objectRow } from "./ledger.ts";

/** The lease of this turn: the row as last read or written under it, and the etag that fences every write. */
export interface Held {
  readonly address: Address;
  readonly partition: string;
  readonly nonce: string;
  readonly row: ChainRow;
  readonly etag: string;
}

/** What became of a fenced write. `finish`: start no further writes and commit; `lost`: another turn has the object. */
export type Saved =
  | { readonly kind: "saved"; readonly held: Held }
  | { readonly kind: "finish"; readonly held: Held }
  | { readonly kind: "missing" }
  | { readonly kind: "lost" }
  | { readonly kind: "failed"; readonly failure: Failure };

/** A transaction takes at most 100 actions; the object row and some room are kept free (design section 4). */
const rowsAtOnce = 89;
/** Of all packed values of a transaction before they are compressed: what is sent is never larger than 3 MB. */
const bytesAtOnce = 2_000_000;
const attempts = 5;

/** The object row of a partition, decoded. A row that cannot be read is a failure of its own, never an absent one. */
export const readObjectRow = async (
  tables: Tables,
  partition: string,
): Promise<Result<{ readonly row: ChainRow; readonly etag: string } | undefined>> => {
  const found = await tables.get("state", partition, objectRow);
  if (!found.ok || found.value === undefined) return found as Result<undefined>;
  const row = decodeChainRow(found.value.values);
  return row.ok ? { ok: true, value: { row: row.value, etag: found.value.etag } } : row;
};

const replacing = (row: ChainRow, etag: string): TableAction => ({
  kind: "replace",
  row: objectRow,
  values: encodeChainRow(row),
  etag,
});

/** Whether the outcome of a write is open: a lost race, or no answer. */
const isOpen = ({ code }: Failure): boolean => code === "PreconditionFailed" || code === "OutcomeUnknown";

/**
 * Writes resource rows in the same transaction as the object row under its etag. When a stop was set meanwhile nothing
 * (more) is written, unless these are facts or deletions that have to go `toTheEnd`.
 */
export const saveRows = async (
  held: Held,
  actions: readonly TableAction[],
  { tables }: Deps,
  how: "unlessStopped" | "toTheEnd" = "unlessStopped",
): Promise<Saved> => {
  let current = held;
  for (const part of chunks(actions)) {
    const saved = await savePart(current, part, tables, how, attempts);
    if (saved.kind !== "saved") return saved;
    current = saved.held;
  }
  return { kind: "saved", held: current };
};

const sizeOf = (action: TableAction): number =>
  "packed" in action && action.packed !== undefined ? JSON.stringify(action.packed).length : 0;

/** Parts of at most so many rows and bytes, at least one. */
export const chunks = (actions: readonly TableAction[]): readonly (readonly TableAction[])[] => {
  let bytes = 0;
  const parts: TableAction[][] = [[]];
  for (const action of actions) {
    const size = sizeOf(action);
    const last = parts.at(-1) ?? [];
    if (last.length > 0 && (last.length === rowsAtOnce || bytes + size > bytesAtOnce)) {
      parts.push([action]);
      bytes = size;
    } else {
      last.push(action);
      bytes += size;
    }
  }
  return parts;
};

const savePart = async (
  held: Held,
  part: readonly TableAction[],
  tables: Tables,
  how: "unlessStopped" | "toTheEnd",
  left: number,
): Promise<Saved> => {
  const written = await tables.commit("state", held.partition, [replacing(held.row, held.etag), ...part]);
  if (written.ok) return { kind: "saved", held: { ...held, etag: written.value.get(objectRow) ?? held.etag } };
  if (!isOpen(written.error) || left === 0) return { kind: "failed", failure: written.error };
  const read = await readObjectRow(tables, held.partition);
  if (!read.ok) return { kind: "failed", failure: read.error };
  if (read.value === undefined) return { kind: "missing" };
  const now = { ...held, ...read.value };
  switch (beforeWave(now.row, held.nonce)) {
    case "goOn":
      return savePart(now, part, tables, how, left - 1);
    case "finish":
      return how === "toTheEnd" ? savePart(now, part, tables, how, left - 1) : { kind: "finish", held: now };
    case "stop":
      return { kind: "lost" };
  }
};

export type Committed =
  | { readonly kind: "committed"; readonly row: ChainRow; readonly etag: string }
  | { readonly kind: "lost" }
  | { readonly kind: "failed"; readonly failure: Failure };

/**
 * The last transaction of a turn: its resource rows and the object row, one turn further, with one message owed. `held`
 * undefined: the row has vanished and is made anew.
 */
export const commitTurn = async (
  held: Held,
  outcome: TurnOutcome,
  actions: readonly TableAction[],
  deps: Deps,
): Promise<Committed> => {
  const parts = chunks(actions);
  const early = parts.slice(0, -1).flat();
  const saved = early.length === 0 ? undefined : await saveRows(held, early, deps, "toTheEnd");
  if (saved?.kind === "failed") return saved;
  if (saved?.kind === "lost") return saved;
  if (saved?.kind === "missing") return insertAnew(held, outcome, actions, deps);
  return commitPart(saved?.held ?? held, outcome, parts.at(-1) ?? [], deps, attempts);
};

const inputOf = (held: Held, outcome: TurnOutcome, deps: Deps): Commit => ({
  row: held.row,
  address: held.address,
  outcome,
  nowMs: deps.tables.nowMs() ?? 0,
  incarnation: deps.nonce(),
});

/** When the object will want its next turn if this outcome is committed, as far as the flags are known now. */
export const dueAfter = (held: Held, outcome: TurnOutcome, deps: Deps): number =>
  commit(inputOf(held, outcome, deps)).dueMs;

const commitPart = async (
  held: Held,
  outcome: TurnOutcome,
  part: readonly TableAction[],
  deps: Deps,
  left: number,
): Promise<Committed> => {
  const row = commit(inputOf(held, outcome, deps));
  const written = await deps.tables.commit("state", held.partition, [replacing(row, held.etag), ...part]);
  if (written.ok) return { kind: "committed", row, etag: written.value.get(objectRow) ?? "" };
  if (!isOpen(written.error) || left === 0) return { kind: "failed", failure: written.error };
  const read = await readObjectRow(deps.tables, held.partition);
  if (!read.ok) return { kind: "failed", failure: read.error };
  switch (afterUnknownWrite({ row: read.value?.row, nonce: held.nonce, turnBefore: held.row.turn })) {
    case "committed":
      return read.value === undefined ? { kind: "lost" } : { kind: "committed", ...read.value };
    case "writeAgain":
      return commitPart({ ...held, ...read.value }, outcome, part, deps, left - 1);
    case "insert":
      return insertAnew(held, outcome, part, deps);
    case "stop":
      return { kind: "lost" };
  }
};

const insertAnew = async (
  held: Held,
  outcome: TurnOutcome,
  part: readonly TableAction[],
  deps: Deps,
): Promise<Committed> => {
  const row = commitAnew(inputOf(held, outcome, deps));
  const insert: TableAction = { kind: "insert", row: objectRow, values: encodeChainRow(row) };
  const [last = [], ...others] = chunks(part).toReversed();
  for (const rows of others) {
    const early = await deps.tables.commit("state", held.partition, rows);
    if (!early.ok) return { kind: "failed", failure: early.error };
  }
  const written = await deps.tables.commit("state", held.partition, [insert, ...last]);
  if (written.ok) return { kind: "committed", row, etag: written.value.get(objectRow) ?? "" };
  return isOpen(written.error) ? { kind: "lost" } : { kind: "failed", failure: written.error };
};
