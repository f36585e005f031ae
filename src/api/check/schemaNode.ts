import type { Json, JsonObject } from "../../core/types.ts";
import { type LimitKeyword, limitKeywords } from "../definition/limitKeywords.ts";
import { isObject } from "../json.ts";
import type { Rule } from "../schema.ts";
import { type CelRule, celRule } from "./cel/celRule.ts";
import { goRegExp } from "./goRegExp.ts";
import { lazy } from "./lazy.ts";

/**
 * One node of the schema in a definition, in the form in which it is asked: keywords of a structural schema
 * (https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema).
 */
export interface SchemaNode {
  readonly type: string;
  readonly format: string;
  readonly intOrString: boolean;
  readonly nullable: boolean;
  /** Whether fields that the schema does not name are kept. */
  readonly open: boolean;
  readonly properties: ReadonlyMap<string, SchemaNode>;
  readonly required: readonly string[];
  /** Schema of the values of a free map. */
  readonly values?: SchemaNode;
  readonly items?: SchemaNode;
  readonly listType: "atomic" | "set" | "map";
  readonly listKeys: readonly string[];
  readonly default?: Json;
  readonly enum?: readonly Json[];
  readonly pattern?: string;
  /** Whether a text matches the pattern; all do when there is none. */
  readonly matches: (text: string) => boolean;
  readonly limits: Readonly<Record<LimitKeyword, number | undefined>>;
  readonly rules: readonly CelRule[];
  /** Whether this node or one below it has rules. */
  readonly ruled: boolean;
}

const objectAt = (json: JsonObject, key: string): JsonObject | undefined => {
  const found = json[key];
  return isObject(found) ? found : undefined;
};
const textAt = (json: JsonObject, key: string): string | undefined => {
  const found = json[key];
  return typeof found === "string" ? found : undefined;
};
const listAt = (json: JsonObject, key: string): readonly Json[] => {
  const found = json[key];
  return Array.isArray(found) ? found : [];
};
const textsAt = (json: JsonObject, key: string): readonly string[] =>
  listAt(json, key).filter((word) => typeof word === "string");

const limitsOf = (json: JsonObject): SchemaNode["limits"] => {
  const limit = (name: LimitKeyword): number | undefined => {
    const found = json[name];
    return typeof found === "number" ? found : undefined;
  };
  return Object.fromEntries(limitKeywords.map((name) => [name, limit(name)])) as SchemaNode["limits"];
};

const listTypeOf = (json: JsonObject): SchemaNode["listType"] => {
  const type = json["x-kubernetes-list-type"];
  return type === "map" || type === "set" ? type : "atomic";
};

const nodesAt = (json: JsonObject, key: string): ReadonlyMap<string, SchemaNode> =>
  new Map(
    Object.entries(objectAt(json, key) ?? {}).map(([name, inner]) => [name, schemaNode(isObject(inner) ? inner : {})]),
  );

/** The schema of a definition as nodes. */
export const schemaNode = (json: JsonObject): SchemaNode => {
  const properties = nodesAt(json, "properties");
  const valuesJson = objectAt(json, "additionalProperties");
  const itemsJson = objectAt(json, "items");
  const values = valuesJson === undefined ? undefined : schemaNode(valuesJson);
  const items = itemsJson === undefined ? undefined : schemaNode(itemsJson);
  // Definitions are written by `ruled`, which takes nothing but rules.
  const rules = (listAt(json, "x-kubernetes-validations") as unknown as readonly Rule[]).map(celRule);
  const pattern = textAt(json, "pattern");
  const expression = lazy(() => goRegExp(pattern ?? ""));
  const below = [...properties.values(), values, items];
  return {
    type: textAt(json, "type") ?? "",
    format: textAt(json, "format") ?? "",
    intOrString: json["x-kubernetes-int-or-string"] === true,
    nullable: json["nullable"] === true,
    open: json["x-kubernetes-preserve-unknown-fields"] === true,
    properties,
    required: textsAt(json, "required"),
    ...(values !== undefined && { values }),
    ...(items !== undefined && { items }),
    listType: listTypeOf(json),
    listKeys: textsAt(json, "x-kubernetes-list-map-keys"),
    ...(json["default"] !== undefined && { default: json["default"] }),
    ...(Array.isArray(json["enum"]) && { enum: listAt(json, "enum") }),
    ...(pattern !== undefined && { pattern }),
    matches: pattern === undefined ? () => true : (text) => expression().test(text),
    limits: limitsOf(json),
    rules,
    ruled: rules.length > 0 || below.some((node) => node?.ruled === true),
  };
};

/** The schema of a field, be it named or free; undefined for one that the schema does not know. */
export const nodeOfField = (node: SchemaNode | undefined, name: string): SchemaNode | undefined =>
  node?.properties.get(name) ?? node?.values;
