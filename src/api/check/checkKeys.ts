import type { Json, JsonObject } from "../../core/types.ts";
import { isObject } from "../json.ts";
import { type Finding, finding, type Step } from "./finding.ts";
import { nodeOfField, type SchemaNode } from "./schemaNode.ts";

/** JSON text that is equal for equal values. */
const canonical = (value: Json | undefined): string =>
  JSON.stringify(value, (_name, inner: Json) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1))) : inner,
  ) ?? "absent";

/** Positions of values that repeat an earlier one, once for each. */
const repeated = (values: readonly string[]): readonly number[] => {
  const seen = new Map<string, number>();
  return values.flatMap((value, i) => {
    const times = seen.get(value) ?? 0;
    seen.set(value, times + 1);
    return times === 1 ? [i] : [];
  });
};

const keysOf = ({ listKeys }: SchemaNode, item: Json): JsonObject =>
  isObject(item)
    ? Object.fromEntries(listKeys.flatMap((key) => (item[key] === undefined ? [] : [[key, item[key]]])))
    : {};

const keyedList = (node: SchemaNode, list: readonly Json[], steps: readonly Step[]): readonly Finding[] => {
  const stray = list.findIndex((item) => item !== null && !isObject(item));
  if (stray >= 0)
    return [finding("type", [...steps, stray], "must be an object for an array of list-type map", list[stray])];
  const keys = list.map((item) => keysOf(node, item));
  return repeated(keys.map(canonical)).map((i) =>
    finding("duplicate", [...steps, i], `Duplicate value: ${canonical(keys[i])}`),
  );
};

const ownList = (node: SchemaNode, list: readonly Json[], steps: readonly Step[]): readonly Finding[] => {
  switch (node.listType) {
    case "map":
      return keyedList(node, list, steps);
    case "set":
      return repeated(list.map(canonical)).map((i) =>
        finding("duplicate", [...steps, i], `Duplicate value: ${canonical(list[i])}`, list[i]),
      );
    case "atomic":
      return [];
  }
};

/** Everything that stands twice in a list in which it may stand once. */
export const checkKeys = (node: SchemaNode, value: Json, steps: readonly Step[]): readonly Finding[] => {
  if (Array.isArray(value)) {
    const { items } = node;
    const below = items === undefined ? [] : value.flatMap((item: Json, i) => checkKeys(items, item, [...steps, i]));
    return [...ownList(node, value, steps), ...below];
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const schema = nodeOfField(node, name);
    return schema === undefined
      ? []
      : checkKeys(schema, inner, [...steps, node.properties.has(name) ? name : { key: name }]);
  });
};
