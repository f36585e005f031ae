/** JSON as it travels: mutable, because a simulator edits what it stores. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

/** Whether a value is a JSON object, not a list and not null. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value at a path of names; undefined as soon as one is missing. */
export const valueAt = (from: Json | undefined, ...path: readonly string[]): Json | undefined => {
  let value = from;
  for (const name of path) {
    if (!isObject(value)) return undefined;
    value = value[name];
  }
  return value;
};

/** The object at a path, or an empty one that is not attached. */
export const objectAt = (from: Json | undefined, ...path: readonly string[]): JsonObject => {
  const value = valueAt(from, ...path);
  return isObject(value) ? value : {};
};

/** The objects of the list at a path; empty when there is none. */
export const listAt = (from: Json | undefined, ...path: readonly string[]): JsonObject[] => {
  const value = valueAt(from, ...path);
  return Array.isArray(value) ? value.filter(isObject) : [];
};

/** The strings of the list at a path; empty when there is none. */
export const textsAt = (from: Json | undefined, ...path: readonly string[]): string[] => {
  const value = valueAt(from, ...path);
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
};

/** The string at a path; "" when there is none. */
export const textAt = (from: Json | undefined, ...path: readonly string[]): string => {
  const value = valueAt(from, ...path);
  return typeof value === "string" ? value : "";
};

/** The number at a path, also when it was written as a string. */
export const numberAt = (from: Json | undefined, ...path: readonly string[]): number | undefined => {
  const value = valueAt(from, ...path);
  if (typeof value === "number") return value;
  return typeof value === "string" && value !== "" && Number.isFinite(Number(value)) ? Number(value) : undefined;
};

/** The `properties` of a body, attached when they were missing. */
export const propertiesOf = (body: JsonObject): JsonObject => {
  const present = body["properties"];
  if (isObject(present)) return present;
  const created: JsonObject = {};
  body["properties"] = created;
  return created;
};

export const clone = <T extends Json>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Deep equality, blind to the order of object keys. */
export const same = (left: Json | undefined, right: Json | undefined): boolean => {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item, at) => same(item, right[at]));
  if (!isObject(left) || !isObject(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length && names.every((name) => name in right && same(left[name], right[name]))
  );
};

/** JSON merge patch (RFC 7396) into a new value. */
export const mergePatch = (target: Json | undefined, patch: Json): Json => {
  if (!isObject(patch)) return clone(patch);
  const merged: JsonObject = isObject(target) ? clone(target) : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name], value);
  }
  return merged;
};

/** Names, ids and locations of Azure are equal regardless of case. */
export const sameText = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();
