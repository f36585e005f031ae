import { isJsonList, isJsonObject, type Json } from "../../wire/json.ts";
import { canonicalJson } from "../hash.ts";
import type { JsonObject } from "../types.ts";

/** What a manifest, or an object, says of one part: values by path. Conditions stand under their type, finalizers each alone. */
export type Said = Readonly<Record<string, Json>>;

/** Parts of an object that Capstan applies each under a field manager of its own. */
export type KubePart = "metadata" | "spec" | "status";

const whenOnly = new Set(["lastTransitionTime"]);

const itemKey = (item: Json): string | undefined => {
  if (typeof item === "string") return item;
  const type = isJsonObject(item) ? item["type"] : undefined;
  return typeof type === "string" ? type : undefined;
};

const steady = (value: Json): Json =>
  isJsonObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => !whenOnly.has(name))) : value;

const below = (path: string, value: Json): readonly (readonly [string, Json])[] => {
  if (isJsonList(value) && /^(status\.conditions|metadata\.finalizers)$/.test(path))
    return value.flatMap((item) => {
      const key = itemKey(item);
      return key === undefined ? [] : [[`${path}[${key}]`, steady(item)] as const];
    });
  if (!isJsonObject(value) || Object.keys(value).length === 0) return [[path, value]];
  return Object.entries(value).flatMap(([name, child]) => below(`${path}.${name}`, child));
};

const ofMetadata = ({ finalizers = [], annotations = {} }: JsonObject): JsonObject => ({ finalizers, annotations });

export const saidOf = (manifest: JsonObject, part: KubePart): Said => {
  const value = manifest[part];
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(below(part, part === "metadata" ? ofMetadata(value) : value));
};

const same = (one: Json | undefined, other: Json | undefined): boolean =>
  one === undefined || other === undefined ? one === other : canonicalJson(one) === canonicalJson(other);

/** Paths that we say again with the same value because the object no longer shows it: somebody has undone them. */
export const undoneIn = (last: Said, now: Said, shown: Said): readonly string[] =>
  Object.entries(now)
    .filter(([path, value]) => same(last[path], value) && !same(shown[path], value))
    .map(([path]) => path);
