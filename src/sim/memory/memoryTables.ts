import type { Failure, Result } from "../../core/types.ts";
import type { TableAction, TableName, TableRow, Tables } from "../../ports.ts";

/** A fault for one call: it fails before or after it took effect. */
export type TableFault = { readonly kind: "down" } | { readonly kind: "answerLost" };

export interface MemoryTables extends Tables {
  /** All rows of a table, as a copy. */
  rows(table: TableName): readonly TableRow[];
  /** Everything is lost, as if the account had been made anew. */
  clear(): void;
}

const packedLimitBytes = 800 * 1024;
const fail = (code: string, message: string): { readonly ok: false; readonly error: Failure } => ({
  ok: false,
  error: { kind: code === "PreconditionFailed" ? "conflict" : "transient", code, message },
});
const lostRace = (row: string): { readonly ok: false; readonly error: Failure } =>
  fail("PreconditionFailed", `row ${row} was written by somebody else`);

/** The tables in memory. `nowMs` is the service's time; `fault` is asked before every call. */
export const memoryTables = (
  nowMs: () => number,
  fault: (call: "read" | "commit") => TableFault | undefined = () => undefined,
): MemoryTables => {
  const tables = new Map<TableName, Map<string, TableRow>>();
  let version = 0;
  const tableOf = (name: TableName): Map<string, TableRow> => {
    const table = tables.get(name) ?? new Map<string, TableRow>();
    tables.set(name, table);
    return table;
  };
  const keyOf = (partition: string, row: string): string => `${partition}\n${row}`;
  const read = <T>(value: () => T): Promise<Result<T>> =>
    Promise.resolve(
      fault("read") === undefined ? { ok: true, value: value() } : fail("NoAnswer", "tables do not answer"),
    );

  const commit = (
    name: TableName,
    partition: string,
    actions: readonly TableAction[],
  ): Result<ReadonlyMap<string, string>> => {
    const table = tableOf(name);
    const refused = actions.find(
      (action) => !isAllowed(action, table.get(keyOf(partition, action.row)), actions.length === 1),
    );
    if (refused !== undefined) return lostRace(refused.row);
    const large = actions.find((action) => sizeOf(action) > packedLimitBytes);
    if (large !== undefined) return fail("RowTooLarge", `row ${large.row} is larger than 800 KiB`);
    const etags = new Map<string, string>();
    for (const action of actions) {
      if (action.kind === "delete") {
        table.delete(keyOf(partition, action.row));
        continue;
      }
      version += 1;
      const etag = `W/"${version}"`;
      etags.set(action.row, etag);
      // As the real service would: what is stored is a copy.
      const { values, packed } = structuredClone({ values: action.values, packed: action.packed ?? {} });
      table.set(keyOf(partition, action.row), { partition, row: action.row, etag, values, packed });
    }
    return { ok: true, value: etags };
  };

  return {
    nowMs,
    get: (name, partition, row) => read(() => tableOf(name).get(keyOf(partition, row))),
    list: (name, partition) =>
      read(() => [...tableOf(name).values()].filter((one) => one.partition === partition).toSorted(byRow)),
    commit: (name, partition, actions) => {
      const broken = fault("commit");
      if (broken?.kind === "down") return Promise.resolve(fail("NoAnswer", "tables do not answer"));
      const result = commit(name, partition, actions);
      return Promise.resolve(broken?.kind === "answerLost" ? fail("OutcomeUnknown", "no answer came") : result);
    },
    rows: (name) => [...tableOf(name).values()],
    clear: () => tables.clear(),
  };
};

const byRow = (one: TableRow, other: TableRow): number => (one.row < other.row ? -1 : 1);
const sizeOf = (action: TableAction): number => ("packed" in action ? JSON.stringify(action.packed).length / 8 : 0);

const isAllowed = (action: TableAction, present: TableRow | undefined, alone: boolean): boolean => {
  switch (action.kind) {
    case "insert":
      return present === undefined;
    case "replace":
      return present !== undefined && present.etag === action.etag;
    case "upsert":
      return true;
    case "delete":
      return !alone || action.etag === undefined || present?.etag === action.etag;
  }
};
