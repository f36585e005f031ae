import { parseId, typeOf } from "../../core/ids.ts";
import type { Json, JsonObject } from "../../core/types.ts";
import type { HistoryEntry } from "../../engine/historyRow.ts";
import { isJsonObject } from "../../wire/json.ts";
import { columns } from "./columns.ts";

const text = (value: Json | undefined): string =>
  typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
const list = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly Json[]).filter(isJsonObject) : [];

/** `routeTables/demo-routes` of an id; the id itself when it is none of a resource, or all of it is wanted. */
const shortId = (id: string, wide: boolean): string => {
  const type = typeOf(id)?.split("/").at(-1);
  const name = parseId(id)?.names.at(-1);
  return wide || type === undefined || name === undefined ? id : `${type}/${name}`;
};

const requestWords = (of: JsonObject, wide: boolean): string => {
  const status = of["status"] === undefined ? "no answer" : text(of["status"]);
  const code = of["code"] === undefined ? "" : ` ${text(of["code"])}: ${text(of["message"])}`;
  const known = wide ? ` request ${text(of["requestId"]) || "-"} correlation ${text(of["correlationId"]) || "-"}` : "";
  return `${status}${code}${known}`;
};

const changeWords = ({ path, from, to, effect }: JsonObject): string =>
  `  ${text(path)}: ${JSON.stringify(from ?? null)} -> ${JSON.stringify(to ?? null)}${effect === "inPlace" ? "" : ` (${text(effect)})`}`;

const writeLines = (write: JsonObject, wide: boolean): readonly string[] => {
  const requests = list(write["requests"]).map((one) => requestWords(one, wide));
  const verb = `${text(write["method"])}${write["creating"] === true ? " (new)" : ""}`;
  const by = write["writer"] === undefined || !wide ? "" : ` spec by ${text(write["writer"])}`;
  const more = write["more"] === undefined ? [] : [`  and ${text(write["more"])} more`];
  // What is new is all new: its fields say little.
  const changes = write["creating"] === true && !wide ? [] : list(write["changes"]).map(changeWords);
  return [
    `${verb} ${shortId(text(write["id"]), wide)}: ${requests.join("; ") || "not sent"}${by}`,
    ...changes,
    ...more,
  ];
};

/** Requests of writes stand with their writes. */
const isApart = (trouble: JsonObject, { writes }: HistoryEntry): boolean =>
  !writes.some(({ requests }) =>
    list(requests).some(({ requestId, code }) => code === trouble["code"] && requestId === trouble["requestId"]),
  );

const linesOf = (entry: HistoryEntry, wide: boolean): readonly string[] => {
  if (entry.kind === "replay") return [entry.message];
  const troubles = entry.troubles.filter((one) => isApart(one, entry));
  return [
    ...(entry.code === "" ? [] : [`${entry.code}: ${entry.message}`]),
    ...entry.writes.flatMap((write) => writeLines(write, wide)),
    ...troubles.map((one) => `${text(one["method"])} ${shortId(text(one["id"]), wide)}: ${requestWords(one, wide)}`),
    ...entry.holds.map(
      ({ id, reason, message }) => `held ${shortId(text(id), wide)}: ${text(reason)}: ${text(message)}`,
    ),
  ];
};

/** One row of the table; its time stands at its first line only. */
const rowsOf = (entry: HistoryEntry, wide: boolean): readonly (readonly string[])[] => {
  const at = new Date(entry.atMs).toISOString().replace(/\.\d+/, "");
  const [first = "", ...rest] = linesOf(entry, wide);
  const by = entry.kind === "replay" ? `replay by ${entry.cause}` : entry.cause;
  return [
    [at, entry.turn === 0 ? "" : String(entry.turn), by, String(entry.generation || ""), entry.result, first],
    ...rest.map((line) => ["", "", "", "", "", line]),
  ];
};

/** History as a table, in the order given. `wide`: whole ids, Azure's ids of each request, and the fields of what is new. */
export const historyTable = (entries: readonly HistoryEntry[], wide: boolean): readonly string[] =>
  columns(
    ["TIME", "TURN", "CAUSE", "GENERATION", "RESULT", "WHAT"],
    entries.flatMap((entry) => rowsOf(entry, wide)),
  );

/** The same as data. */
export const historyJson = (entries: readonly HistoryEntry[]): readonly JsonObject[] =>
  entries.map(({ atMs, ...rest }) => ({ at: new Date(atMs).toISOString(), ...rest }));
