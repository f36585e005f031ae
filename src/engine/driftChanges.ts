import type { Json, JsonObject, Result } from "../core/types.ts";
import type { Arm } from "../ports.ts";
import { isJsonList, isJsonObject } from "../wire/json.ts";

/** Something that somebody did to a resource, as Azure Resource Graph tells it. */
export interface ResourceChange {
  readonly id: string;
  readonly atMs: number;
  readonly correlationId: string;
}

/** https://learn.microsoft.com/rest/api/azureresourcegraph/resourcegraph/resources/resources */
export const graph = { path: "/providers/Microsoft.ResourceGraph/resources", apiVersion: "2024-04-01" } as const;
/** The most that Azure gives at once. */
const pageSize = 1000;
/** No subscription changes so much in a day; whatever leads further is no answer. */
const mostPages = 200;

/**
 * Resource groups have a table of their own, and unions of the two are not documented. Sources:
 * https://learn.microsoft.com/azure/governance/resource-graph/changes/get-resource-changes and
 * https://learn.microsoft.com/azure/governance/resource-graph/reference/supported-tables-resources
 */
export const changeTables = ["resourcechanges", "resourcecontainerchanges"] as const;

/** No filter by tag: a tag that was taken off is a change like any other. Ordered, so that pages fit together. */
const queryOf = (table: string, sinceMs: number): string =>
  [
    table,
    "extend at = todatetime(properties.changeAttributes.timestamp)",
    `where at >= datetime(${new Date(sinceMs).toISOString()})`,
    "project id, at, target = tostring(properties.targetResourceId), correlation = tostring(properties.changeAttributes.correlationId)",
    "order by at asc, id asc",
  ].join(" | ");

/** All changes in a subscription since then, oldest first within resources and within groups. All pages or a failure. */
export const changesSince = async (
  arm: Arm,
  subscription: string,
  sinceMs: number,
): Promise<Result<readonly ResourceChange[]>> => {
  const found: ResourceChange[] = [];
  for (const table of changeTables) {
    const rows = await allPages(arm, subscription, queryOf(table, sinceMs));
    if (!rows.ok) return rows;
    for (const row of rows.value) found.push(...changeOf(row));
  }
  return { ok: true, value: found };
};

const allPages = async (arm: Arm, subscription: string, query: string): Promise<Result<readonly JsonObject[]>> => {
  const rows: JsonObject[] = [];
  let token: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const options = { $top: pageSize, resultFormat: "objectArray", ...(token !== undefined && { $skipToken: token }) };
    const answer = await arm.send({
      method: "POST",
      ...graph,
      body: { subscriptions: [subscription], query, options },
    });
    if (!answer.ok) return answer;
    const read = pageOf(answer.value.body);
    if (read === undefined) return incomplete;
    rows.push(...read.rows);
    if (read.next === undefined) return { ok: true, value: rows };
    token = read.next;
  }
  return incomplete;
};

const incomplete: Result<never> = {
  ok: false,
  error: {
    kind: "transient",
    code: "UnreadableAnswer",
    message: "Azure Resource Graph gives only a part of the changes, and no way to the rest",
  },
};

/** Undefined for an answer that is none, or that was cut off without a token for the rest. */
const pageOf = (body: Json): { readonly rows: readonly JsonObject[]; readonly next?: string } | undefined => {
  if (!isJsonObject(body)) return undefined;
  const { data, resultTruncated, $skipToken: next } = body;
  if (!isJsonList(data)) return undefined;
  const rows = data.filter(isJsonObject);
  if (typeof next === "string" && next !== "") return { rows, next };
  return resultTruncated === "true" ? undefined : { rows };
};

const changeOf = ({ at, target, correlation }: JsonObject): readonly ResourceChange[] => {
  const atMs = typeof at === "string" ? Date.parse(at) : Number.NaN;
  return typeof target === "string" && target !== "" && !Number.isNaN(atMs)
    ? [{ id: target, atMs, correlationId: typeof correlation === "string" ? correlation : "" }]
    : [];
};
