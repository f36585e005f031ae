import type { Deps } from "../../src/engine/deps.ts";
import type { Arm, Kube } from "../../src/ports.ts";

/** Lets a function app die at a given call to the outside: that call, and all after it, never come back. */
export interface CrashPlan {
  /** Deps whose every call counts. */
  readonly deps: Deps;
  /** Calls so far, with the name of each. */
  readonly calls: readonly string[];
  /** Resolves when the process has died. */
  readonly died: Promise<void>;
}

/**
 * `at` counts from 1; `effect` says whether the fatal call still takes effect outside (the answer is lost) or not (it was
 * not sent). `at` 0 never dies.
 */
export const crashing = (deps: Deps, at: number, effect: "before" | "after"): CrashPlan => {
  const calls: string[] = [];
  const { promise: died, resolve: die } = Promise.withResolvers<void>();
  const never = new Promise<never>(() => {});
  let dead = false;
  const guard = async <T>(name: string, run: () => Promise<T>): Promise<T> => {
    if (dead) return never;
    calls.push(name);
    if (calls.length !== at) return run();
    dead = true;
    if (effect === "after") await run();
    die();
    return never;
  };
  const arm = (inner: Arm): Arm => ({
    send: (request) => guard(`arm ${request.method}`, () => inner.send(request)),
    poll: (operation, target) => guard("arm poll", () => inner.poll(operation, target)),
    list: (request) => guard("arm list", () => inner.list(request)),
  });
  const kube = (inner: Kube): Kube => ({
    get: (key) => guard("kube get", () => inner.get(key)),
    list: (kind) => guard("kube list", () => inner.list(kind)),
    listMetadata: (kind) => guard("kube list", () => inner.listMetadata(kind)),
    apply: (manifest, options) => guard("kube apply", () => inner.apply(manifest, options)),
    secret: (namespace, name) => guard("kube secret", () => inner.secret(namespace, name)),
  });
  return {
    calls,
    died,
    deps: {
      ...deps,
      azure: {
        connect: async (credential) => {
          const connected = await deps.azure.connect(credential);
          return connected.ok ? { ok: true, value: arm(connected.value) } : connected;
        },
      },
      clusters: {
        connect: async (cluster) => {
          const connected = await deps.clusters.connect(cluster);
          return connected.ok ? { ok: true, value: kube(connected.value) } : connected;
        },
      },
      tables: {
        get: (table, partition, row) => guard("tables get", () => deps.tables.get(table, partition, row)),
        list: (table, partition) => guard("tables list", () => deps.tables.list(table, partition)),
        commit: (table, partition, actions) =>
          guard("tables commit", () => deps.tables.commit(table, partition, actions)),
        nowMs: () => deps.tables.nowMs(),
      },
      queue: { send: (queue, messages) => guard("queue send", () => deps.queue.send(queue, messages)) },
    },
  };
};
