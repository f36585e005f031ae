import type { Json, JsonObject } from "../../core/types.ts";
import { isObject } from "../json.ts";
import { faultsOf } from "./checkScalar.ts";
import { type Finding, finding, type Step } from "./finding.ts";
import { isUnchanged, replacedField, replacedItem } from "./replaced.ts";
import { nodeOfField, type SchemaNode } from "./schemaNode.ts";

const missing = ({ required }: SchemaNode, value: JsonObject, steps: readonly Step[]): readonly Finding[] =>
  required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => finding("required", [...steps, name], "Required value"));

const insideObject = (
  node: SchemaNode,
  value: JsonObject,
  old: Json | undefined,
  steps: readonly Step[],
): readonly Finding[] => [
  ...Object.entries(value).flatMap(([name, inner]) => {
    const schema = nodeOfField(node, name);
    // Here, and only here, the API server writes keys of free maps as it writes names of fields.
    return schema === undefined ? [] : checkShape(schema, inner, replacedField(old, name), [...steps, name]);
  }),
  ...missing(node, value, steps),
];

const inside = (node: SchemaNode, value: Json, old: Json | undefined, steps: readonly Step[]): readonly Finding[] => {
  if (isObject(value)) return insideObject(node, value, old, steps);
  const { items } = node;
  if (!Array.isArray(value) || items === undefined) return [];
  const formerOf = replacedItem(node, old);
  return value.flatMap((item: Json, i) => checkShape(items, item, formerOf(item), [...steps, i]));
};

/**
 * Everything in which a value differs from the schema of its definition: types, required fields, words, patterns and
 * limits. Mistakes in parts that are as they were before may stay, as on the API server; no library for JSON Schema
 * knows this, nor nulls, lengths, patterns and numbers as Kubernetes takes them.
 */
export const checkShape = (
  node: SchemaNode,
  value: Json,
  old: Json | undefined,
  steps: readonly Step[],
): readonly Finding[] => {
  const own = faultsOf(node, value).map(({ rule, message }) => finding(rule, steps, message, value));
  const found = [...own, ...inside(node, value, old, steps)];
  return found.length > 0 && isUnchanged(node, value, old) ? [] : found;
};
