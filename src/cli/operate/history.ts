import { stringify } from "yaml";
import { ageMs } from "../../core/replayRequest.ts";
import { decodeHistory } from "../../engine/historyRow.ts";
import { partitionOf } from "../../engine/ledger.ts";
import { UserError } from "../userError.ts";
import { type ClusterOptions, clusterUidOf, openCluster } from "./cluster.ts";
import { historyJson, historyTable } from "./historyTable.ts";
import { namedObjects } from "./objectArguments.ts";
import { type Env, settingsOf } from "./settings.ts";
import { openStore } from "./store.ts";

export type Output = "wide" | "json" | "yaml";

export interface HistoryOptions extends ClusterOptions {
  readonly namespace?: string;
  readonly since?: string;
  readonly output?: Output;
  readonly settings?: string;
}

const usage = 2;

/** As data in one of the forms; undefined: for people. */
export const asData = (data: unknown, output: Output | undefined): string | undefined => {
  if (output === "json") return JSON.stringify(data, undefined, 2);
  return output === "yaml" ? stringify(data).trimEnd() : undefined;
};

const sinceMs = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  const ms = ageMs(text);
  if (ms === undefined) throw new UserError(`--since ${text}: a number with s, m, h or d, such as 2h`, usage);
  return ms;
};

/** Prints what was done for one object, newest last. */
export const history = async (
  args: readonly string[],
  options: HistoryOptions,
  env: Env,
  print: (line: string) => void,
): Promise<number> => {
  const objects = namedObjects(args);
  if (!objects.ok) throw new UserError(objects.error, usage);
  const [object, ...others] = objects.value;
  if (object === undefined || others.length > 0) throw new UserError("history is that of one object", usage);
  const forMs = sinceMs(options.since);
  const settings = settingsOf(options.settings, env);
  const store = await openStore(settings);
  const cluster = await clusterUidOf(options, settings);
  const namespace = options.namespace ?? (await openCluster(options).catch(() => undefined))?.namespace ?? "default";
  const { kind } = object.entry;
  const listed = await store.list("history", partitionOf(cluster, { kind, namespace, name: object.name }));
  if (!listed.ok) throw new UserError(`the tables cannot be read: ${listed.error.message}`);
  const fromMs = forMs === undefined ? 0 : (store.nowMs() ?? 0) - forMs;
  const entries = listed.value
    .map(decodeHistory)
    .filter(({ atMs }) => atMs >= fromMs)
    .toSorted((one, other) => one.atMs - other.atMs || one.turn - other.turn);
  const data = asData(historyJson(entries), options.output);
  if (data !== undefined) print(data);
  else if (entries.length > 0) for (const line of historyTable(entries, options.output === "wide")) print(line);
  else print(`nothing is known of ${kind} ${namespace}/${object.name} in management cluster ${cluster}`);
  return 0;
};
