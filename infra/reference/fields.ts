import { type Limit, limitsOf } from "../../src/api/definition/limits.ts";
import { isObject } from "../../src/api/json.ts";
import type { Json, JsonObject } from "../../src/core/types.ts";
import { code } from "./markdown.ts";

/** One field of a kind, with those below it. */
export interface Field {
  readonly name: string;
  /** As in rules: `spec.networkSpec.subnets[].name`. */
  readonly path: string;
  /** What stands between the name and those of its own fields: `[]`, `.*`, or nothing. */
  readonly suffix: string;
  readonly required: boolean;
  /** In words: `list of objects, key name`. */
  readonly type: string;
  /** In Markdown. */
  readonly limits: readonly string[];
  readonly default: Json | undefined;
  readonly description: string;
  readonly fields: readonly Field[];
}

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

const plural = (type: string): string => {
  const [first = "", ...rest] = type.split(" ");
  const many = first.endsWith("y") ? `${first.slice(0, -1)}ies` : `${first}s`;
  return type.startsWith("any ") ? type.replace("any object", "any objects") : [many, ...rest].join(" ");
};

const scalar = (schema: JsonObject): string => {
  if (schema["x-kubernetes-int-or-string"] === true)
    return schema["pattern"] === undefined ? "integer or string" : "quantity";
  const type = textOf(schema["type"]);
  return type === "object" && !isObject(schema["properties"]) ? "any object" : type;
};

const keyOf = (schema: JsonObject): string => {
  const keys = schema["x-kubernetes-list-map-keys"];
  return Array.isArray(keys) ? `, key ${keys.map((key: Json) => code(textOf(key))).join(" and ")}` : "";
};

/** The schema below lists and maps, and what leads there. */
interface Unwrapped {
  readonly inner: JsonObject;
  readonly suffix: string;
  readonly type: string;
  readonly limits: readonly Limit[];
}

const each = (limits: readonly Limit[]): readonly Limit[] =>
  limits.map(({ keywords, says }) => ({ keywords, says: `each ${says.replace(/^each /, "")}` }));

/** What the type says already. */
const isSaidByType = ({ keywords }: Limit, schema: JsonObject): boolean =>
  keywords.some((it) => it.startsWith("x-kubernetes-list")) ||
  (keywords.includes("pattern") && schema["x-kubernetes-int-or-string"] === true);

const unwrapped = (schema: JsonObject): Unwrapped => {
  const { items, additionalProperties } = schema;
  const limits = limitsOf(schema).filter((limit) => !isSaidByType(limit, schema));
  if (isObject(items)) {
    const { inner, suffix, type, limits: below } = unwrapped(items);
    const sort = schema["x-kubernetes-list-type"] === "set" ? "set" : "list";
    return {
      inner,
      suffix: `[]${suffix}`,
      type: `${sort} of ${plural(type)}${keyOf(schema)}`,
      limits: [...limits, ...each(below)],
    };
  }
  if (isObject(additionalProperties)) {
    const { inner, suffix, type, limits: below } = unwrapped(additionalProperties);
    return { inner, suffix: `.*${suffix}`, type: `map of ${plural(type)}`, limits: [...limits, ...each(below)] };
  }
  return { inner: schema, suffix: "", type: scalar(schema), limits };
};

const fieldOf = (path: string, name: string, schema: JsonObject, required: boolean): Field => {
  const { inner, suffix, type, limits } = unwrapped(schema);
  const described = textOf(schema["description"]);
  return {
    name,
    path,
    suffix,
    required,
    type,
    limits: limits.map(({ says }) => says),
    default: schema["default"],
    description: described === "" ? textOf(inner["description"]) : described,
    fields: fieldsOf(`${path}${suffix}`, inner),
  };
};

/** The fields of an object with this schema, which stands at the path. */
export const fieldsOf = (path: string, schema: JsonObject): readonly Field[] => {
  const { properties, required } = schema;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(isObject(properties) ? properties : {}).flatMap(([name, inner]) =>
    isObject(inner) ? [fieldOf(path === "" ? name : `${path}.${name}`, name, inner, needed.includes(name))] : [],
  );
};

/** The field and all below it, each before its own. */
export const deep = (field: Field): readonly Field[] => [field, ...field.fields.flatMap(deep)];
