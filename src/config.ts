import { Type } from "typebox";
import { Value } from "typebox/value";
import { parseJson } from "./core/parseJson.ts";
import type { Result } from "./core/types.ts";

/** Settings of the function app, read once from its environment. */

export interface ClusterSetting {
  /** uid of the management cluster's `kube-system` namespace. */
  readonly uid: string;
  readonly source:
    | { readonly kind: "file"; readonly path: string; readonly context?: string }
    | { readonly kind: "inCluster" };
}

export type LogLevelSetting = "error" | "warn" | "info" | "debug";

export interface Config {
  readonly serviceBus:
    | { readonly kind: "connectionString"; readonly connectionString: string }
    | { readonly kind: "namespace"; readonly namespace: string };
  readonly queue: string;
  readonly tables:
    | { readonly kind: "connectionString"; readonly connectionString: string }
    | { readonly kind: "endpoint"; readonly endpoint: string };
  readonly clusters: readonly ClusterSetting[];
  readonly subscriptionId?: string;
  readonly watchFilter?: string;
  readonly driftPeriodMs: number;
  readonly ownClientId?: string;
  readonly allowedIdentities?: Readonly<
    Record<string, readonly { readonly clientId: string; readonly tenantId: string }[]>
  >;
  readonly credentialFolder?: string;
  readonly federatedTokenFile?: string;
  readonly logLevel: LogLevelSetting;
  /** Present in development mode only. With `armReroute` no request reaches Azure, and every token is a static one. */
  readonly development?: { readonly armReroute?: string };
}

export interface Setting {
  readonly description: string;
  readonly default?: string;
  /** Its value may not be shown. */
  readonly secret?: true;
}

/** Every setting that is read, for the reference page. */
export const settings = {
  ServiceBusConnection__fullyQualifiedNamespace: {
    description:
      "Host name of the Service Bus namespace, for instance `example.servicebus.windows.net`; reached with the app's own identity. This or `ServiceBusConnection`.",
  },
  ServiceBusConnection: { description: "Connection string of the Service Bus namespace.", secret: true },
  CAPSTAN_QUEUE: {
    description: "Queue of the work; messages that are given up go to the one named like it with `-failed`.",
    default: "reconcile",
  },
  CAPSTAN_TABLES_ENDPOINT: {
    description:
      "Table endpoint of the storage account, for instance `https://example.table.core.windows.net`; reached with the app's own identity. This or `CAPSTAN_TABLES_CONNECTION`.",
  },
  CAPSTAN_TABLES_CONNECTION: { description: "Connection string of the storage account.", secret: true },
  CAPSTAN_CLUSTERS: {
    description:
      'Management clusters that are served, as JSON: `[{"uid": "…", "kubeconfig": "/path", "context": "…"}]` or `[{"uid": "…", "inCluster": true}]`. The uid is that of the namespace `kube-system`. Messages that name any other cluster are parked.',
  },
  CAPSTAN_CLIENT_ID: {
    description: "Client id of the app's own identity. No object may act as it. Required outside development mode.",
  },
  CAPSTAN_ALLOWED_IDENTITIES: {
    description:
      'Identities that objects of a namespace may act as, as JSON: `{"namespace": [{"clientId": "…", "tenantId": "…"}]}`. Unset: every identity; set: no others.',
  },
  CAPSTAN_CREDENTIAL_FOLDER: {
    description: "Absolute path of the one folder from which credential files are read. Unset: none are.",
  },
  AZURE_FEDERATED_TOKEN_FILE: {
    description:
      "File with the service account token that vouches for workload identities. Unset: the app's own managed identity does.",
  },
  AZURE_SUBSCRIPTION_ID: { description: "Subscription of objects that name none." },
  CAPSTAN_WATCH_FILTER: {
    description: "Only objects whose label `cluster.x-k8s.io/watch-filter` has this value. Unset: all.",
  },
  CAPSTAN_DRIFT_PERIOD: {
    description: "How long a settled object is left alone before Azure is read again: a number with `m`, `h` or `d`.",
    default: "24h",
  },
  CAPSTAN_LOG_LEVEL: { description: "`error`, `warn`, `info` or `debug`.", default: "info" },
  CAPSTAN_DEVELOPMENT: {
    description: "`true` allows what only a local installation may do: plain HTTP, `CAPSTAN_ARM_REROUTE`.",
    default: "false",
  },
  CAPSTAN_ARM_REROUTE: {
    description:
      "Development only: URL of a server on this machine that gets all requests meant for Azure. Credentials are not checked then.",
  },
} as const satisfies Readonly<Record<string, Setting>>;

type SettingName = keyof typeof settings;
type Env = Readonly<Record<string, string | undefined>>;

/** Reads settings and gathers what is wrong with them. */
interface Reader {
  readonly text: (name: SettingName) => string | undefined;
  /** Text that passes; else the sentence is a problem. */
  readonly checked: (name: SettingName, passes: (text: string) => boolean, sentence: string) => string | undefined;
  readonly problem: (sentence: string) => void;
  readonly problems: readonly string[];
}

const reader = (env: Env): Reader => {
  const problems: string[] = [];
  const text = (name: SettingName): string | undefined => {
    const { default: byDefault }: Setting = settings[name];
    return env[name]?.trim() || byDefault;
  };
  const problem = (sentence: string): void => void problems.push(sentence);
  const checked: Reader["checked"] = (name, passes, sentence) => {
    const value = text(name);
    if (value === undefined || passes(value)) return value;
    problem(`${name}: ${sentence}`);
    return undefined;
  };
  return { text, checked, problem, problems };
};

const hostName = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i;
const isGuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
const isHttps = (text: string): boolean => URL.parse(text)?.protocol === "https:";
const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);
const isLocal = (text: string): boolean => {
  const url = URL.parse(text);
  return (url?.protocol === "http:" || url?.protocol === "https:") && loopback.has(url.hostname);
};

/** Exactly one of two settings; undefined when it is not so. */
const oneOf = ({ text, problem }: Reader, first: SettingName, second: SettingName): SettingName | undefined => {
  const given = [first, second].filter((name) => text(name) !== undefined);
  if (given.length === 1) return given[0];
  problem(given.length === 0 ? `${first} or ${second} is needed` : `${first} and ${second}: only one of them`);
  return undefined;
};

const serviceBusOf = (from: Reader, development: boolean): Config["serviceBus"] | undefined => {
  const name = oneOf(from, "ServiceBusConnection__fullyQualifiedNamespace", "ServiceBusConnection");
  if (name === undefined) return undefined;
  if (name === "ServiceBusConnection") {
    const safe = (text: string): boolean => development || !/UseDevelopmentEmulator=true/i.test(text);
    const form = (text: string): boolean => /\bEndpoint=sb:\/\//i.test(text) && safe(text);
    const connectionString = from.checked(
      name,
      form,
      "a connection string begins with Endpoint=sb://; an emulator may be used in development mode only",
    );
    return connectionString === undefined ? undefined : { kind: "connectionString", connectionString };
  }
  const namespace = from.checked(
    name,
    (text) => hostName.test(text),
    "a host name such as example.servicebus.windows.net",
  );
  return namespace === undefined ? undefined : { kind: "namespace", namespace };
};

const tablesOf = (from: Reader, development: boolean): Config["tables"] | undefined => {
  const name = oneOf(from, "CAPSTAN_TABLES_ENDPOINT", "CAPSTAN_TABLES_CONNECTION");
  if (name === undefined) return undefined;
  if (name === "CAPSTAN_TABLES_CONNECTION") {
    const plain = /EndpointsProtocol=http(;|$)|Endpoint=http:|UseDevelopmentStorage=true/i;
    const form = (text: string): boolean => text.includes("=") && (development || !plain.test(text));
    const connectionString = from.checked(
      name,
      form,
      "a connection string is a list of name=value; plain HTTP may be used in development mode only",
    );
    return connectionString === undefined ? undefined : { kind: "connectionString", connectionString };
  }
  const endpoint = from.checked(name, isHttps, "an https URL such as https://example.table.core.windows.net");
  return endpoint === undefined ? undefined : { kind: "endpoint", endpoint };
};

const filled = Type.String({ minLength: 1 });
const clustersShape = Type.Array(
  Type.Union([
    Type.Object({ uid: filled, kubeconfig: filled, context: Type.Optional(filled) }, { additionalProperties: false }),
    Type.Object({ uid: filled, inCluster: Type.Literal(true) }, { additionalProperties: false }),
  ]),
  { minItems: 1 },
);

const clustersOf = ({ text, problem }: Reader): readonly ClusterSetting[] | undefined => {
  const value = parseJson(text("CAPSTAN_CLUSTERS") ?? "");
  if (!Value.Check(clustersShape, value)) {
    problem('CAPSTAN_CLUSTERS: a JSON list such as [{"uid": "…", "kubeconfig": "/path"}] with at least one cluster');
    return undefined;
  }
  const uids = value.map(({ uid }) => uid);
  const twice = uids.filter((uid, index) => uids.indexOf(uid) !== index);
  if (twice.length > 0) problem(`CAPSTAN_CLUSTERS: ${twice.join(", ")} occurs twice`);
  return value.map((cluster) => {
    if (!("kubeconfig" in cluster)) return { uid: cluster.uid, source: { kind: "inCluster" } };
    const { uid, kubeconfig: path, context } = cluster;
    return { uid, source: { kind: "file", path, ...(context !== undefined && { context }) } };
  });
};

const identitiesShape = Type.Record(
  Type.String(),
  Type.Array(Type.Object({ clientId: filled, tenantId: filled }, { additionalProperties: false })),
);

const identitiesOf = ({ text, problem }: Reader): Config["allowedIdentities"] | undefined => {
  const given = text("CAPSTAN_ALLOWED_IDENTITIES");
  if (given === undefined) return undefined;
  const value = parseJson(given);
  if (Value.Check(identitiesShape, value)) return value;
  // It must not be taken for unset: that would allow every identity.
  problem('CAPSTAN_ALLOWED_IDENTITIES: a JSON object such as {"namespace": [{"clientId": "…", "tenantId": "…"}]}');
  return undefined;
};

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

const driftPeriodMs = (from: Reader): number | undefined => {
  const period = from.checked(
    "CAPSTAN_DRIFT_PERIOD",
    (text) => /^[1-9]\d{0,4}[mhd]$/.test(text),
    "such as 90m, 24h or 7d",
  );
  const ms = Number(period?.slice(0, -1)) * (unitMs[period?.at(-1) ?? ""] ?? Number.NaN);
  return Number.isNaN(ms) ? undefined : ms;
};

const levels: readonly LogLevelSetting[] = ["error", "warn", "info", "debug"];
const logLevelOf = (from: Reader): LogLevelSetting | undefined => {
  const level = levels.find((it) => it === from.text("CAPSTAN_LOG_LEVEL"));
  if (level === undefined) from.problem(`CAPSTAN_LOG_LEVEL: one of ${levels.join(", ")}`);
  return level;
};

const developmentOf = (from: Reader): Config["development"] => {
  const flag = from.checked("CAPSTAN_DEVELOPMENT", (text) => text === "true" || text === "false", "true or false");
  const armReroute = from.checked("CAPSTAN_ARM_REROUTE", isLocal, "an http URL on 127.0.0.1 or localhost");
  if (flag === "true") return armReroute === undefined ? {} : { armReroute };
  if (armReroute !== undefined) from.problem("CAPSTAN_ARM_REROUTE: only with CAPSTAN_DEVELOPMENT=true");
  return undefined;
};

const ownClientIdOf = (from: Reader, development: boolean): string | undefined => {
  const id = from.checked("CAPSTAN_CLIENT_ID", isGuid, "a client id is a GUID");
  if (from.text("CAPSTAN_CLIENT_ID") === undefined && !development)
    from.problem("CAPSTAN_CLIENT_ID is needed, so that no object can act as Capstan itself");
  return id;
};

/** All parts that are given; absent ones stay absent. */
const given = <T extends object>(parts: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } =>
  // The one cast: what is filtered out is exactly what the type leaves out.
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]?: Exclude<T[K], undefined>;
  };

const optional = (from: Reader, development: boolean) =>
  given({
    subscriptionId: from.checked("AZURE_SUBSCRIPTION_ID", (text) => /^[\w-]+$/.test(text), "an id without slashes"),
    watchFilter: from.text("CAPSTAN_WATCH_FILTER"),
    ownClientId: ownClientIdOf(from, development),
    allowedIdentities: identitiesOf(from),
    credentialFolder: from.checked("CAPSTAN_CREDENTIAL_FOLDER", (text) => text.startsWith("/"), "an absolute path"),
    federatedTokenFile: from.text("AZURE_FEDERATED_TOKEN_FILE"),
  });

/** The settings, or all that is wrong with them. No problem quotes a value, because it may be a secret. */
export const readConfig = (env: Env): Result<Config, readonly string[]> => {
  const from = reader(env);
  const development = developmentOf(from);
  const serviceBus = serviceBusOf(from, development !== undefined);
  const tables = tablesOf(from, development !== undefined);
  const clusters = clustersOf(from);
  const driftMs = driftPeriodMs(from);
  const logLevel = logLevelOf(from);
  const queue = from.checked("CAPSTAN_QUEUE", (text) => /^[\w.-]+$/.test(text), "a queue name");
  const rest = optional(from, development !== undefined);
  if (from.problems.length > 0) return { ok: false, error: from.problems };
  if (!serviceBus || !tables || !clusters || !driftMs || !logLevel || !queue)
    return { ok: false, error: ["a required setting is missing"] };
  const config = { serviceBus, queue, tables, clusters, driftPeriodMs: driftMs, logLevel, ...rest };
  return { ok: true, value: Object.freeze(development === undefined ? config : { ...config, development }) };
};

/** The tables alone, for programs that need nothing else. */
export const readTables = (env: Env): Result<Config["tables"], readonly string[]> => {
  const from = reader(env);
  const tables = tablesOf(from, developmentOf(from) !== undefined);
  return tables === undefined ? { ok: false, error: from.problems } : { ok: true, value: tables };
};
