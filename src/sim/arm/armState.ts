import { createHash } from "node:crypto";
import type { ActiveFault } from "./faults.ts";
import { activeFaults } from "./faults.ts";
import type { Json, JsonObject } from "./json.ts";
import type { ArmSimulatorOptions } from "./options.ts";
import type { LoggedRequest } from "./requestLog.ts";

/** A stored top-level or child resource. Children that live in their parent's body are not stored themselves. */
export interface Resource {
  readonly key: string;
  readonly id: string;
  readonly type: string;
  body: JsonObject;
  etag: string;
  readonly createdAtMs: number;
  /** The operation that runs on it, when one does. */
  operation: string | undefined;
  /** Not shown before this time (soft consistency). */
  visibleFromMs: number;
  /** What Azure accepts and never shows again. */
  secrets: JsonObject;
  /** Power state of machines, counters of scale sets: what no body holds. */
  notes: Record<string, string | number>;
}

/** A place that names another resource: `from` is the (sub)resource that holds the reference. */
export interface Reference {
  readonly holder: string;
  readonly from: string;
  readonly type: string;
  readonly path: string;
}

export interface OperationFailure {
  readonly status: "Failed" | "Canceled";
  readonly error: JsonObject;
}

export interface Operation {
  readonly id: string;
  readonly subscription: string;
  readonly namespace: string;
  readonly verb: "put" | "delete" | "action";
  readonly resource: string;
  readonly startedAtMs: number;
  readonly readyAtMs: number;
  readonly retryAfterSeconds: number | undefined;
  readonly url: string;
  readonly failure: OperationFailure | undefined;
  /** What happens to the world when it ends well, or badly. */
  readonly finish: (nowMs: number, failure: OperationFailure | undefined) => void;
  /** Body of a successful action or PUT, for polls of a Location URL. */
  readonly result: () => JsonObject | undefined;
  status: "InProgress" | "Succeeded" | "Failed" | "Canceled";
  endedAtMs: number | undefined;
}

/** One field that an update changed; without `before` it is new, without `after` it went. */
export interface FieldChange {
  readonly path: string;
  readonly before?: Json;
  readonly after?: Json;
}

/** One line of the change feed that Azure Resource Graph serves as `resourcechanges` and `resourcecontainerchanges`. */
export interface ResourceChange {
  readonly id: string;
  /** Unique in this simulator. */
  readonly name: string;
  readonly type: string;
  readonly change: "Create" | "Update" | "Delete";
  readonly atMs: number;
  /** Resource Graph learns of it late. */
  readonly shownFromMs: number;
  readonly correlationId: string;
  readonly by: string;
  readonly fields: readonly FieldChange[];
}

/** The whole simulated Azure. Only `handle` and the functions beside it write it. */
export interface ArmState {
  options: ArmSimulatorOptions;
  readonly resources: Map<string, Resource>;
  /** Deleted ones that soft consistency still shows. */
  readonly ghosts: Map<string, { readonly resource: Resource; readonly untilMs: number }>;
  readonly tombstones: Map<string, number>;
  /** Target key to the places that name it, by holder. */
  readonly references: Map<string, Map<string, readonly Reference[]>>;
  /** Holder to the target keys it names. */
  readonly targets: Map<string, readonly string[]>;
  readonly operations: Map<string, Operation>;
  readonly pending: Set<Operation>;
  readonly buckets: Map<string, { tokens: number; atMs: number }>;
  readonly registered: Set<string>;
  readonly reservedNics: Map<string, number>;
  faults: ActiveFault[];
  readonly requests: LoggedRequest[];
  readonly changes: ResourceChange[];
  changeCounter: number;
  counter: number;
}

/** A world to act in: the state, the time, and what the request at hand brings along. */
export interface World {
  readonly state: ArmState;
  readonly nowMs: number;
  readonly apiVersion: string;
  readonly correlationId: string;
  readonly identity: string;
  /** How the operation that this request starts ends; undefined: well. */
  readonly failure: OperationFailure | undefined;
}

/** An empty Azure. Deterministic: equal requests at equal times give equal answers. */
export const createArmState = (options: ArmSimulatorOptions = {}): ArmState => ({
  options,
  resources: new Map(),
  ghosts: new Map(),
  tombstones: new Map(),
  references: new Map(),
  targets: new Map(),
  operations: new Map(),
  pending: new Set(),
  buckets: new Map(),
  registered: new Set(),
  reservedNics: new Map(),
  faults: activeFaults(options.faults ?? []),
  requests: [],
  changes: [],
  changeCounter: 0,
  counter: 0,
});

/** A number that was not given out before; the base of invented addresses. */
export const nextNumber = (state: ArmState): number => {
  state.counter += 1;
  return state.counter;
};

/** A new GUID, the same in every run. */
export const nextGuid = (state: ArmState): string => {
  const hash = createHash("sha256")
    .update(`${state.options.seedText ?? "arm"}/${nextNumber(state)}`)
    .digest("hex");
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `4${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join("-");
};
