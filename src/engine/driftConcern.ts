import { decodeChainRow } from "../core/chain/rowCodec.ts";
import type { ResourceRow } from "../core/resourceRow.ts";
import type { Result } from "../core/types.ts";
import type { Deps } from "./deps.ts";
import type { ResourceChange } from "./driftChanges.ts";
import type { IndexRow } from "./indexRow.ts";
import { objectRow, partitionOf, readLedger } from "./ledger.ts";

/** A look that is so much younger than a change has seen it, whatever the clocks of Azure's services say. */
const certainMs = 60_000;

/**
 * Whether a change is news to an object: none of the resources that it is about was looked at since, and none of the
 * object's last writes brought it about. A write to a child shows as a change of its parent, so all of them count.
 */
export const isNews = (
  { atMs, correlationId }: Pick<ResourceChange, "atMs" | "correlationId">,
  about: readonly Pick<ResourceRow, "observedAtMs">[],
  ownWrites: ReadonlySet<string>,
): boolean => !ownWrites.has(correlationId) && about.some(({ observedAtMs }) => atMs > observedAtMs - certainMs);

/** Whether any of the changes is news to the object; not when it is to look at Azure anyway. */
export const isConcerned = async (
  cluster: string,
  { address }: IndexRow,
  changes: readonly ResourceChange[],
  aboutOf: (id: string) => readonly string[],
  deps: Deps,
): Promise<Result<boolean>> => {
  const partition = partitionOf(cluster, address);
  const rows = await deps.tables.list("state", partition);
  if (!rows.ok) return rows;
  const { ledger } = readLedger(rows.value);
  const own = new Set(
    [...ledger.values()].flatMap(({ correlationId }) => (correlationId === undefined ? [] : [correlationId])),
  );
  const news = changes.some((change) =>
    isNews(
      change,
      aboutOf(change.id).flatMap((key) => ledger.get(key) ?? []),
      own,
    ),
  );
  if (!news) return { ok: true, value: false };
  // It looks at Azure anyway. A row that cannot be read is the turn's business.
  const chain = decodeChainRow(rows.value.find(({ row }) => row === objectRow)?.values);
  return { ok: true, value: !(chain.ok && chain.value.why.observe) };
};
