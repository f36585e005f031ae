import { hashOf } from "../core/hash.ts";
import { idKey } from "../core/ids.ts";
import { decodeResourceRow, encodeResourceRow, type ResourceRow } from "../core/resourceRow.ts";
import type { Failure, ObjectKey, ResourceId } from "../core/types.ts";
import type { TableAction, TableRow } from "../ports.ts";

/** The resource rows of one object by `idKey(id)`. */
export type Ledger = ReadonlyMap<string, ResourceRow>;

export const objectRow = "object";
const prefix = "resource~";

export const partitionOf = (cluster: string, { kind, namespace, name }: ObjectKey): string =>
  [cluster, namespace, kind, name].join("~");

const rowNameOf = (id: ResourceId): string => `${prefix}${hashOf(idKey(id))}`;

/** Rows that cannot be read are told apart from rows that are not there: their resources are observed anew. */
export const readLedger = (
  rows: readonly TableRow[],
): { readonly ledger: Ledger; readonly damaged: readonly Failure[] } => {
  const decoded = rows.filter(({ row }) => row.startsWith(prefix)).map(decodeResourceRow);
  return {
    ledger: new Map(decoded.flatMap((result) => (result.ok ? [[idKey(result.value.id), result.value] as const] : []))),
    damaged: decoded.flatMap((result) => (result.ok ? [] : [result.error])),
  };
};

/** An upsert: the object row's etag in the same transaction is the fence. */
export const savingOf = (row: ResourceRow): TableAction => ({
  kind: "upsert",
  row: rowNameOf(row.id),
  ...encodeResourceRow(row),
});

export const deletionOf = (id: ResourceId): TableAction => deletionOfRow(rowNameOf(id));

/** The row of any name, deleted. */
export const deletionOfRow = (row: string): TableAction => ({ kind: "delete", row });

/** The same for another object under the same name: waits and holds start anew, what was made stays known. */
export const withoutHolds = (ledger: Ledger): Ledger =>
  new Map(
    [...ledger].map(([key, row]) => {
      const { backoff, ...rest } = row;
      return [key, backoff === undefined && row.writes.length === 0 ? row : { ...rest, writes: [] }];
    }),
  );
