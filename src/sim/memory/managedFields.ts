import { canonicalJson } from "../../core/hash.ts";
import type { Json, JsonObject, ManagedFields } from "../../core/types.ts";
import { isJsonObject } from "../../wire/json.ts";

/** Who set which fields of a spec, as the API server keeps it; lists count as one field. */

const leavesOf = (value: Json, path: readonly string[]): ReadonlyMap<string, Json> =>
  isJsonObject(value) && Object.keys(value).length > 0
    ? new Map(Object.entries(value).flatMap(([name, child]) => [...leavesOf(child, [...path, `f:${name}`])]))
    : new Map([[JSON.stringify(path), value]]);

const specLeaves = (spec: Json | undefined): ReadonlyMap<string, Json> =>
  spec === undefined ? new Map() : leavesOf(spec, ["f:spec"]);

const withField = (tree: JsonObject, [step, ...rest]: readonly string[]): JsonObject => {
  if (step === undefined) return tree;
  const child = tree[step];
  return { ...tree, [step]: withField(isJsonObject(child) ? child : {}, rest) };
};

const treeOf = (paths: Iterable<string>): JsonObject =>
  [...paths].reduce<JsonObject>((tree, path) => withField(tree, JSON.parse(path) as string[]), {});

const pathsIn = (tree: JsonObject, path: readonly string[] = []): readonly string[] =>
  Object.entries(tree).flatMap(([step, child]) =>
    isJsonObject(child) && Object.keys(child).length > 0
      ? pathsIn(child, [...path, step])
      : [JSON.stringify([...path, step])],
  );

const without = (entry: ManagedFields, gone: ReadonlySet<string>): readonly ManagedFields[] => {
  const left = pathsIn(entry.fields).filter((path) => !gone.has(path));
  return left.length === 0 ? [] : [{ ...entry, fields: treeOf(left) }];
};

/**
 * The entries after a manager has set a spec. What it changed is its own from then on and nobody else's; its entry is dated
 * anew. A spec that says the same changes nothing.
 */
export const managedAfter = (
  before: readonly ManagedFields[],
  manager: string,
  specs: { readonly before: Json | undefined; readonly after: Json | undefined },
  nowMs: number,
): readonly ManagedFields[] => {
  const [old, now] = [specLeaves(specs.before), specLeaves(specs.after)];
  const changed = [...now].filter(([path, value]) => {
    const was = old.get(path);
    return was === undefined || canonicalJson(was) !== canonicalJson(value);
  });
  const dropped = [...old.keys()].filter((path) => !now.has(path));
  if (changed.length === 0 && dropped.length === 0) return before;
  const taken = new Set([...changed.map(([path]) => path), ...dropped]);
  const own = before.find((entry) => entry.manager === manager);
  const kept = own === undefined ? [] : pathsIn(own.fields).filter((path) => !dropped.includes(path));
  const fields = treeOf([...kept, ...changed.map(([path]) => path)]);
  const others = before.filter((entry) => entry.manager !== manager).flatMap((entry) => without(entry, taken));
  return [...others, { manager, atMs: Math.floor(nowMs / 1_000) * 1_000, fields }];
};
