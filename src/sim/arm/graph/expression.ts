import { type Json, valueAt } from "../json.ts";

/** What an expression gives for one row; a datetime is told apart from the text that it came from. */
export type Value = { readonly kind: "json"; readonly json: Json } | { readonly kind: "datetime"; readonly ms: number };

/** The columns of a row as far as a query has made them. */
export type Row = ReadonlyMap<string, Value>;

/** An expression: its value in a row, and whether what it gives has a type (paging needs one column that has). */
export interface Expression {
  readonly typed: boolean;
  readonly evaluate: (row: Row) => Value;
}

/** What Resource Graph would refuse, or this simulator does not know: never passed over. */
export class QueryError extends Error {
  override readonly name = "QueryError";
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const json = (value: Json): Value => ({ kind: "json", json: value });
const none = json(null);
const textOf = (value: Value): string | undefined => {
  if (value.kind === "datetime") return new Date(value.ms).toISOString();
  const { json: inner } = value;
  if (inner === null) return "";
  return typeof inner === "object" ? JSON.stringify(inner) : String(inner);
};
const datetime = (value: Value): Value => {
  if (value.kind === "datetime") return value;
  const ms = typeof value.json === "string" ? Date.parse(value.json) : Number.NaN;
  return Number.isNaN(ms) ? none : { kind: "datetime", ms };
};

const functions: Readonly<Record<string, (value: Value) => Value>> = {
  tostring: (value) => json(textOf(value) ?? ""),
  tolower: (value) => json((textOf(value) ?? "").toLowerCase()),
  todatetime: datetime,
  toint: (value) => {
    const number = value.kind === "json" ? Number(value.json) : Number.NaN;
    return Number.isInteger(number) ? json(number) : none;
  },
};

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const literal = (text: string, nowMs: number): Expression | undefined => {
  const quoted = /^'([^']*)'$|^"([^"]*)"$/.exec(text);
  if (quoted !== null) return { typed: true, evaluate: () => json(quoted[1] ?? quoted[2] ?? "") };
  if (/^-?\d+(\.\d+)?$/.test(text)) return { typed: true, evaluate: () => json(Number(text)) };
  if (text === "true" || text === "false") return { typed: true, evaluate: () => json(text === "true") };
  const ago = /^ago\((\d+)([smhd])\)$/.exec(text);
  if (ago !== null) {
    const ms = nowMs - Number(ago[1]) * unitMs[ago[2] as keyof typeof unitMs];
    return { typed: true, evaluate: () => ({ kind: "datetime", ms }) };
  }
  const date = /^datetime\(\s*['"]?([^'")]+?)['"]?\s*\)$/.exec(text)?.[1];
  if (date === undefined) return undefined;
  const ms = Date.parse(date);
  if (Number.isNaN(ms)) throw new QueryError("ParserFailure", `${text} is no datetime`);
  return { typed: true, evaluate: () => ({ kind: "datetime", ms }) };
};

const pathForm = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/;

const path = (text: string, columns: ReadonlySet<string>): Expression => {
  const [column = "", ...steps] = text.split(".");
  if (!columns.has(column)) throw new QueryError("InvalidColumnNames", `Column ${column} is not known.`);
  return {
    typed: false,
    evaluate: (row) => {
      const value = row.get(column) ?? none;
      if (steps.length === 0) return value;
      return value.kind === "json" ? json(valueAt(value.json, ...steps) ?? null) : none;
    },
  };
};

/** Reads an expression: a literal, a path of a known column, or one of the few functions around another expression. */
export const expression = (
  from: string,
  columns: ReadonlyMap<string, { readonly typed: boolean }>,
  nowMs: number,
): Expression => {
  const text = from.trim();
  const fixed = literal(text, nowMs);
  if (fixed !== undefined) return fixed;
  if (pathForm.test(text)) {
    const found = path(text, new Set(columns.keys()));
    return { ...found, typed: columns.get(text)?.typed ?? false };
  }
  const call = /^([a-z_]+)\((.*)\)$/.exec(text);
  if (call === null) throw new QueryError("ParserFailure", `cannot read ${text}`);
  const [, name = "", inner = ""] = call;
  if (!Object.hasOwn(functions, name)) throw new QueryError("UnknownFunction", `Unknown function: '${name}'.`);
  const apply = functions[name]!;
  const argument = expression(inner, columns, nowMs);
  return { typed: true, evaluate: (row) => apply(argument.evaluate(row)) };
};

/** Below 0, 0 or above 0; undefined when two values cannot be compared, which no condition then accepts. */
export const compare = (left: Value, right: Value): number | undefined => {
  if (left.kind === "datetime" || right.kind === "datetime") {
    const [one, other] = [datetime(left), datetime(right)];
    return one.kind === "datetime" && other.kind === "datetime" ? one.ms - other.ms : undefined;
  }
  if (typeof left.json === "number" && typeof right.json === "number") return left.json - right.json;
  if (typeof left.json !== typeof right.json || left.json === null) return undefined;
  const [one = "", other = ""] = [textOf(left), textOf(right)];
  return one < other ? -1 : one > other ? 1 : 0;
};

/** The value as an answer carries it. */
export const shown = (value: Value): Json =>
  value.kind === "datetime" ? new Date(value.ms).toISOString() : value.json;

/** A value of a stored row. */
export const stored = json;
