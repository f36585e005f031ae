import type { Json, JsonObject } from "../../core/types.ts";
import { isObject } from "../json.ts";
import { nodeOfField, type SchemaNode } from "./schemaNode.ts";

/**
 * Which value of the former object a value replaces. The API server follows names of fields, keys of free maps and the
 * keys of keyed lists, nothing else (https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-ratcheting).
 */

/** The value of a field that is there in both; undefined when there is nothing to compare with. */
export const replacedField = (old: Json | undefined, name: string): Json | undefined =>
  isObject(old) && Object.hasOwn(old, name) ? old[name] : undefined;

const keyOf = (node: SchemaNode, item: JsonObject): string | undefined => {
  const keys = node.listKeys.map((name) => (Object.hasOwn(item, name) ? item[name] : undefined));
  return keys.length > 0 && keys.every((key) => key !== undefined && key !== null && typeof key !== "object")
    ? JSON.stringify(keys)
    : undefined;
};

/** Finds the former item of a keyed list; other lists have no former items. */
export const replacedItem = (node: SchemaNode, old: Json | undefined): ((item: Json) => Json | undefined) => {
  if (node.listType !== "map" || !Array.isArray(old)) return () => undefined;
  const byKey = new Map<string, Json>();
  for (const item of old as readonly Json[]) {
    const key = isObject(item) ? keyOf(node, item) : undefined;
    if (key !== undefined && !byKey.has(key)) byKey.set(key, item);
  }
  return (item) => {
    const key = isObject(item) ? keyOf(node, item) : undefined;
    return key === undefined ? undefined : byKey.get(key);
  };
};

/** Whether two values are the same JSON; the order of fields means nothing. */
export const isSame = (a: Json | undefined, b: Json | undefined): boolean => {
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => isSame(item, b[i]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]))
  );
};

const isUnchangedList = (node: SchemaNode, list: readonly Json[], old: readonly Json[]): boolean => {
  if (list.length !== old.length) return false;
  const { items } = node;
  if (node.listType !== "map" || items === undefined) return isSame(list, old);
  const formerOf = replacedItem(node, old);
  return list.every((item) => isUnchanged(items, item, formerOf(item)));
};

const isUnchangedField = (node: SchemaNode, name: string, value: Json | undefined, old: JsonObject): boolean => {
  const schema = nodeOfField(node, name);
  // What no schema describes counts as changed.
  return schema !== undefined && value !== undefined && isUnchanged(schema, value, replacedField(old, name));
};

/**
 * Whether a value is what it was, as the API server sees it when it decides whether an old mistake may stay: items of
 * a keyed list may have changed places, and what has no former value counts as changed.
 */
export const isUnchanged = (node: SchemaNode, value: Json, old: Json | undefined): boolean => {
  if (old === undefined) return false;
  if (Array.isArray(value)) return Array.isArray(old) && isUnchangedList(node, value, old);
  if (!isObject(value)) return value === old;
  const names = Object.keys(value);
  return (
    isObject(old) &&
    names.length === Object.keys(old).length &&
    names.every((name) => isUnchangedField(node, name, value[name], old))
  );
};
