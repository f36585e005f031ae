import { hashOf } from "../core/hash.ts";
import type { Json, ObjectKey, Result } from "../core/types.ts";
import { type Address, isAddress } from "../core/workItem.ts";
import type { TableAction, TableRow } from "../ports.ts";
import type { Deps } from "./deps.ts";
import { partitionOf } from "./ledger.ts";

/** What the timers read: which objects there are and what they want. A cache that the listing repairs. */
export interface IndexRow {
  readonly address: Address;
  readonly uid: string;
  /** When it wants its next turn. */
  readonly dueMs: number;
  /** Ids of its ledger. Default none: a listing knows the object, and no turn has told of its resources yet. */
  readonly resources?: readonly string[];
  /** `namespace/name` of the identity with which it asks Azure. Default: not known, or none of its own. */
  readonly identity?: string;
}

/** All that the index says of one management cluster. */
export interface Index {
  readonly rows: readonly IndexRow[];
  /** Rows that name no object, or another than their place says. */
  readonly damaged: readonly Pick<TableRow, "partition" | "row">[];
}

const shards = 8;
/** Of one transaction. */
const rowsAtOnce = 90;

/** Partitions of one cluster's index. */
export const indexPartitions = (cluster: string): readonly string[] =>
  Array.from({ length: shards }, (_, shard) => `${cluster}~${shard}`);

const placeOf = (address: Address): Pick<TableRow, "partition" | "row"> => {
  const hash = hashOf(partitionOf(address.cluster, address));
  return { partition: `${address.cluster}~${Number.parseInt(hash.slice(0, 4), 16) % shards}`, row: hash };
};

const upsertOf = ({ address, uid, dueMs, resources, identity }: IndexRow): TableAction => {
  const { cluster, kind, namespace, name } = address;
  return {
    kind: "upsert",
    row: placeOf(address).row,
    values: { cluster, kind, namespace, name, uid, dueMs, ...(identity !== undefined && { identity }) },
    ...(resources !== undefined && resources.length > 0 && { packed: { resources } }),
  };
};

export const putInIndex = async (row: IndexRow, { tables }: Deps): Promise<Result<unknown>> =>
  tables.commit("index", placeOf(row.address).partition, [upsertOf(row)]);

/** Many at once; stops at the first transaction that fails. */
export const putAllInIndex = async (rows: readonly IndexRow[], { tables }: Deps): Promise<Result<void>> => {
  const byPartition = Map.groupBy(rows, ({ address }) => placeOf(address).partition);
  for (const [partition, some] of byPartition) {
    for (let from = 0; from < some.length; from += rowsAtOnce) {
      const put = await tables.commit("index", partition, some.slice(from, from + rowsAtOnce).map(upsertOf));
      if (!put.ok) return put;
    }
  }
  return { ok: true, value: undefined };
};

/** Best effort: a row that stays is found out by the resync. */
export const dropFromIndex = async (
  { item }: { readonly item: ObjectKey & { readonly cluster: string } },
  deps: Deps,
): Promise<void> => dropRow(placeOf(item), deps);

/** Best effort. */
export const dropRow = async (
  { partition, row }: Pick<TableRow, "partition" | "row">,
  { tables, log }: Deps,
): Promise<void> => {
  const dropped = await tables.commit("index", partition, [{ kind: "delete", row }]);
  if (!dropped.ok && dropped.error.kind !== "gone")
    log("debug", "index row not deleted", { partition, row, code: dropped.error.code });
};

const text = (value: unknown): string => (typeof value === "string" ? value : "");

const resourcesOf = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((id) => typeof id === "string") : [];

/** Undefined for a damaged row: what it names would become keys, and paths of the API server. */
const decode = ({ partition, row, values, packed }: TableRow): IndexRow | undefined => {
  const { cluster, kind, namespace, name, uid, dueMs, identity } = values;
  const address: Address = {
    cluster: text(cluster),
    kind: text(kind),
    namespace: text(namespace),
    name: text(name),
  };
  if (!isAddress(address) || typeof dueMs !== "number" || !Number.isFinite(dueMs)) return undefined;
  const place = placeOf(address);
  if (place.partition !== partition || place.row !== row) return undefined;
  const resources = resourcesOf(packed["resources"]);
  return {
    address,
    uid: text(uid),
    dueMs,
    ...(resources.length > 0 && { resources }),
    ...(typeof identity === "string" && { identity }),
  };
};

/** The whole index of a cluster. */
export const readIndex = async (cluster: string, { tables }: Deps): Promise<Result<Index>> => {
  const lists = await Promise.all(indexPartitions(cluster).map((partition) => tables.list("index", partition)));
  const broken = lists.find((list) => !list.ok);
  if (broken !== undefined && !broken.ok) return broken;
  const all = lists.flatMap((list) => (list.ok ? list.value : [])).map((stored) => ({ stored, row: decode(stored) }));
  return {
    ok: true,
    value: {
      rows: all.flatMap(({ row }) => row ?? []),
      damaged: all.flatMap(({ stored: { partition, row: name }, row }) =>
        row === undefined ? [{ partition, row: name }] : [],
      ),
    },
  };
};
