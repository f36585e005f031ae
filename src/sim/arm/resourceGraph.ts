import type { World } from "./armState.ts";
import { mayRead } from "./authorization.ts";
import { QueryError, type Row, shown, stored } from "./graph/expression.ts";
import { type Column, parseQuery, type Query } from "./graph/query.ts";
import { graphColumns, graphTables } from "./graph/tables.ts";
import { type JsonObject, numberAt, sameText, textAt, textsAt } from "./json.ts";
import { type Answer, refuse } from "./protocol.ts";

/** Rows of a page: what Azure gives without `$top`, and the most it gives with it. */
const pageSize = 1000;

const refused = (world: World, code: string, message: string): Answer =>
  refuse(
    400,
    "BadRequest",
    `Please provide below info when asking for support: timestamp = ${new Date(world.nowMs).toISOString()}, correlationId = ${world.correlationId}.`,
    { details: [{ code, message }] },
  );

const parsed = (world: World, text: string): Query | Answer => {
  try {
    return parseQuery(text, world.nowMs, (table) => (Object.hasOwn(graphTables, table) ? graphColumns : undefined));
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const details = [
      {
        code: "InvalidQuery",
        message:
          "Query is invalid. Please refer to the documentation for the Azure Resource Graph service and fix the error before retrying.",
      },
      { code: error.code, message: error.message },
    ];
    return refuse(400, "BadRequest", `Please provide below info when asking for support: ${world.correlationId}.`, {
      details,
    });
  }
};

const rowOf = (object: JsonObject): Row =>
  new Map([...graphColumns.keys()].map((name) => [name, stored(object[name] ?? null)]));

const objectOf = (row: Row): JsonObject => Object.fromEntries([...row].map(([name, value]) => [name, shown(value)]));

const tokenOf = (from: number, query: string): string => Buffer.from(JSON.stringify([from, query])).toString("base64");

/** Where a token goes on; undefined when it belongs to another query. */
const startOf = (token: string, query: string): number | undefined => {
  const from = Number(/^\[(\d+),/.exec(Buffer.from(token, "base64").toString("utf8"))?.[1] ?? Number.NaN);
  return tokenOf(from, query) === token ? from : undefined;
};

/** Paging is impossible when every column of the answer is dynamic. */
const canPage = (columns: ReadonlyMap<string, Column>): boolean => [...columns.values()].some(({ typed }) => typed);

const pageOf = (query: Query, rows: readonly Row[], from: number, top: number, text: string): Answer => {
  const data = rows.slice(from, from + top);
  const more = from + top < rows.length;
  const paged = more && canPage(query.columns);
  return {
    status: 200,
    body: {
      totalRecords: rows.length,
      count: data.length,
      resultTruncated: more && !paged ? "true" : "false",
      facets: [],
      data: data.map(objectOf),
      ...(paged ? { $skipToken: tokenOf(from + top, text) } : {}),
    },
  };
};

/** Only what the asker may read; of a subscription that it may not read at all nothing, and no word of it. */
const readable = (world: World, wanted: readonly string[], rows: readonly JsonObject[]): readonly JsonObject[] =>
  rows.filter(
    (row) =>
      (wanted.length === 0 || wanted.some((id) => sameText(id, textAt(row, "subscriptionId")))) &&
      mayRead(world.state, world.identity, textAt(row, "id")),
  );

/**
 * `POST /providers/Microsoft.ResourceGraph/resources`: tables of resources, resource groups and the changes of both. A
 * query is understood whole or refused. Changes show after `changeFeed.delayMs`. Source:
 * https://learn.microsoft.com/rest/api/azureresourcegraph/resourcegraph/resources/resources
 */
export const resourceGraph = (world: World, body: JsonObject): Answer => {
  const text = textAt(body, "query");
  const query = parsed(world, text);
  if ("status" in query) return query;
  const wanted = textsAt(body, "subscriptions");
  const known = (id: string): boolean =>
    world.state.options.subscriptions?.some((one) => sameText(one, id)) !== false &&
    mayRead(world.state, world.identity, `/subscriptions/${id}`);
  if (wanted.length > 0 && !wanted.some(known))
    return refused(
      world,
      "NoValidSubscriptionsInQueryRequest",
      `There must be at least one subscription that is eligible to contain resources. Given: '${wanted.join(", ")}'.`,
    );
  const top = numberAt(body, "options", "$top") ?? pageSize;
  if (!Number.isInteger(top) || top < 1 || top > pageSize)
    return refused(world, "InvalidPageSize", `$top must lie between 1 and ${pageSize}.`);
  const token = textAt(body, "options", "$skipToken");
  const from = token === "" ? (numberAt(body, "options", "$skip") ?? 0) : startOf(token, text);
  if (from === undefined) return refused(world, "InvalidSkipToken", "The skip token belongs to another query.");
  const rows = graphTables[query.table]!(world);
  return pageOf(query, query.run(readable(world, wanted, rows).map(rowOf)), from, top, text);
};
