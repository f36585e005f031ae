import type { KubeSource } from "../adapters/kubeTransport.ts";
import { dependencyTable } from "../core/dependencyTable.ts";
import type { Result } from "../core/types.ts";

/** How the broker is reached. */
export type BusAccess =
  /** With a key; for the local broker. */
  | { readonly kind: "connectionString"; readonly connectionString: string }
  /** `<name>.servicebus.windows.net`, with the identity of the pod. */
  | { readonly kind: "identity"; readonly namespace: string };

export interface WatcherConfig {
  readonly kube: KubeSource;
  readonly bus: BusAccess;
  readonly kinds: readonly string[];
  readonly watchFilter?: string;
  readonly namespace?: string;
  readonly health: { readonly host: string; readonly port: number };
}

type Env = Readonly<Record<string, string | undefined>>;

const defaultKinds = "AzureCluster";
const defaultHealthPort = "8080";
/** Nobody else on the network; a pod has to be probed from outside and says so. */
const defaultHealthHost = "127.0.0.1";

const given = (env: Env, name: string): string | undefined => {
  const value = env[name]?.trim();
  return value === "" ? undefined : value;
};

const kubeOf = (env: Env): Result<KubeSource, string> => {
  const path = given(env, "CAPSTAN_KUBECONFIG");
  const context = given(env, "CAPSTAN_KUBE_CONTEXT");
  if (path !== undefined)
    return { ok: true, value: { kind: "file", path, ...(context === undefined ? {} : { context }) } };
  if (context !== undefined) return { ok: false, error: "CAPSTAN_KUBE_CONTEXT needs CAPSTAN_KUBECONFIG" };
  return given(env, "KUBERNETES_SERVICE_HOST") === undefined
    ? { ok: false, error: "CAPSTAN_KUBECONFIG is not set, and this is no pod: no way to the API server" }
    : { ok: true, value: { kind: "inCluster" } };
};

const busOf = (env: Env): Result<BusAccess, string> => {
  const connectionString = given(env, "CAPSTAN_SERVICE_BUS_CONNECTION");
  const namespace = given(env, "CAPSTAN_SERVICE_BUS_NAMESPACE");
  if (connectionString !== undefined && namespace !== undefined)
    return { ok: false, error: "set CAPSTAN_SERVICE_BUS_NAMESPACE or CAPSTAN_SERVICE_BUS_CONNECTION, not both" };
  if (connectionString !== undefined) return { ok: true, value: { kind: "connectionString", connectionString } };
  if (namespace === undefined)
    return { ok: false, error: "set CAPSTAN_SERVICE_BUS_NAMESPACE, or CAPSTAN_SERVICE_BUS_CONNECTION" };
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(namespace)
    ? { ok: true, value: { kind: "identity", namespace } }
    : { ok: false, error: "CAPSTAN_SERVICE_BUS_NAMESPACE is a host name such as example.servicebus.windows.net" };
};

const kindsOf = (env: Env): Result<readonly string[], string> => {
  const kinds = (given(env, "CAPSTAN_KINDS") ?? defaultKinds).split(",").map((kind) => kind.trim());
  const unknown = kinds.filter((kind) => !Object.hasOwn(dependencyTable, kind));
  return unknown.length === 0
    ? { ok: true, value: [...new Set(kinds)] }
    : { ok: false, error: `CAPSTAN_KINDS: ${unknown.join(", ")} is not reconciled by this release` };
};

const portOf = (env: Env): Result<number, string> => {
  const text = given(env, "CAPSTAN_HEALTH_PORT") ?? defaultHealthPort;
  const port = Number(text);
  return /^\d+$/.test(text) && port < 65_536
    ? { ok: true, value: port }
    : { ok: false, error: "CAPSTAN_HEALTH_PORT is a number from 0 (any free port) to 65535" };
};

/** Settings of the watcher from the environment, or all problems at once. No message holds a value that may be secret. */
export const readConfig = (env: Env): Result<WatcherConfig, readonly string[]> => {
  const [kube, bus, kinds, port] = [kubeOf(env), busOf(env), kindsOf(env), portOf(env)];
  if (!kube.ok || !bus.ok || !kinds.ok || !port.ok)
    return { ok: false, error: [kube, bus, kinds, port].flatMap((one) => (one.ok ? [] : [one.error])) };
  const watchFilter = given(env, "CAPSTAN_WATCH_FILTER");
  const namespace = given(env, "CAPSTAN_NAMESPACE");
  return {
    ok: true,
    value: {
      kube: kube.value,
      bus: bus.value,
      kinds: kinds.value,
      ...(watchFilter === undefined ? {} : { watchFilter }),
      ...(namespace === undefined ? {} : { namespace }),
      health: { host: given(env, "CAPSTAN_HEALTH_HOST") ?? defaultHealthHost, port: port.value },
    },
  };
};
