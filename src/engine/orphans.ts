import type { Result } from "../core/types.ts";
import { savingOf } from "./ledger.ts";
import type { Turning } from "./turning.ts";

/** What a vanished object leaves behind in Azure is listed for whoever looks for it. */
export const keepOrphans = async ({ deps, ledger, held, item }: Turning): Promise<Result<void>> => {
  const rows = [...ledger.values()].filter(({ known }) => known === "created" || known === "adopted");
  for (const row of rows) {
    const saved = await deps.tables.commit("orphans", held.partition, [savingOf(row)]);
    if (!saved.ok) return saved;
    deps.log("warn", "orphan", { object: `${item.namespace}/${item.name}`, kind: item.kind, id: row.id });
  }
  return { ok: true, value: undefined };
};
