import { cutText } from "../core/cutText.ts";
import type { Deps } from "./deps.ts";
import { isTrouble } from "./exchange.ts";
import { fitting, toldHolds, toldTroubles, toldWrites } from "./explained.ts";
import { encodeHistory, type HistoryEntry } from "./historyRow.ts";
import type { Ending, Turning } from "./turning.ts";

/**
 * In UTF-16 units of JSON, of which one takes at most three bytes: together less than what a row holds even when nothing
 * of it can be compressed.
 */
const mostOf = { writes: 200_000, troubles: 30_000, holds: 10_000, message: 4_096 } as const;

const entryOf = (
  { deps, item, exchanges }: Turning,
  { held, outcome, result, wrote, polled, failure, holds = [] }: Extract<Ending, { kind: "commit" }>,
): HistoryEntry => ({
  kind: "turn",
  atMs: deps.tables.nowMs() ?? 0,
  turn: held.row.turn + 1,
  cause: item.cause,
  generation: outcome.kind === "turned" ? outcome.seen.generation : item.generation,
  result: cutText(result, mostOf.message),
  wrote: wrote.length,
  polled,
  code: failure?.code ?? "",
  message: cutText(failure?.message ?? "", mostOf.message),
  writes: fitting(toldWrites(wrote, exchanges, item.cause), mostOf.writes),
  troubles: fitting(toldTroubles(exchanges), mostOf.troubles),
  holds: fitting(toldHolds(holds), mostOf.holds),
});

/**
 * One row a turn that wrote or failed, as a whole or in one resource, or was held back: best effort, after the commit.
 * Nothing that goes wrong here fails the turn.
 */
export const remember = async (turning: Turning, ending: Extract<Ending, { kind: "commit" }>): Promise<void> => {
  const { deps, exchanges } = turning;
  const { wrote, failure, holds = [] } = ending;
  const isWorthIt =
    wrote.length > 0 ||
    failure !== undefined ||
    holds.length > 0 ||
    exchanges.some((one) => isTrouble(one) || isSent(one));
  if (!isWorthIt) return;
  try {
    await keepHistory(ending.held.partition, entryOf(turning, ending), ending.held.nonce, deps);
  } catch (error) {
    deps.log("warn", "history row not written", { message: String(error) });
  }
};

const isSent = ({ method }: Turning["exchanges"][number]): boolean =>
  method === "PUT" || method === "PATCH" || method === "DELETE";

/** Writes one row and, now and then, forgets old ones. */
export const keepHistory = async (
  partition: string,
  entry: HistoryEntry,
  nonce: string,
  deps: Pick<Deps, "tables" | "log">,
): Promise<void> => {
  const kept = await deps.tables.commit("history", partition, [encodeHistory(entry, nonce)]);
  if (!kept.ok) return deps.log("debug", "history row not written", { code: kept.error.code });
  await note(partition, entry.atMs, deps);
};

// ── how long it is kept ──────────────────────────────────────────────────
const day = 24 * 60 * 60_000;
const keptMs = 30 * day;
/** Of one object. */
const mostRows = 500;
const actionsAtOnce = 90;

/** The partition of a cluster's list of objects that have a history. No object's partition has so short a name. */
const clusterOf = (partition: string): string => partition.split("~", 1)[0] ?? partition;

const note = (partition: string, atMs: number, { tables }: Pick<Deps, "tables">): Promise<unknown> =>
  tables.commit("history", clusterOf(partition), [{ kind: "upsert", row: partition, values: { atMs } }]);

/** An object whose history does not grow is looked at again so much later. */
const againMs = 7 * day;
/** Objects looked at in one run, so that it stays short. */
const objectsAtOnce = 200;

/**
 * Forgets what is older than 30 days, and of each object all but the newest 500 rows: best effort, part of the hourly
 * resync. Looks at objects whose history grew since they were last looked at, and at each once a week.
 */
export const dropOldHistory = async (
  cluster: string,
  nowMs: number,
  deps: Pick<Deps, "tables" | "log">,
): Promise<void> => {
  const listed = await deps.tables.list("history", cluster);
  if (!listed.ok) return deps.log("debug", "history not listed", { code: listed.error.code });
  const due = listed.value
    .map(({ row, values }) => ({
      partition: row,
      atMs: Number(values["atMs"] ?? 0),
      trimmedMs: Number(values["trimmedMs"] ?? 0),
    }))
    .filter(({ trimmedMs }) => nowMs - trimmedMs >= againMs)
    .toSorted((one, other) => one.trimmedMs - other.trimmedMs || one.atMs - other.atMs)
    .slice(0, objectsAtOnce);
  for (const { partition, atMs } of due) await trim(cluster, partition, atMs, nowMs, deps);
};

const trim = async (
  cluster: string,
  partition: string,
  atMs: number,
  nowMs: number,
  { tables, log }: Pick<Deps, "tables" | "log">,
): Promise<void> => {
  const rows = await tables.list("history", partition);
  if (!rows.ok) return log("debug", "history not listed", { code: rows.error.code });
  const newest = rows.value.toSorted(
    (one, other) => Number(other.values["atMs"] ?? 0) - Number(one.values["atMs"] ?? 0),
  );
  const old = newest.filter(({ values }, index) => index >= mostRows || nowMs - Number(values["atMs"] ?? 0) > keptMs);
  for (let from = 0; from < old.length; from += actionsAtOnce) {
    const dropped = await tables.commit(
      "history",
      partition,
      old.slice(from, from + actionsAtOnce).map(({ row }) => ({ kind: "delete", row })),
    );
    if (!dropped.ok) return log("debug", "history not trimmed", { code: dropped.error.code });
  }
  await tables.commit("history", cluster, [
    old.length === rows.value.length
      ? { kind: "delete", row: partition }
      : { kind: "upsert", row: partition, values: { atMs, trimmedMs: nowMs } },
  ]);
};
