import type { ResourceChange, World } from "./armState.ts";
import { type Json, type JsonObject, numberAt, sameText, textAt, textsAt } from "./json.ts";
import { type Answer, refuse } from "./protocol.ts";
import { groupOf, nameOf, subscriptionOf } from "./resourceTarget.ts";

const page = 1000;

/** Reads `datetime(…)` of the first comparison, and `ago(…)`, which is all that a query for changes needs. */
const sinceOf = (query: string, nowMs: number): number => {
  const date = /datetime\(['"]?([^'")]+)['"]?\)/i.exec(query)?.[1];
  if (date !== undefined && !Number.isNaN(Date.parse(date))) return Date.parse(date);
  const ago = /ago\((\d+)([smhd])\)/i.exec(query);
  const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[ago?.[2]?.toLowerCase() as "s" | "m" | "h" | "d"];
  return ago === null || unitMs === undefined ? 0 : nowMs - Number(ago[1]) * unitMs;
};

/** One row of `resourcechanges`. Source: https://learn.microsoft.com/azure/governance/resource-graph/changes/get-resource-changes */
const rowOf = (change: ResourceChange, at: number): JsonObject => ({
  id: `${change.id}/providers/Microsoft.Resources/changes/${at}`,
  name: String(at),
  type: "microsoft.resources/changes",
  subscriptionId: subscriptionOf(change.id),
  resourceGroup: groupOf(change.id).toLowerCase(),
  properties: {
    targetResourceId: change.id,
    targetResourceType: change.type.toLowerCase(),
    changeType: change.change,
    changeAttributes: {
      timestamp: new Date(change.atMs).toISOString(),
      correlationId: change.correlationId,
      changesCount: change.paths.length,
      changedBy: change.by,
      changedByType: "Application",
      clientType: "Unspecified",
    },
    changes: Object.fromEntries(change.paths.map((path): [string, Json] => [path, { propertyChangeType: "Update" }])),
  },
});

/** A row with its properties also under the names that a `project` or `extend` usually gives them. */
const projected = (row: JsonObject): JsonObject => ({
  ...row,
  targetResourceId: textAt(row, "properties", "targetResourceId"),
  changeType: textAt(row, "properties", "changeType"),
  timestamp: textAt(row, "properties", "changeAttributes", "timestamp"),
  correlationId: textAt(row, "properties", "changeAttributes", "correlationId"),
  changedBy: textAt(row, "properties", "changeAttributes", "changedBy"),
});

const changeRows = (world: World, query: string): readonly JsonObject[] => {
  const since = sinceOf(query, world.nowMs);
  return world.state.changes
    .map((change, at) => ({ change, at }))
    .filter(({ change }) => change.atMs >= since)
    .map(({ change, at }) => projected(rowOf(change, at)));
};

const resourceRows = (world: World): readonly JsonObject[] =>
  [...world.state.resources.values()].map(({ id, type, body }) => ({
    ...body,
    id,
    name: nameOf(id),
    type: type.toLowerCase(),
    subscriptionId: subscriptionOf(id),
    resourceGroup: groupOf(id).toLowerCase(),
  }));

/**
 * `POST /providers/Microsoft.ResourceGraph/resources`: tables `resourcechanges` and `resources`. Only the time limit
 * and the subscriptions are obeyed; other conditions let all rows pass, and rows carry more columns than asked for.
 */
export const resourceGraph = (world: World, body: JsonObject): Answer => {
  const query = textAt(body, "query");
  const table = /^\s*(\w+)/.exec(query)?.[1]?.toLowerCase();
  if (table !== "resourcechanges" && table !== "resources")
    return refuse(400, "BadRequest", "Only the tables resourcechanges and resources are simulated.");
  const wanted = textsAt(body, "subscriptions");
  const rows = (table === "resources" ? resourceRows(world) : changeRows(world, query)).filter(
    (row) => wanted.length === 0 || wanted.some((id) => sameText(id, textAt(row, "subscriptionId"))),
  );
  const top = numberAt(body, "options", "$top") ?? page;
  const from = numberAt(body, "options", "$skipToken") ?? numberAt(body, "options", "$skip") ?? 0;
  const data = rows.slice(from, from + top);
  const more = from + top < rows.length;
  return {
    status: 200,
    body: {
      totalRecords: rows.length,
      count: data.length,
      resultTruncated: more ? "true" : "false",
      facets: [],
      data: [...data],
      ...(more ? { $skipToken: String(from + top) } : {}),
    },
  };
};
