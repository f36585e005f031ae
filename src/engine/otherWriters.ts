import type { Decision } from "../core/decide.ts";
import { type HeldWrite, heldRefusal } from "../core/guard/heldWrite.ts";
import { idKey, parseId } from "../core/ids.ts";
import type { ResourceRow } from "../core/resourceRow.ts";
import type { Json, JsonObject, ResourceId } from "../core/types.ts";
import { isJsonList, isJsonObject } from "../wire/json.ts";
import { changeTables, graph } from "./driftChanges.ts";
import { mayAskAzure, nowOf, type Session } from "./session.ts";
import type { Item, Work } from "./work.ts";

/** Changes of one resource that are looked through. */
const mostChanges = 50;
const mostNamed = 3;
/** How far back a fight is looked into. */
const longestMs = 24 * 60 * 60_000;

/**
 * The decision with those named who change a resource each time we write it, as Azure Resource Graph tells. It is asked
 * once when a hold begins and nobody is known yet; what it does not tell, or not yet, stays unknown.
 */
export const withOtherWriters = async (
  decision: Decision,
  { row: before }: Item,
  work: Work,
  session: Session,
): Promise<Decision> => {
  const { held } = decision.row;
  const begins = held !== undefined && before.held?.untilMs !== held.untilMs;
  if (!begins || !isByOthers(held) || !mayAskAzure(session)) return decision;
  const others = await writersOf(decision.row, work, session);
  return others.length === 0 ? decision : blaming(decision, held, others);
};

/** Whether somebody in Azure may be to blame whom nobody knows yet. */
const isByOthers = ({ reason, others, plans }: HeldWrite): boolean =>
  others.length === 0 && plans === undefined && reason !== "ChangedOften";

const blaming = (decision: Decision, before: HeldWrite, others: readonly string[]): Decision => {
  const held: HeldWrite = { ...before, others };
  const row = { ...decision.row, held };
  if (decision.kind === "held") return { ...decision, row, held };
  if (decision.kind !== "write") return decision;
  const told = heldRefusal(row.id, before).message;
  const refusals = decision.refusals.map((one) => (one.message === told ? heldRefusal(row.id, held) : one));
  return { ...decision, row, refusals };
};

/** The resource whose changes tell: a subnet shows as a change of its network. */
const shownAs = (id: ResourceId): string => {
  const { types } = parseId(idKey(id)) ?? { types: [] };
  const parts = id.split("/");
  return types.length < 2 ? id : parts.slice(0, parts.length - 2 * (types.length - 1)).join("/");
};

const queryOf = (id: ResourceId, sinceMs: number): string => {
  const [resources, groups] = changeTables;
  return [
    id.toLowerCase().includes("/providers/") ? resources : groups,
    "extend at = todatetime(properties.changeAttributes.timestamp), target = tostring(properties.targetResourceId)",
    `where target =~ '${shownAs(id)}' and at >= datetime(${new Date(sinceMs).toISOString()})`,
    [
      "project at, writer = tostring(properties.changeAttributes.changedBy)",
      "client = tostring(properties.changeAttributes.clientType)",
      "correlation = tostring(properties.changeAttributes.correlationId)",
    ].join(", "),
    "order by at desc",
  ].join(" | ");
};

const correlationsOf = ({ correlationId, writes }: ResourceRow): readonly string[] =>
  [correlationId, ...writes.map((write) => write.correlationId)].filter((id) => id !== undefined);

/** Latest first, each once; those who made our own writes are us. */
const writersOf = async (row: ResourceRow, work: Work, session: Session): Promise<readonly string[]> => {
  const { id, writes } = row;
  const subscription = parseId(id)?.subscription;
  // No name of a resource has a quote in it; what has one is no part of a query.
  if (subscription === undefined || id.includes("'")) return [];
  const nowMs = nowOf(session);
  const sinceMs = Math.max(writes.at(-8)?.atMs ?? 0, writes[0]?.atMs ?? 0, nowMs - longestMs);
  const answer = await session.arm.send({
    method: "POST",
    ...graph,
    body: {
      subscriptions: [subscription],
      query: queryOf(id, sinceMs),
      options: { $top: mostChanges, resultFormat: "objectArray" },
    },
  });
  if (!answer.ok) return [];
  const own = new Set([row, ...[...work.values()].map((item) => item.row)].flatMap(correlationsOf));
  return namesOf(rowsOf(answer.value.body), own);
};

const rowsOf = (body: Json): readonly JsonObject[] => {
  const data = isJsonObject(body) ? body["data"] : undefined;
  return isJsonList(data) ? data.filter(isJsonObject) : [];
};

const textOf = (value: Json | undefined): string =>
  typeof value === "string" && !/^(unspecified|unknown)$/i.test(value) ? value : "";

const namesOf = (rows: readonly JsonObject[], own: ReadonlySet<string>): readonly string[] => {
  const isOwn = ({ correlation }: JsonObject): boolean => own.has(textOf(correlation));
  const us = new Set(rows.filter(isOwn).map(({ writer }) => textOf(writer)));
  const others = rows.filter((one) => !isOwn(one) && !us.has(textOf(one["writer"])) && textOf(one["writer"]) !== "");
  const named = others.map(({ writer, client }) =>
    textOf(client) === "" ? textOf(writer) : `${textOf(writer)} (${textOf(client)})`,
  );
  return [...new Set(named)].slice(0, mostNamed);
};
