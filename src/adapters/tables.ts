import type { TableClient, TableEntity, TransactionAction } from "@azure/data-tables";
import type { Failure, Result } from "../core/types.ts";
import type { TableAction, TableRow, Tables } from "../ports.ts";
import { serviceClock } from "./serviceClock.ts";
import { type TableClients, type TablesSource, tableClients } from "./tablesClients.ts";
import { fromEntity, toEntity } from "./tablesEntity.ts";
import { readFailure, type TableError, tableError, writeFailure } from "./tablesErrors.ts";

export interface TablesOptions {
  readonly source: TablesSource;
  /** Before the name of each table. Default `capstan`. */
  readonly prefix?: string;
  /** Default: this process's own. */
  readonly monotonicMs?: () => number;
}

const requestMs = 10_000;
/** Of a transaction's request; base64 makes four bytes of three. */
const mostTransactionBytes = 2_900_000;

const aborted = (): { readonly abortSignal: AbortSignal } => ({ abortSignal: AbortSignal.timeout(requestMs) });
const failed = (error: Failure): Result<never> => ({ ok: false, error });
const isMissingTable = ({ code }: TableError): boolean => code === "TableNotFound";

const getRow = async (client: TableClient, partition: string, row: string): Promise<Result<TableRow | undefined>> => {
  try {
    return { ok: true, value: fromEntity(await client.getEntity(partition, row, aborted())) };
  } catch (thrown) {
    const error = tableError(thrown);
    return error.status === 404 ? { ok: true, value: undefined } : failed(readFailure(error));
  }
};

const listRows = async (client: TableClient, partition: string): Promise<Result<readonly TableRow[]>> => {
  const filter = `PartitionKey eq '${partition.replaceAll("'", "''")}'`;
  const rows: TableRow[] = [];
  let continuationToken: string | undefined;
  try {
    do {
      // A listing of its own for each page, so that each has its own time limit.
      const pages = client
        .listEntities({ queryOptions: { filter }, ...aborted() })
        .byPage(continuationToken === undefined ? {} : { continuationToken });
      const page = await pages.next();
      if (page.done === true) break;
      rows.push(...page.value.map(fromEntity));
      continuationToken = page.value.continuationToken;
    } while (continuationToken !== undefined);
    return { ok: true, value: rows };
  } catch (thrown) {
    const error = tableError(thrown);
    return isMissingTable(error) ? { ok: true, value: [] } : failed(readFailure(error));
  }
};

/** One action with all that is to be sent. */
type Prepared =
  | { readonly kind: "insert" | "upsert"; readonly row: string; readonly entity: TableEntity }
  | { readonly kind: "replace"; readonly row: string; readonly entity: TableEntity; readonly etag: string }
  | { readonly kind: "delete"; readonly row: string; readonly etag?: string };

const prepare = (partition: string, actions: readonly TableAction[]): Result<readonly Prepared[]> => {
  const prepared: Prepared[] = [];
  let bytes = 0;
  for (const action of actions) {
    if (action.kind === "delete") {
      prepared.push(action);
      continue;
    }
    const made = toEntity(partition, action);
    if (!made.ok) return made;
    const { entity } = made.value;
    bytes += made.value.bytes;
    const { row } = action;
    prepared.push(
      action.kind === "replace"
        ? { kind: "replace", row, entity, etag: action.etag }
        : { kind: action.kind, row, entity },
    );
  }
  if (bytes <= mostTransactionBytes) return { ok: true, value: prepared };
  const message = `the rows of one transaction have ${bytes} bytes, which is more than ${mostTransactionBytes}`;
  return failed({ kind: "badConfiguration", code: "RowTooLarge", message });
};

/** What a write says about a row: its new etag, or undefined for a deleted one. */
type Etags = readonly (readonly [string, string | undefined])[];

const writeOne = async (client: TableClient, partition: string, action: Prepared): Promise<Etags> => {
  switch (action.kind) {
    case "insert":
      return [[action.row, (await client.createEntity(action.entity, aborted())).etag]];
    case "replace":
      return [
        [action.row, (await client.updateEntity(action.entity, "Replace", { etag: action.etag, ...aborted() })).etag],
      ];
    case "upsert":
      return [[action.row, (await client.upsertEntity(action.entity, "Replace", aborted())).etag]];
    case "delete": {
      const etag = action.etag === undefined ? {} : { etag: action.etag };
      await client.deleteEntity(partition, action.row, { ...etag, ...aborted() });
      return [[action.row, undefined]];
    }
  }
};

const transactionAction = (partition: string, action: Prepared): TransactionAction => {
  switch (action.kind) {
    case "insert":
      return ["create", action.entity];
    case "replace":
      return ["update", action.entity, "Replace", { etag: action.etag }];
    case "upsert":
      return ["upsert", action.entity, "Replace"];
    case "delete":
      return ["delete", { partitionKey: partition, rowKey: action.row }];
  }
};

const writeAll = async (client: TableClient, partition: string, actions: readonly Prepared[]): Promise<Etags> => {
  const all = actions.map((action) => transactionAction(partition, action));
  const { subResponses } = await client.submitTransaction(all, aborted());
  return actions.map(({ row }, index) => [row, subResponses[index]?.etag]);
};

/** A row that was to be deleted and is not there: what was wanted. The index tells which one of a transaction. */
const withoutMissing = (actions: readonly Prepared[], error: TableError): readonly Prepared[] | undefined => {
  if (error.status !== 404 || isMissingTable(error)) return undefined;
  const at = actions.length === 1 ? 0 : error.index;
  const missing = at === undefined ? undefined : actions[at];
  const unconditional = missing?.kind === "delete" && (actions.length > 1 || missing.etag === undefined);
  return unconditional ? actions.filter((action) => action !== missing) : undefined;
};

const write = async (
  client: TableClient,
  partition: string,
  actions: readonly Prepared[],
  mayMake = true,
): Promise<Result<ReadonlyMap<string, string>>> => {
  const [first] = actions;
  if (first === undefined) return { ok: true, value: new Map() };
  try {
    const etags =
      actions.length === 1 ? await writeOne(client, partition, first) : await writeAll(client, partition, actions);
    return {
      ok: true,
      value: new Map(etags.filter((pair): pair is readonly [string, string] => pair[1] !== undefined)),
    };
  } catch (thrown) {
    const error = tableError(thrown);
    const others = withoutMissing(actions, error);
    if (others !== undefined) return write(client, partition, others, mayMake);
    if (!mayMake || !isMissingTable(error)) return failed(writeFailure(error));
    return (await make(client)) ?? write(client, partition, actions, false);
  }
};

/** Makes a missing table; the failure when that does not work. One that another process just made is fine. */
const make = async (client: TableClient): Promise<Result<never> | undefined> => {
  try {
    await client.createTable(aborted());
    return undefined;
  } catch (thrown) {
    return failed(readFailure(tableError(thrown)));
  }
};

const over = (clients: TableClients, nowMs: Tables["nowMs"]): Tables => ({
  get: async (table, partition, row) => getRow(await clients(table), partition, row),
  list: async (table, partition) => listRows(await clients(table), partition),
  commit: async (table, partition, actions) => {
    const prepared = prepare(partition, actions);
    return prepared.ok ? write(await clients(table), partition, prepared.value) : prepared;
  },
  nowMs,
});

/** The tables in Azure Storage. Missing tables are made at the first write to them. */
export const tables = ({
  source,
  prefix = "capstan",
  monotonicMs = () => performance.now(),
}: TablesOptions): Tables => {
  const clock = serviceClock(monotonicMs);
  return over(
    tableClients(source, prefix, (header) => clock.observe(header)),
    () => clock.nowMs(),
  );
};
