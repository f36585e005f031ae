import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseJson } from "../../core/parseJson.ts";
import type { Replayed } from "../../engine/replay.ts";
import { UserError } from "../userError.ts";
import { type ClusterOptions, clusterUidOf, openCluster } from "./cluster.ts";
import { columns } from "./columns.ts";
import { namedObjects } from "./objectArguments.ts";
import { type Env, settingsOf } from "./settings.ts";

export interface ReplayOptions extends ClusterOptions {
  readonly namespace?: string;
  readonly queue?: "failed" | "deadLetter";
  readonly because?: string;
  readonly olderThan?: string;
  readonly newerThan?: string;
  readonly most?: number;
  readonly reason?: string;
  readonly yes?: boolean;
  readonly url?: string;
  readonly keyFile?: string;
  readonly settings?: string;
}

const usage = 2;
const tries = 3;
const answerMs = 60_000;
const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** The key goes over the wire: not in the clear, unless it stays on this machine. */
const addressOf = ({ url }: ReplayOptions, env: Env): URL => {
  const given = url ?? env["CAPSTAN_APP_URL"];
  if (!given)
    throw new UserError("where is the function app? --url https://…azurewebsites.net, or CAPSTAN_APP_URL", usage);
  const parsed = URL.parse("api/replay", given.endsWith("/") ? given : `${given}/`);
  if (parsed === null) throw new UserError(`--url ${given}: not a URL`, usage);
  if (parsed.protocol !== "https:" && !loopback.has(parsed.hostname))
    throw new UserError(`--url ${given}: only https, except on this machine`, usage);
  return parsed;
};

const credentialOf = ({ keyFile }: ReplayOptions, env: Env): Readonly<Record<string, string>> => {
  const token = env["CAPSTAN_APP_TOKEN"];
  if (keyFile === undefined && token) return { authorization: `Bearer ${token}` };
  try {
    const key = (keyFile === undefined ? env["CAPSTAN_APP_KEY"] : readFileSync(keyFile, "utf8"))?.trim();
    if (key) return { "x-functions-key": key };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new UserError(`--key-file ${keyFile}: cannot be read (${code})`, usage);
  }
  throw new UserError(
    "which key? --key-file, or CAPSTAN_APP_KEY (or CAPSTAN_APP_TOKEN with a token of Entra ID)",
    usage,
  );
};

/** One request for each object, or one for a queue. */
const bodiesOf = async (args: readonly string[], options: ReplayOptions, env: Env): Promise<readonly object[]> => {
  const { queue, because, olderThan, newerThan, most } = options;
  const filter = {
    ...(because !== undefined && { because }),
    ...(olderThan !== undefined && { olderThan }),
    ...(newerThan !== undefined && { newerThan }),
    ...(most !== undefined && { most }),
  };
  if (args.length === 0) return [{ queue: queue ?? "failed", ...filter }];
  const objects = namedObjects(args);
  if (!objects.ok) throw new UserError(objects.error, usage);
  const namespace = options.namespace ?? (await openCluster(options).catch(() => undefined))?.namespace ?? "default";
  if (queue !== undefined)
    return objects.value.map(({ entry, name }) => ({ queue, kind: entry.kind, namespace, name, ...filter }));
  if (Object.keys(filter).length > 0)
    throw new UserError("conditions choose among messages: name a --queue, or leave the objects out", usage);
  const cluster = await clusterUidOf(options, env);
  return objects.value.map(({ entry, name }) => ({ object: { cluster, kind: entry.kind, namespace, name } }));
};

const messageIn = (body: unknown): string =>
  typeof body === "object" && body !== null && "message" in body ? String(body.message) : "";

/** Sent again under the same id when no answer came: the same request enqueues once. */
const post = async (
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: object,
  left = tries,
): Promise<readonly Replayed[]> => {
  let answer: Response;
  try {
    const sent = {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    };
    answer = await fetch(url, { ...sent, redirect: "error", signal: AbortSignal.timeout(answerMs) });
  } catch {
    if (left > 1) return post(url, headers, body, left - 1);
    throw new UserError(`no answer from ${url.origin}`);
  }
  const told = parseJson(await answer.text());
  if (answer.status === 401 || answer.status === 403)
    throw new UserError(`${url.origin} does not accept the key (${answer.status})`);
  if (answer.status !== 200)
    throw new UserError(
      messageIn(told) || `${url.origin} answered ${answer.status}`,
      answer.status === 400 ? usage : 1,
    );
  const messages = typeof told === "object" && told !== null && "messages" in told ? told.messages : undefined;
  if (!Array.isArray(messages))
    throw new UserError(`${url.origin} answered with something else than a function app of Capstan`);
  // The one cast: the function's own answer.
  return messages as readonly Replayed[];
};

/** Asks the function app to look at objects again; without `yes` it only says what would be done. */
export const replay = async (
  args: readonly string[],
  options: ReplayOptions,
  env: Env,
  print: (line: string) => void,
): Promise<number> => {
  const settings = settingsOf(options.settings, env);
  const dryRun = options.yes !== true;
  const { reason } = options;
  if (!dryRun && !reason?.trim()) throw new UserError("why? --reason says it, for whoever reads the history", usage);
  const url = addressOf(options, settings);
  const headers = credentialOf(options, settings);
  const how = { dryRun, requestId: randomUUID(), ...(reason !== undefined && { reason }) };
  const found: Replayed[] = [];
  for (const body of await bodiesOf(args, options, settings))
    found.push(...(await post(url, headers, { ...body, ...how })));
  if (found.length === 0) print("nothing to replay");
  else for (const line of tableOf(found)) print(line);
  if (dryRun && found.length > 0) print("\nThis was a dry run. To enqueue them: --yes --reason TEXT");
  return 0;
};

const tableOf = (found: readonly Replayed[]): readonly string[] =>
  columns(
    ["OBJECT", "ACTION", "PARKED", "REASON"],
    found.map(({ object, action, parkedAt = "", reason }) => [object, action, parkedAt.replace(/\.\d+/, ""), reason]),
  );
