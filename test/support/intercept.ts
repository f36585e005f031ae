import type { Deps } from "../../src/engine/deps.ts";
import type { Arm, ArmRequest, Kube } from "../../src/ports.ts";

/** One call of a port: what is asked, and the call itself. */
export interface Call {
  readonly port: "arm" | "kube" | "tables" | "queue";
  /** `arm PUT`, `tables commit`, `kube apply status` and so on. */
  readonly name: string;
  /** Of Azure: the resource; else empty. */
  readonly path: string;
  /** Whether it changes something outside. */
  readonly writes: boolean;
}

/** Stands around every call of every port; may delay it, answer in its place, or never come back. */
export type Around = <T>(call: Call, run: () => Promise<T>) => Promise<T>;

const armOf = (inner: Arm, around: Around): Arm => {
  const call = ({ method, path }: Pick<ArmRequest, "method" | "path">): Call => ({
    port: "arm",
    name: `arm ${method}`,
    path,
    writes: method !== "GET",
  });
  return {
    send: (request) => around(call(request), () => inner.send(request)),
    poll: (operation, target) =>
      around({ port: "arm", name: "arm poll", path: target.path, writes: false }, () => inner.poll(operation, target)),
    list: (request, mayGoOn) =>
      around({ port: "arm", name: "arm list", path: request.path, writes: false }, () => inner.list(request, mayGoOn)),
  };
};

const kubeOf = (inner: Kube, around: Around): Kube => {
  const call = (name: string, writes = false): Call => ({ port: "kube", name: `kube ${name}`, path: "", writes });
  return {
    get: (key) => around(call("get"), () => inner.get(key)),
    list: (kind) => around(call("list"), () => inner.list(kind)),
    listMetadata: (kind) => around(call("listMetadata"), () => inner.listMetadata(kind)),
    apply: (manifest, options) =>
      around(call(`apply ${options.subresource ?? ("spec" in manifest ? "spec" : "metadata")}`, true), () =>
        inner.apply(manifest, options),
      ),
    dropFinalizer: (key, uid, finalizer) =>
      around(call("dropFinalizer", true), () => inner.dropFinalizer(key, uid, finalizer)),
    event: (object, event) => around(call("event", true), () => inner.event(object, event)),
    secret: (namespace, name) => around(call("secret"), () => inner.secret(namespace, name)),
  };
};

/** The same deps with every call of a port led through `around`. */
export const intercept = (deps: Deps, around: Around): Deps => {
  const other = (port: "tables" | "queue", name: string, writes: boolean): Call => ({
    port,
    name: `${port} ${name}`,
    path: "",
    writes,
  });
  return {
    ...deps,
    azure: {
      connect: async (credential) => {
        const connected = await deps.azure.connect(credential);
        return connected.ok ? { ok: true, value: armOf(connected.value, around) } : connected;
      },
    },
    clusters: {
      connect: async (cluster) => {
        const connected = await deps.clusters.connect(cluster);
        return connected.ok ? { ok: true, value: kubeOf(connected.value, around) } : connected;
      },
    },
    tables: {
      get: (table, partition, row) =>
        around(other("tables", `get ${table}`, false), () => deps.tables.get(table, partition, row)),
      list: (table, partition) =>
        around(other("tables", `list ${table}`, false), () => deps.tables.list(table, partition)),
      commit: (table, partition, actions) =>
        around(other("tables", `commit ${table}`, true), () => deps.tables.commit(table, partition, actions)),
      nowMs: () => deps.tables.nowMs(),
    },
    queue: {
      send: (queue, messages) => around(other("queue", `send ${queue}`, true), () => deps.queue.send(queue, messages)),
    },
  };
};
