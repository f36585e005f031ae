import { hashOf } from "../core/hash.ts";
import { encodeResourceRow } from "../core/resourceRow.ts";
import type { Result } from "../core/types.ts";
import type { Deps } from "./deps.ts";
import { movableRow } from "./marker.ts";
import type { Turning } from "./turning.ts";

const day = 24 * 60 * 60_000;
/** How long orphans are listed. */
const keptMs = 90 * day;

/**
 * What a vanished object leaves behind in Azure is listed for whoever looks for it: in table `orphans`, one partition a
 * management cluster. `moved`: the object was paused and free to be moved when it was last seen, or
 * the watcher saw that it went because it was moved.
 */
export const keepOrphans = async ({ deps, ledger, held, item, rowNames }: Turning): Promise<Result<void>> => {
  const moved = rowNames.includes(movableRow) || item.moved === true;
  const { cluster, kind, namespace, name } = item;
  const rows = [...ledger.values()].filter(({ known }) => known === "created" || known === "adopted");
  for (const row of rows) {
    const { values, packed } = encodeResourceRow(row);
    const about = { kind, namespace, name, moved, sinceMs: deps.tables.nowMs() ?? 0 };
    const saved = await deps.tables.commit("orphans", cluster, [
      { kind: "upsert", row: hashOf([held.partition, row.id]), values: { ...values, ...about }, packed },
    ]);
    if (!saved.ok) return saved;
    deps.log("warn", moved ? "moved" : "orphan", { object: `${namespace}/${name}`, kind, id: row.id });
  }
  return { ok: true, value: undefined };
};

/** Forgets orphans after 90 days; best effort, part of the hourly resync. */
export const dropOldOrphans = async (cluster: string, nowMs: number, { tables, log }: Deps): Promise<void> => {
  const listed = await tables.list("orphans", cluster);
  if (!listed.ok) return log("debug", "orphans not listed", { code: listed.error.code });
  const old = listed.value.filter(({ values }) => nowMs - Number(values["sinceMs"] ?? nowMs) > keptMs);
  for (const { row } of old) await tables.commit("orphans", cluster, [{ kind: "delete", row }]);
};
