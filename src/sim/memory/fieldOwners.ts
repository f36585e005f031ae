import type { Json, JsonObject } from "../../core/types.ts";
import { isJsonObject } from "../../wire/json.ts";

/** Server-side apply, as far as our own manifests use it: maps merge, lists are atomic, `metadata.finalizers` is a set. */

/** Leaves of a manifest by path; a list counts as one leaf. */
const leavesOf = (value: Json, path: readonly string[] = []): ReadonlyMap<string, Json> =>
  isJsonObject(value)
    ? new Map(Object.entries(value).flatMap(([name, child]) => [...leavesOf(child, [...path, name])]))
    : new Map([[JSON.stringify(path), value]]);

/** What each manager (and subresource) applied last, by its name. */
export type Owners = ReadonlyMap<string, ReadonlyMap<string, Json>>;

const withLeaf = (body: Json, [step, ...rest]: readonly string[], value: Json): Json => {
  if (step === undefined) return value;
  const object = isJsonObject(body) ? body : {};
  return { ...object, [step]: withLeaf(object[step] ?? {}, rest, value) };
};

/** These are there also when they are empty. */
const lasting: ReadonlySet<string> = new Set(["metadata", "annotations", "labels", "spec", "status"]);

/** Who gives up the last field of an object gives up the object. */
const withoutLeaf = (body: Json, path: readonly string[]): Json => {
  const [step, ...rest] = path;
  if (!isJsonObject(body) || step === undefined) return body;
  const { [step]: child, ...others } = body;
  if (rest.length === 0 || child === undefined) return others;
  const left = withoutLeaf(child, rest);
  return isJsonObject(left) && Object.keys(left).length === 0 && !lasting.has(step)
    ? others
    : { ...body, [step]: left };
};

export const finalizersPath = JSON.stringify(["metadata", "finalizers"]);
const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

/** The object after a forced apply, and who owns what afterwards. */
export const applyOwned = (
  object: JsonObject,
  manifest: JsonObject,
  manager: string,
  owners: Owners,
): { readonly object: JsonObject; readonly owners: Owners } => {
  const before = owners.get(manager) ?? new Map<string, Json>();
  const after = leavesOf(manifest);
  const strangers = [...owners].filter(([name]) => name !== manager);
  const others = strangers.flatMap(([, leaves]) => [...leaves.keys()]);
  /** Of a set, what another manager says too stays when one of them no longer says it. */
  const held = new Set(strangers.flatMap(([, leaves]) => listOf(leaves.get(finalizersPath))));
  const dropped = [...before].filter(([path]) => !after.has(path));
  const without = dropped.reduce<Json>((body, [path, value]) => {
    if (path === finalizersPath)
      return setFinalizers(body, (all) => all.filter((one) => held.has(one) || !listOf(value).includes(one)));
    return others.includes(path) ? body : withoutLeaf(body, JSON.parse(path) as string[]);
  }, object);
  const merged = [...after].reduce<Json>((body, [path, value]) => {
    if (path !== finalizersPath) return withLeaf(body, JSON.parse(path) as string[], value);
    const gone = listOf(before.get(path)).filter((one) => !held.has(one) && !listOf(value).includes(one));
    return setFinalizers(body, (all) => [...new Set([...all.filter((one) => !gone.includes(one)), ...listOf(value)])]);
  }, without);
  // The one cast: leaves were set into an object, so it is one still.
  return { object: merged as JsonObject, owners: new Map(owners).set(manager, after) };
};

const setFinalizers = (body: Json, change: (all: readonly Json[]) => readonly Json[]): Json => {
  const metadata = isJsonObject(body) && isJsonObject(body["metadata"]) ? body["metadata"] : {};
  return withLeaf(body, ["metadata", "finalizers"], change(listOf(metadata["finalizers"])));
};
