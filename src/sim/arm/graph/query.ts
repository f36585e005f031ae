import { compare, type Expression, expression, QueryError, type Row, type Value } from "./expression.ts";

/** A query that was understood whole: run over the rows of its table, it gives the rows of the answer. */
export interface Query {
  readonly table: string;
  readonly columns: ReadonlyMap<string, Column>;
  readonly run: (rows: readonly Row[]) => readonly Row[];
}

/** `typed`: paging needs one column of the answer that is neither dynamic nor null. */
export interface Column {
  readonly typed: boolean;
}

type Columns = ReadonlyMap<string, Column>;
interface Stage {
  readonly columns: Columns;
  readonly run: (rows: readonly Row[]) => readonly Row[];
}

/** Splits at a mark outside of quotes and brackets. */
const split = (text: string, mark: string): readonly string[] => {
  const parts: string[] = [];
  let quote = "";
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]!;
    if (quote !== "") quote = sign === quote ? "" : quote;
    else if (sign === "'" || sign === '"') quote = sign;
    else if (sign === "(") depth += 1;
    else if (sign === ")") depth -= 1;
    else if (depth === 0 && text.startsWith(mark, at)) {
      parts.push(text.slice(from, at));
      from = at + mark.length;
      at = from - 1;
    }
  }
  if (quote !== "" || depth !== 0) throw new QueryError("ParserFailure", `${text} does not end`);
  return [...parts, text.slice(from)].map((part) => part.trim());
};

const lower = (value: Value): Value =>
  value.kind === "json" && typeof value.json === "string" ? { kind: "json", json: value.json.toLowerCase() } : value;

const operators: Readonly<Record<string, (left: Value, right: Value) => boolean>> = {
  "==": (left, right) => compare(left, right) === 0,
  "!=": (left, right) => compare(left, right) !== 0,
  "=~": (left, right) => compare(lower(left), lower(right)) === 0,
  "!~": (left, right) => compare(lower(left), lower(right)) !== 0,
  ">=": (left, right) => (compare(left, right) ?? -1) >= 0,
  "<=": (left, right) => (compare(left, right) ?? 1) <= 0,
  ">": (left, right) => (compare(left, right) ?? -1) > 0,
  "<": (left, right) => (compare(left, right) ?? 1) < 0,
};

const condition = (text: string, columns: Columns, nowMs: number): ((row: Row) => boolean) => {
  const parts = /^(.+?)\s*(==|!=|=~|!~|>=|<=|>|<)\s*(.+)$/.exec(text);
  if (parts === null) throw new QueryError("ParserFailure", `cannot read the condition ${text}`);
  const [, left = "", operator = "", right = ""] = parts;
  const holds = operators[operator]!;
  const [one, other] = [expression(left, columns, nowMs), expression(right, columns, nowMs)];
  return (row) => holds(one.evaluate(row), other.evaluate(row));
};

const where = (text: string, columns: Columns, nowMs: number): Stage => {
  const conditions = split(text, " and ").map((part) => condition(part, columns, nowMs));
  return { columns, run: (rows) => rows.filter((row) => conditions.every((holds) => holds(row))) };
};

const named = (
  text: string,
  columns: Columns,
  nowMs: number,
): readonly { readonly name: string; readonly value: Expression }[] =>
  split(text, ",").map((part) => {
    const assigned = /^([A-Za-z_]\w*)\s*=(?![=~])\s*(.+)$/.exec(part);
    const [name, source] = assigned === null ? [part.replaceAll(".", "_"), part] : [assigned[1]!, assigned[2]!];
    return { name, value: expression(source, columns, nowMs) };
  });

const made = (row: Row, all: ReturnType<typeof named>): readonly (readonly [string, Value])[] =>
  all.map(({ name, value }) => [name, value.evaluate(row)]);
const columnsOf = (all: ReturnType<typeof named>): readonly (readonly [string, Column])[] =>
  all.map(({ name, value }) => [name, { typed: value.typed }]);

const extend = (text: string, columns: Columns, nowMs: number): Stage => {
  const all = named(text, columns, nowMs);
  return {
    columns: new Map([...columns, ...columnsOf(all)]),
    run: (rows) => rows.map((row) => new Map([...row, ...made(row, all)])),
  };
};

const project = (text: string, columns: Columns, nowMs: number): Stage => {
  const all = named(text, columns, nowMs);
  return { columns: new Map(columnsOf(all)), run: (rows) => rows.map((row) => new Map(made(row, all))) };
};

/** Without a direction Kusto sorts from the greatest to the least. */
const order = (text: string, columns: Columns, nowMs: number): Stage => {
  const keys = split(text, ",").map((part) => {
    const [, source = "", direction = "desc"] = /^(.+?)(?:\s+(asc|desc))?$/.exec(part) ?? [];
    return { value: expression(source, columns, nowMs), sign: direction === "asc" ? 1 : -1 };
  });
  const byKeys = (one: Row, other: Row): number =>
    keys
      .map(({ value, sign }) => sign * (compare(value.evaluate(one), value.evaluate(other)) ?? 0))
      .find((difference) => difference !== 0) ?? 0;
  return { columns, run: (rows) => rows.toSorted(byKeys) };
};

const stages: Readonly<Record<string, (text: string, columns: Columns, nowMs: number) => Stage>> = {
  where,
  extend,
  project,
  "order by": order,
  "sort by": order,
};

const stage = (text: string, columns: Columns, nowMs: number): Stage => {
  const operator = Object.keys(stages).find((name) => text.startsWith(`${name} `));
  if (operator === undefined) throw new QueryError("ParserFailure", `operator of "${text}" is not simulated`);
  return stages[operator]!(text.slice(operator.length + 1), columns, nowMs);
};

/** Reads a query; throws a `QueryError` for all that it does not understand. `columnsOfTable`: undefined for an unknown table. */
export const parseQuery = (
  text: string,
  nowMs: number,
  columnsOfTable: (table: string) => Columns | undefined,
): Query => {
  const [source = "", ...operators] = split(text.replaceAll(/\s+/g, " ").trim(), "|");
  const table = source.toLowerCase();
  const base = columnsOfTable(table);
  if (base === undefined) throw new QueryError("UnknownTable", `Table ${source} is not simulated.`);
  const pipeline: Stage[] = [];
  for (const one of operators) pipeline.push(stage(one, pipeline.at(-1)?.columns ?? base, nowMs));
  return {
    table,
    columns: pipeline.at(-1)?.columns ?? base,
    run: (rows) => pipeline.reduce((left, { run }) => run(left), rows),
  };
};
