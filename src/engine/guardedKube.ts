import { annotations } from "../core/annotations.ts";
import { levelOf, waitMs } from "../core/guard/hold.ts";
import type { KubeContest, KubeLedger, KubeWrites } from "../core/guard/kubeWrites.ts";
import { type KubePart, type Said, saidOf, undoneIn } from "../core/guard/undone.ts";
import { canonicalJson } from "../core/hash.ts";
import type { JsonObject, KubeObject, ObjectKey, Result } from "../core/types.ts";
import type { Kube } from "../ports.ts";
import { isJsonList, isJsonObject } from "../wire/json.ts";
import type { Deps } from "./deps.ts";
import { announceContest, contestOf, type Undone } from "./kubeContest.ts";
import { savingOfKube } from "./kubeRow.ts";
import { managers } from "./manifest.ts";
import type { Ending } from "./turning.ts";

/** A port to the API server that slows down a fight over what Capstan says of its object. */
export interface GuardedKube {
  readonly kube: Kube;
  /** What of metadata and spec is fought over, lately or now. */
  readonly contests: () => readonly KubeContest[];
  /** The ending with what was said in this turn, due when a hold is over. */
  readonly remembered: (ending: Ending) => Ending;
}

const kept = 16;
/** So long after a hold the contest still shows: it would flicker, were it to end with the first write that may go. */
const shownMs = 60 * 60_000;
/** A write that the answer already shows undone is not repeated at once. */
const undoneAtOnceMs = 1_000;
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
  return release === before.released || release === ""
    ? before
    : { said: before.said, againAtMs: [], released: release };
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

interface State {
  ledger: KubeLedger;
  current: KubeObject | undefined;
  dueMs: number;
}

/** What is held back for a while; of a status the rest is said. */
const holdBack = async (
  undone: Undone,
  manifest: JsonObject,
  object: KubeObject,
  state: State,
  guarding: { readonly kube: Kube; readonly deps: Deps },
): Promise<JsonObject | undefined> => {
  const { part, paths, shown, untilMs } = undone;
  state.dueMs = Math.min(state.dueMs, untilMs);
  const writes = writesOf(state.ledger, part, object);
  if (writes.contest?.untilMs !== untilMs) {
    const contest = contestOf(undone, object);
    state.ledger = { ...state.ledger, [part]: { ...writes, contest } };
    await announceContest(undone, contest, object, guarding);
  }
  if (part !== "status") return undefined;
  const rest = yielding(manifest, object, paths);
  return saysNothingNew(saidOf(rest, part), shown) ? undefined : rest;
};

/** Something that the API server has taken. `before` and `after`: the object. */
interface Taken {
  readonly part: KubePart;
  readonly said: Said;
  /** It was said before, and somebody had undone it. */
  readonly again: boolean;
  readonly before: KubeObject;
  readonly after: KubeObject;
}

/** What was said, and when it may be said again if the answer shows that it was undone at once. */
const noteSaid = ({ part, said, again, before, after }: Taken, state: State, nowMs: number): void => {
  const writes = writesOf(state.ledger, part, before);
  const againAtMs = again ? [...writes.againAtMs, nowMs].slice(-kept) : writes.againAtMs;
  const next = { ...writes, said, againAtMs };
  state.ledger = { ...state.ledger, [part]: next };
  const vain = part === "metadata" && undoneIn(said, said, saidOf(after as unknown as JsonObject, part)).length > 0;
  if (vain) state.dueMs = Math.min(state.dueMs, Math.max(againFromMs(next, nowMs), nowMs + undoneAtOnceMs));
};

const contestsIn = ({ metadata, spec }: KubeLedger, nowMs: number): readonly KubeContest[] =>
  [metadata?.contest, spec?.contest].flatMap((contest) =>
    contest !== undefined && nowMs < contest.untilMs + shownMs ? [contest] : [],
  );

/** The ending with what was said, due at the latest when a hold is over or no longer shows. */
const rememberedIn = (ending: Ending, { ledger, dueMs }: State, before: KubeLedger, nowMs: number): Ending => {
  if (ending.kind !== "commit") return ending;
  const rows = ledger === before ? ending.rows : [...ending.rows, savingOfKube(ledger)];
  const { outcome } = ending;
  const times = [dueMs, ...contestsIn(ledger, nowMs).map(({ untilMs }) => untilMs + shownMs)];
  const sooner = outcome.kind === "turned" ? { ...outcome, dueMs: Math.min(outcome.dueMs, ...times) } : outcome;
  return { ...ending, rows, outcome: sooner };
};

/**
 * Counts what is said again because somebody undid it: three times at once, then ever more slowly, like writes to Azure
 * (design section 7). What is new is said at once. While a part is held back the object is answered as it stands.
 */
export const guardedKube = (inner: Kube, before: KubeLedger, key: ObjectKey, deps: Deps): GuardedKube => {
  const state: State = { ledger: before, current: undefined, dueMs: Number.POSITIVE_INFINITY };
  const nowOf = (): number => deps.tables.nowMs() ?? 0;
  const note = (object: Result<KubeObject>): Result<KubeObject> => {
    if (object.ok) state.current = object.value;
    return object;
  };
  const apply: Kube["apply"] = async (manifest, options) => {
    const part = parts.get(options.fieldManager);
    const object = state.current;
    if (part === undefined || !isOf(manifest, object)) return inner.apply(manifest, options);
    const nowMs = nowOf();
    const writes = writesOf(state.ledger, part, object);
    const said = saidOf(manifest, part);
    const shown = saidOf(object as unknown as JsonObject, part);
    const paths = undoneIn(writes.said, said, shown);
    const untilMs = paths.length === 0 ? 0 : againFromMs(writes, nowMs);
    if (untilMs > nowMs) {
      const undone = { part, paths, said, shown, count: 1 + writes.againAtMs.length, untilMs };
      const rest = await holdBack(undone, manifest, object, state, { kube: inner, deps });
      return rest === undefined ? { ok: true, value: object } : note(await inner.apply(rest, options));
    }
    const told = await inner.apply(manifest, options);
    if (told.ok) noteSaid({ part, said, again: paths.length > 0, before: object, after: told.value }, state, nowMs);
    return note(told);
  };
  const kube: Kube = {
    ...inner,
    get: async (wanted) => (textOf(wanted) === textOf(key) ? note(await inner.get(wanted)) : inner.get(wanted)),
    apply,
  };
  return {
    kube,
    contests: () => contestsIn(state.ledger, nowOf()),
    remembered: (ending) => rememberedIn(ending, state, before, nowOf()),
  };
};
