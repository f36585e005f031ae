import { clone, isObject, type Json, type JsonObject } from "./json.ts";

/**
 * What Azure does to fields of a body on its own. Paths are dotted; `name[]` means each item of the list `name`.
 * `fill` sets a missing field; `omitEmpty` drops an empty list or object; `writeOnly` is accepted and never shown;
 * `readOnly` is shown and never accepted; `double` shows one value under two names, as a single and as a list of one.
 */
export type FieldRule =
  | { readonly kind: "fill"; readonly at: string; readonly value: Json }
  | { readonly kind: "omitEmpty"; readonly at: string }
  | { readonly kind: "writeOnly"; readonly at: string }
  | { readonly kind: "readOnly"; readonly at: string }
  | { readonly kind: "double"; readonly at: string; readonly single: string; readonly list: string };

export const fill = (at: string, value: Json): FieldRule => ({ kind: "fill", at, value });
export const omitEmpty = (at: string): FieldRule => ({ kind: "omitEmpty", at });
export const writeOnly = (at: string): FieldRule => ({ kind: "writeOnly", at });
/** Several computed fields below one path. */
export const readOnly = (under: string, ...names: readonly string[]): readonly FieldRule[] =>
  names.map((name) => ({ kind: "readOnly", at: under === "" ? name : `${under}.${name}` }));
export const double = (at: string, single: string, list: string): FieldRule => ({ kind: "double", at, single, list });

/** Several fills below one path. */
export const fills = (under: string, values: JsonObject): readonly FieldRule[] =>
  Object.entries(values).map(([name, value]) => fill(`${under}.${name}`, value));

/** The objects that a path of objects and lists leads to. Missing ones are not created. */
const objectsAt = (from: JsonObject, segments: readonly string[]): readonly JsonObject[] => {
  let reached: readonly JsonObject[] = [from];
  for (const segment of segments) {
    const each = segment.endsWith("[]");
    const name = each ? segment.slice(0, -2) : segment;
    reached = reached.flatMap((object) => {
      const value = object[name];
      if (each) return Array.isArray(value) ? value.filter(isObject) : [];
      return isObject(value) ? [value] : [];
    });
  }
  return reached;
};

const isEmpty = (value: Json | undefined): boolean =>
  Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;

const applyDouble = (object: JsonObject, single: string, list: string): void => {
  const one = object[single];
  const many = object[list];
  if (one !== undefined && one !== null && many === undefined) object[list] = [clone(one)];
  else if (one === undefined && Array.isArray(many) && many.length === 1) object[single] = clone(many[0]!);
};

const applyField = (rule: FieldRule, body: JsonObject, secrets: JsonObject): void => {
  const segments = rule.at.split(".");
  const name = segments.at(-1)!;
  if (rule.kind === "double") {
    for (const object of objectsAt(body, segments)) applyDouble(object, rule.single, rule.list);
    return;
  }
  for (const object of objectsAt(body, segments.slice(0, -1))) {
    const value = object[name];
    if (rule.kind === "fill") {
      if (value === undefined || value === null) object[name] = clone(rule.value);
    } else if (rule.kind === "readOnly") {
      delete object[name];
    } else if (rule.kind === "omitEmpty") {
      if (isEmpty(value)) delete object[name];
    } else if (value !== undefined) {
      secrets[rule.at] = value;
      delete object[name];
    }
  }
};

/**
 * Applies the rules in order to a body; write-only values go to `secrets` under their path. With `"none"` only what
 * keeps values out of the body is done.
 */
export const applyFields = (
  rules: readonly FieldRule[],
  body: JsonObject,
  secrets: JsonObject,
  defaults: "azure" | "none",
): void => {
  for (const rule of rules)
    if (defaults === "azure" || rule.kind === "writeOnly" || rule.kind === "readOnly") applyField(rule, body, secrets);
};
