import {
  decodeSharedWait,
  encodeSharedWait,
  isForgotten,
  meet,
  type SharedWait,
  waitAfter,
  waiting,
} from "../../core/sharedWait.ts";
import type { Failure } from "../../core/types.ts";
import type { TableAction, TableRow } from "../../ports.ts";
import type { Deps } from "../deps.ts";
import type { Waits } from "./sharedCache.ts";

/**
 * Table `shared`: a partition for each subscription, a row for each cause (`auth~…`, `quota~…`, `offering~…`). Hints whose
 * loss costs retries only, so a table that does not answer is no hindrance.
 */
type Tabled = Pick<Deps, "tables" | "shared" | "random" | "log">;

const partitionOf = (subscription: string): string => `backoff~${subscription}`.toLowerCase();

/** A row's name of its parts; signs that a table does not take in names are replaced. */
export const rowName = (...parts: readonly string[]): string =>
  parts.map((part) => part.toLowerCase().replaceAll(/[/\\#?~\s]/g, ".")).join("~");

const nowOf = ({ tables }: Pick<Deps, "tables">): number => tables.nowMs() ?? 0;

/** Rows that are removed at one read: what is left goes at the next. */
const mostDropped = 20;

/** Best effort; whoever has just met the cause again has another etag. */
const dropForgotten = async (partition: string, rows: readonly TableRow[], deps: Tabled): Promise<void> => {
  for (const { row, etag } of rows.slice(0, mostDropped))
    await deps.tables.commit("shared", partition, [{ kind: "delete", row, etag }]);
};

/** All waits of a subscription; read at most every few seconds. Those that nobody has met for a day go. */
export const waitsOf = async (subscription: string, deps: Tabled): Promise<Waits> => {
  const partition = partitionOf(subscription);
  const kept = deps.shared.get(partition, nowOf(deps));
  if (kept !== undefined) return kept;
  const rows = await deps.tables.list("shared", partition);
  if (!rows.ok) deps.log("debug", "shared waits not read", { code: rows.error.code });
  const all = rows.ok ? rows.value : [];
  const old = all.filter(({ values }) => isForgotten(values["untilMs"], nowOf(deps)));
  await dropForgotten(partition, old, deps);
  const waits: Waits = new Map(
    all.flatMap(({ row, etag, packed }) => {
      const wait = decodeSharedWait(packed);
      return wait === undefined ? [] : [[row, { wait, etag }] as const];
    }),
  );
  deps.shared.set(partition, waits, nowOf(deps));
  return waits;
};

const commit = async (subscription: string, action: TableAction, deps: Tabled): Promise<boolean> => {
  const partition = partitionOf(subscription);
  const done = await deps.tables.commit("shared", partition, [action]);
  deps.shared.drop(partition);
  if (!done.ok) deps.log("debug", "shared wait not written", { code: done.error.code });
  return done.ok;
};

const put = (subscription: string, row: string, wait: SharedWait, etag: string | undefined, deps: Tabled) => {
  const stored = encodeSharedWait(wait);
  return commit(
    subscription,
    etag === undefined ? { kind: "insert", row, ...stored } : { kind: "replace", row, etag, ...stored },
    deps,
  );
};

/** Who is about to try what others may have failed at. */
export interface Trying {
  readonly subscription: string;
  /** Rows of all causes that would make it fail. */
  readonly rows: readonly string[];
  /** Of this turn: names its probe. */
  readonly nonce: string;
  /** A person asks, or has changed the plan. */
  readonly hurried: boolean;
}

/** Undefined: go on, perhaps as the one that probes. Else the failure of those before, with the time to look again. */
export const meetWaits = async (trying: Trying, deps: Tabled, left = 1): Promise<Failure | undefined> => {
  const { subscription, rows, nonce, hurried } = trying;
  const waits = await waitsOf(subscription, deps);
  for (const row of rows) {
    const kept = waits.get(row);
    const met = meet(kept?.wait, { nowMs: nowOf(deps), nonce, hurried });
    if (met.kind === "wait") return met.failure;
    if (met.kind === "go" || kept === undefined) continue;
    if (await put(subscription, row, met.wait, kept.etag, deps)) continue;
    // Somebody was faster: perhaps this very turn, for another resource.
    if (left > 0) return meetWaits({ ...trying, hurried: false }, deps, left - 1);
    return waiting(met.wait, nowOf(deps));
  }
  return undefined;
};

/** One more failure of a cause: the others wait from now on, and so does this one. Unshared when the table does not take it. */
export const tellWait = async (subscription: string, row: string, failure: Failure, deps: Tabled): Promise<Failure> => {
  const before = (await waitsOf(subscription, deps)).get(row);
  const nowMs = nowOf(deps);
  const wait = waitAfter(before?.wait, failure, { nowMs, random0to1: deps.random() });
  if (await put(subscription, row, wait, before?.etag, deps)) return waiting(wait, nowMs);
  const other = (await waitsOf(subscription, deps)).get(row);
  return other === undefined ? failure : waiting(other.wait, nowMs);
};

/** It went well: nobody waits any longer. */
export const clearWaits = async (subscription: string, rows: readonly string[], deps: Tabled): Promise<void> => {
  const waits = await waitsOf(subscription, deps);
  for (const row of rows) {
    const kept = waits.get(row);
    if (kept !== undefined) await commit(subscription, { kind: "delete", row, etag: kept.etag }, deps);
  }
};
