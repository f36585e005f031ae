import { hashOf } from "../core/hash.ts";
import { encodeResourceRow } from "../core/resourceRow.ts";
import type { Result } from "../core/types.ts";
import type { Exodus } from "./leaving.ts";
import type { Turning } from "./turning.ts";

/**
 * What a person has given up is written down before the finalizer goes: in table `orphans`, where it is listed like what
 * vanished objects left behind, and in the log. Written again after a crash it is the same row.
 */
export const keepAbandoned = async (
  { deps, held, item: { cluster, kind, namespace, name } }: Turning,
  exodus: Exodus,
): Promise<Result<void>> => {
  for (const { row, because } of exodus.values()) {
    if (because !== "released") continue;
    const { values, packed } = encodeResourceRow(row);
    const about = { kind, namespace, name, moved: false, abandoned: true, sinceMs: deps.tables.nowMs() ?? 0 };
    const saved = await deps.tables.commit("orphans", cluster, [
      { kind: "upsert", row: hashOf([held.partition, row.id]), values: { ...values, ...about }, packed },
    ]);
    if (!saved.ok) return saved;
    deps.log("warn", "abandoned", { object: `${namespace}/${name}`, kind, id: row.id });
  }
  return { ok: true, value: undefined };
};
