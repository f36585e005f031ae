import type { Json, JsonObject } from "../../core/types.ts";
import { isObject } from "../json.ts";
import { limitKeywords } from "./limitKeywords.ts";

/**
 * Keywords that mean the same in JSON Schema and in a structural schema
 * (https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema).
 */
const kept: ReadonlySet<string> = new Set([
  "type",
  "format",
  "description",
  "default",
  "enum",
  "pattern",
  "required",
  "nullable",
  ...limitKeywords,
]);

const each = (schemas: Json, path: string): JsonObject =>
  isObject(schemas)
    ? Object.fromEntries(Object.entries(schemas).map(([name, inner]) => [name, structural(inner, `${path}.${name}`)]))
    : {};

const anyOf = (schemas: Json, whole: JsonObject, path: string): JsonObject => {
  if (whole["x-kubernetes-int-or-string"] !== true)
    throw new Error(`${path}: a union cannot be said in a structural schema`);
  return { anyOf: schemas };
};

/** Free keys are `additionalProperties` there; TypeBox says them as one pattern that lets all pass. */
const freeKeys = (schemas: Json, path: string): JsonObject => {
  const [inner, ...more] = isObject(schemas) ? Object.values(schemas) : [];
  if (inner === undefined || more.length > 0) throw new Error(`${path}: keys by pattern cannot be said`);
  return { additionalProperties: structural(inner, `${path}{}`) };
};

const keyword = (name: string, value: Json, whole: JsonObject, path: string): JsonObject => {
  if (kept.has(name) || name.startsWith("x-kubernetes-")) return { [name]: value };
  switch (name) {
    case "properties":
      return { properties: each(value, path) };
    case "items":
      return { items: structural(value, `${path}[]`) };
    case "patternProperties":
      return freeKeys(value, path);
    case "anyOf":
      return anyOf(value, whole, path);
    default:
      throw new Error(`${path}: the keyword ${name} cannot be said in a structural schema`);
  }
};

/** The schema in the form that a CustomResourceDefinition takes. Throws, with the path, for what has no such form. */
export const structural = (schema: Json, path: string): JsonObject => {
  if (!isObject(schema)) throw new Error(`${path}: not a schema`);
  const parts = Object.entries(schema).map(([name, value]) => keyword(name, value, schema, path));
  return Object.assign({}, ...parts);
};
