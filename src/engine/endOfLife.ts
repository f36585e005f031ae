import { lastRow } from "../core/chain/gone.ts";
import { encodeChainRow } from "../core/chain/rowCodec.ts";
import type { ResourceId, Result } from "../core/types.ts";
import { type Held, readObjectRow, saveRows } from "./fence.ts";
import { releaseIdentities } from "./identityHold.ts";
import { dropFromIndex } from "./indexRow.ts";
import { deletionOf, deletionOfRow, objectRow } from "./ledger.ts";
import { type Ending, surroundings, type Turning } from "./turning.ts";

/**
 * Ends what the tables know of an object: first, fenced, its resource rows; then `between` (the finalizer); then its
 * finalizer on the identity; then the index row and the object row. No outbox. A crash after any of these steps is taken up by the next message. `made`: resources
 * for which this very turn may have stored rows.
 */
export const endOfLife = async (
  turning: Turning,
  result: string,
  made: readonly ResourceId[] = [],
  between: (held: Held) => Promise<Ending | undefined> = () => Promise.resolve(undefined),
): Promise<Ending> => {
  const { deps, rowNames } = turning;
  const rows = [...rowNames.map(deletionOfRow), ...made.map(deletionOf)];
  const distinct = [...new Map(rows.map((action) => [action.row, action])).values()];
  const emptied = await saveRows(turning.held, distinct, deps, "toTheEnd");
  if (emptied.kind === "failed") return { kind: "tables", failure: emptied.failure };
  if (emptied.kind !== "saved") return { kind: "lost" };
  const stopped = await between(emptied.held);
  if (stopped !== undefined) return stopped;
  // Last: without its identity nothing of the object could have been deleted.
  const released = await releaseIdentities(turning);
  if (!released.ok) return surroundings(emptied.held, released.error);
  await dropFromIndex(turning, deps);
  return removeObjectRow(emptied.held, turning, result);
};

/** The etag of the row as it is now, while this turn has it. */
const ownEtag = async (
  { partition, nonce }: Held,
  { tables }: Turning["deps"],
): Promise<Result<string | undefined>> => {
  const read = await readObjectRow(tables, partition);
  if (!read.ok) return read;
  return { ok: true, value: read.value?.row.lease.nonce === nonce ? read.value.etag : undefined };
};

/** Written once more under the lease with nothing owed, then deleted alone, so that the etag counts. */
const removeObjectRow = async (held: Held, { deps }: Turning, result: string): Promise<Ending> => {
  const values = encodeChainRow(lastRow(held.row));
  const written = await deps.tables.commit("state", held.partition, [
    { kind: "replace", row: objectRow, values, etag: held.etag },
  ]);
  const own = written.ok ? { ok: true as const, value: written.value.get(objectRow) } : await ownEtag(held, deps);
  // A row that is left would never be looked at again.
  if (!own.ok) return { kind: "tables", failure: own.error };
  const etag = own.value;
  // Somebody else has the row, or it is gone: what is left of it is theirs to judge.
  if (etag === undefined) return { kind: "removed", result };
  const removed = await deps.tables.commit("state", held.partition, [{ kind: "delete", row: objectRow, etag }]);
  return removed.ok || removed.error.code === "PreconditionFailed"
    ? { kind: "removed", result }
    : { kind: "tables", failure: removed.error };
};
