import type { Json, JsonObject } from "../core/types.ts";
import type { TableAction, TableRow } from "../ports.ts";
import { isJsonObject } from "../wire/json.ts";

/** One row of an object's history: a turn that wrote, failed or was held back, or a person's request for a replay. */
export interface HistoryEntry {
  readonly kind: "turn" | "replay";
  readonly atMs: number;
  readonly turn: number;
  /** Of the message; of a replay who asked for it. */
  readonly cause: string;
  /** Of the object as the turn read it, its own writes included; of a turn that did not get so far, that of the message. */
  readonly generation: number;
  readonly result: string;
  readonly wrote: number;
  readonly polled: number;
  /** Why the turn as a whole failed, or why the replay was asked for; empty: it went through. */
  readonly code: string;
  readonly message: string;
  readonly writes: readonly JsonObject[];
  /** Requests that Azure refused or did not answer. */
  readonly troubles: readonly JsonObject[];
  readonly holds: readonly JsonObject[];
}

/** Newest first in the order of the table, whatever became of the turn numbers. */
const rowNameOf = ({ atMs, turn, kind }: HistoryEntry, nonce: string): string =>
  [String(1e14 - atMs).padStart(15, "0"), kind, turn, nonce].join("~");

/** `nonce`: keeps two rows of one moment apart, and makes repeating one harmless. */
export const encodeHistory = (entry: HistoryEntry, nonce: string): TableAction => {
  const { writes, troubles, holds, ...values } = entry;
  return { kind: "upsert", row: rowNameOf(entry, nonce), values, packed: { writes, troubles, holds } };
};

const listOf = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly Json[]).filter(isJsonObject) : [];

/** Never fails: a row of another release shows as far as it is understood. */
export const decodeHistory = ({ values, packed }: Pick<TableRow, "values" | "packed">): HistoryEntry => {
  const text = (name: string): string => String(values[name] ?? "");
  const count = (name: string): number => Number(values[name] ?? 0) || 0;
  return {
    kind: values["kind"] === "replay" ? "replay" : "turn",
    atMs: count("atMs"),
    turn: count("turn"),
    cause: text("cause"),
    generation: count("generation"),
    result: text("result"),
    wrote: count("wrote"),
    polled: count("polled"),
    code: text("code"),
    message: text("message"),
    writes: listOf(packed["writes"]),
    troubles: listOf(packed["troubles"]),
    holds: listOf(packed["holds"]),
  };
};
