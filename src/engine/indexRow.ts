import { hashOf } from "../core/hash.ts";
import type { ObjectKey, Result } from "../core/types.ts";
import type { Address } from "../core/workItem.ts";
import type { Deps } from "./deps.ts";
import { partitionOf } from "./ledger.ts";

/** What the resync reads: which objects there are and when they want their next turn. A cache that the listing repairs. */
export interface IndexRow {
  readonly address: Address;
  readonly uid: string;
  readonly dueMs: number;
}

const shards = 8;

/** Partitions of one cluster's index. */
export const indexPartitions = (cluster: string): readonly string[] =>
  Array.from({ length: shards }, (_, shard) => `${cluster}~${shard}`);

const placeOf = (address: Address): { readonly partition: string; readonly row: string } => {
  const hash = hashOf(partitionOf(address.cluster, address));
  return { partition: `${address.cluster}~${Number.parseInt(hash.slice(0, 4), 16) % shards}`, row: hash };
};

export const putInIndex = async ({ address, uid, dueMs }: IndexRow, { tables }: Deps): Promise<Result<unknown>> => {
  const { partition, row } = placeOf(address);
  const { cluster, kind, namespace, name }: Address = address;
  return tables.commit("index", partition, [
    { kind: "upsert", row, values: { cluster, kind, namespace, name, uid, dueMs } },
  ]);
};

/** Best effort: a row that stays is found out by the resync. */
export const dropFromIndex = async (
  { item }: { readonly item: ObjectKey & { readonly cluster: string } },
  { tables, log }: Deps,
): Promise<void> => {
  const { partition, row } = placeOf(item);
  const dropped = await tables.commit("index", partition, [{ kind: "delete", row }]);
  if (!dropped.ok && dropped.error.kind !== "gone")
    log("debug", "index row not deleted", { partition, row, code: dropped.error.code });
};

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** All index rows of a cluster; rows without a kind and name are left out. */
export const readIndex = async (cluster: string, { tables }: Deps): Promise<Result<readonly IndexRow[]>> => {
  const lists = await Promise.all(indexPartitions(cluster).map((partition) => tables.list("index", partition)));
  const broken = lists.find((list) => !list.ok);
  if (broken !== undefined && !broken.ok) return broken;
  const rows = lists.flatMap((list) => (list.ok ? list.value : []));
  return {
    ok: true,
    value: rows.flatMap(({ values }) => {
      const address = {
        cluster,
        kind: text(values["kind"]),
        namespace: text(values["namespace"]),
        name: text(values["name"]),
      };
      const dueMs = values["dueMs"];
      return address.kind === "" || address.name === "" || typeof dueMs !== "number"
        ? []
        : [{ address, uid: text(values["uid"]), dueMs }];
    }),
  };
};
