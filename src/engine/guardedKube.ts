import { annotations } from "../core/annotations.ts";
import { levelOf, waitMs } from "../core/guard/hold.ts";
import type { KubeLedger, KubeWrites } from "../core/guard/kubeWrites.ts";
import { specWriters } from "../core/guard/specWriters.ts";
import { type KubePart, type Said, saidOf, undoneIn } from "../core/guard/undone.ts";
import { canonicalJson } from "../core/hash.ts";
import type { JsonObject, KubeObject, ObjectKey, Result } from "../core/types.ts";
import type { Kube } from "../ports.ts";
import { isJsonList, isJsonObject } from "../wire/json.ts";
import type { Deps } from "./deps.ts";
import { savingOfKube } from "./kubeRow.ts";
import { managers } from "./manifest.ts";
import type { Ending } from "./turning.ts";

/** A port to the API server that slows down a fight over what Capstan says of its object. */
export interface GuardedKube {
  readonly kube: Kube;
  /** The ending with what was said in this turn, due when a hold is over. */
  readonly remembered: (ending: Ending) => Ending;
}

const kept = 16;
const parts = new Map<string, KubePart>(Object.entries(managers).map(([part, name]) => [name, part as KubePart]));

const textOf = ({ kind, namespace, name }: ObjectKey): string => `${kind}/${namespace}/${name}`;

const isOf = (manifest: JsonObject, object: KubeObject | undefined): object is KubeObject =>
  object !== undefined && isJsonObject(manifest["metadata"]) && manifest["metadata"]["uid"] === object.metadata.uid;

/** From when on it may be said again; the first time it was said counts as one, too. */
const againFromMs = ({ againAtMs }: KubeWrites, nowMs: number): number => {
  const n =
    2 +
    levelOf(
      againAtMs.map((atMs) => ({ atMs, counts: true })),
      nowMs,
    );
  return (againAtMs.at(-1) ?? 0) + waitMs(n);
};

const writesOf = (ledger: KubeLedger, part: KubePart, { metadata }: KubeObject): KubeWrites => {
  const before = ledger[part] ?? { said: {}, againAtMs: [], released: "" };
  const release = metadata.annotations[annotations.release] ?? "";
  return release === before.released || release === "" ? before : { ...before, againAtMs: [], released: release };
};

/** The status without the conditions that somebody else will not have so: the object's own stand in their place. */
const yielding = (manifest: JsonObject, object: KubeObject, undone: readonly string[]): JsonObject => {
  const { status } = manifest;
  const list = isJsonObject(status) ? status["conditions"] : undefined;
  if (!isJsonObject(status) || !isJsonList(list)) return manifest;
  const shown = isJsonList(object.status["conditions"]) ? object.status["conditions"] : [];
  const conditions = list.flatMap((one) => {
    const type = isJsonObject(one) ? one["type"] : undefined;
    if (typeof type !== "string" || !undone.includes(`status.conditions[${type}]`)) return [one];
    return shown.filter((other) => isJsonObject(other) && other["type"] === type);
  });
  return { ...manifest, status: { ...status, conditions } };
};

const saysNothingNew = (said: Said, shown: Said): boolean =>
  Object.entries(said).every(([path, value]) => canonicalJson(value) === canonicalJson(shown[path] ?? null));

/**
 * Counts what is said again because somebody undid it: three times at once, then ever more slowly, like writes to Azure
 * (design section 7). What is new is said at once. While a part is held back the object is answered as it stands.
 */
export const guardedKube = (inner: Kube, before: KubeLedger, key: ObjectKey, deps: Deps): GuardedKube => {
  let ledger = before;
  let current: KubeObject | undefined;
  let dueMs = Number.POSITIVE_INFINITY;

  const note = (object: Result<KubeObject>): Result<KubeObject> => {
    if (object.ok) current = object.value;
    return object;
  };
  const announce = (part: KubePart, undone: readonly string[], said: Said, shown: Said, untilMs: number): void => {
    const [field = ""] = undone;
    deps.log("warn", "reconcile loop", {
      object: `${key.namespace}/${key.name}`,
      kind: key.kind,
      reason: part === "spec" ? "SpecContested" : "ReconcileLoop",
      field,
      from: JSON.stringify(shown[field] ?? null),
      to: JSON.stringify(said[field] ?? null),
      count: 1 + (ledger[part]?.againAtMs.length ?? 0),
      others: part === "spec" ? specWriters(current?.metadata.managedFields ?? [])[0]?.name : undefined,
      until: new Date(untilMs).toISOString(),
    });
  };
  const apply: Kube["apply"] = async (manifest, options) => {
    const part = parts.get(options.fieldManager);
    const object = current;
    if (part === undefined || !isOf(manifest, object)) return inner.apply(manifest, options);
    const nowMs = deps.tables.nowMs() ?? 0;
    const writes = writesOf(ledger, part, object);
    const said = saidOf(manifest, part);
    const shown = saidOf(object as unknown as JsonObject, part);
    const undone = undoneIn(writes.said, said, shown);
    const fromMs = undone.length === 0 ? 0 : againFromMs(writes, nowMs);
    if (fromMs > nowMs) {
      dueMs = Math.min(dueMs, fromMs);
      announce(part, undone, said, shown, fromMs);
      const rest = yielding(manifest, object, undone);
      const silent = part !== "status" || saysNothingNew(saidOf(rest, part), shown);
      return silent ? { ok: true, value: object } : note(await inner.apply(rest, options));
    }
    const told = await inner.apply(manifest, options);
    if (!told.ok) return told;
    const againAtMs = undone.length === 0 ? writes.againAtMs : [...writes.againAtMs, nowMs].slice(-kept);
    ledger = { ...ledger, [part]: { ...writes, said, againAtMs } };
    return note(told);
  };
  const kube: Kube = {
    ...inner,
    get: async (wanted) => (textOf(wanted) === textOf(key) ? note(await inner.get(wanted)) : inner.get(wanted)),
    apply,
  };
  return {
    kube,
    remembered: (ending) => {
      if (ending.kind !== "commit") return ending;
      const rows = ledger === before ? ending.rows : [...ending.rows, savingOfKube(ledger)];
      const { outcome } = ending;
      const sooner = outcome.kind === "turned" ? { ...outcome, dueMs: Math.min(outcome.dueMs, dueMs) } : outcome;
      return { ...ending, rows, outcome: sooner };
    },
  };
};
