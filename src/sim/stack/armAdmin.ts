import type { FaultRule } from "../arm/faults.ts";
import type { Json, JsonObject } from "../arm/json.ts";
import type { ArmSimulatorOptions } from "../arm/options.ts";
import type { Seed } from "../arm/otherWriter.ts";
import type { LoggedRequest } from "../arm/requestLog.ts";

/** The inspection side of the Azure simulator, over HTTP: what a test or a person does to Azure beside Capstan. */
export interface ArmAdmin {
  /** Requests so far, oldest first; `since` leaves so many out. */
  requests(since?: number): Promise<readonly LoggedRequest[]>;
  /** Resources as a reader sees them, below a prefix of the id. */
  resources(prefix?: string): Promise<readonly JsonObject[]>;
  /** Puts resources in place, settled, as another writer would. */
  seed(resources: readonly Seed[]): Promise<void>;
  /** Changes a resource by a JSON merge patch, as another writer would. */
  mutate(id: string, merge: JsonObject): Promise<void>;
  /** Takes a resource away, as another writer would. */
  remove(id: string): Promise<void>;
  /** Replaces all faults. Paths are plain text here: a pattern does not travel over HTTP. */
  setFaults(faults: readonly FaultRule[]): Promise<void>;
  configure(options: Omit<ArmSimulatorOptions, "validate">): Promise<void>;
  /** Ends all running operations now. */
  finishOperations(): Promise<void>;
  /** Resources, operations, faults and log go; options stay. */
  reset(): Promise<void>;
}

const call = async (base: string, method: string, path: string, body?: unknown): Promise<unknown> => {
  const answer = await fetch(new URL(`/_sim/${path}`, base), {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the Azure simulator answered ${answer.status} to ${method} ${path}: ${text}`);
  return JSON.parse(text);
};

/** The admin client of the simulator at a URL. Every call fails with the simulator's message. */
export const armAdmin = (url: () => string): ArmAdmin => {
  const change = async (item: Json): Promise<void> => {
    await call(url(), "PUT", "resources", item);
  };
  return {
    // The casts of this file: the other end is our own simulator.
    requests: async (since = 0) => {
      const { requests } = (await call(url(), "GET", `requests?since=${since}`)) as { requests: LoggedRequest[] };
      return requests;
    },
    resources: async (prefix = "") =>
      (await call(url(), "GET", `resources?prefix=${encodeURIComponent(prefix)}`)) as JsonObject[],
    seed: (resources) => change([...resources]),
    mutate: (id, merge) => change({ id, merge }),
    remove: (id) => change({ id, delete: true }),
    setFaults: async (faults) => {
      await call(url(), "POST", "faults", faults);
    },
    configure: async (options) => {
      await call(url(), "PUT", "options", options);
    },
    finishOperations: async () => {
      await call(url(), "POST", "finish");
    },
    reset: async () => {
      await call(url(), "POST", "reset");
    },
  };
};
