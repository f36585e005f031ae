import type { TableEntity } from "@azure/data-tables";
import type { Result } from "../core/types.ts";
import type { TableAction, TableRow } from "../ports.ts";
import { isPiece, pack, unpack } from "./packedValues.ts";

/** Of one string property, in UTF-16 units. */
const mostCharacters = 32_768;
/** Of a whole row; not every emulator refuses more, so it is looked at here. */
const mostBytes = 1024 * 1024;
/** Names that the service or its client gives a meaning of their own. */
const reserved: ReadonlySet<string> = new Set(["partitionkey", "rowkey", "timestamp", "etag"]);

type Value = TableRow["values"][string];
type Written = Extract<TableAction, { readonly values: TableRow["values"] }>;

const tooLarge = (row: string, what: string): Result<never> => ({
  ok: false,
  error: { kind: "badConfiguration", code: "RowTooLarge", message: `row ${row}: ${what}` },
});

/** Every number goes as a double: bare ones become 32-bit integers or doubles, depending on their size. */
const property = (value: Value): unknown => (typeof value === "number" ? { value, type: "Double" } : value);

const bytesOf = (value: Value | Uint8Array): number => {
  if (typeof value === "string") return 4 + 2 * value.length;
  return value instanceof Uint8Array ? 4 + value.length : 8;
};

/** As the service counts: https://learn.microsoft.com/archive/blogs/avkashchauhan/how-the-size-of-an-entity-is-caclulated-in-windows-azure-table-storage */
const sizeOf = (partition: string, row: string, properties: Readonly<Record<string, Value | Uint8Array>>): number =>
  Object.entries(properties).reduce(
    (sum, [name, value]) => sum + 8 + 2 * name.length + bytesOf(value),
    4 + 2 * (partition.length + row.length),
  );

/**
 * A row as the client takes it. Failure code `RowTooLarge`. Throws for a value under a reserved name, which only a
 * defect of ours can bring.
 */
export const toEntity = (
  partition: string,
  { row, values, packed = {} }: Written,
): Result<{ readonly entity: TableEntity; readonly bytes: number }> => {
  for (const [name, value] of Object.entries(values)) {
    if (reserved.has(name.toLowerCase()) || isPiece(name)) throw new Error(`${name} is no name for a value of a row`);
    if (typeof value === "string" && value.length > mostCharacters)
      return tooLarge(row, `value ${name} has more than ${mostCharacters} characters`);
  }
  const pieces = pack(packed);
  if (!pieces.ok) return tooLarge(row, pieces.error.message);
  const bytes = sizeOf(partition, row, { ...values, ...pieces.value });
  if (bytes > mostBytes) return tooLarge(row, `it has ${bytes} bytes, which is more than 1 MiB`);
  const typed = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, property(value)]));
  return { ok: true, value: { entity: { partitionKey: partition, rowKey: row, ...typed, ...pieces.value }, bytes } };
};

const isValue = (value: unknown): value is Value => ["string", "number", "boolean"].includes(typeof value);

/** A row as the client gave it; properties of types that we never write are left out. */
export const fromEntity = (entity: Readonly<Record<string, unknown>>): TableRow => {
  const { partitionKey, rowKey, etag } = entity;
  const values = Object.fromEntries(
    Object.entries(entity).filter(
      (pair): pair is [string, Value] =>
        !reserved.has(pair[0].toLowerCase()) && !pair[0].includes(".") && isValue(pair[1]),
    ),
  );
  return { partition: String(partitionKey), row: String(rowKey), etag: String(etag), values, packed: unpack(entity) };
};
