import type { Json, JsonObject } from "../../../core/types.ts";
import { isObject } from "../../json.ts";
import type { SchemaNode } from "../schemaNode.ts";
import { escapedName } from "./escapedName.ts";

/** A value as rules see it: whole numbers are `bigint`, objects are maps. */
export type CelValue = null | boolean | bigint | number | string | readonly CelValue[] | ReadonlyMap<unknown, CelValue>;

/** Marks a list in which order means nothing, with the fields that are the key of an item; none in a set. */
export const unordered = Symbol("unordered");
export interface UnorderedList extends ReadonlyArray<unknown> {
  readonly [unordered]?: readonly string[];
}

const untypedNumber = (value: number): bigint | number => (Number.isInteger(value) ? BigInt(value) : value);

/** A value of which no schema is known. */
export const untypedCelValue = (value: Json): CelValue => {
  if (typeof value === "number") return untypedNumber(value);
  if (Array.isArray(value)) return value.map(untypedCelValue);
  return isObject(value)
    ? new Map(Object.entries(value).map(([name, inner]) => [name, untypedCelValue(inner)]))
    : (value as null | boolean | string);
};

const list = (node: SchemaNode, value: readonly Json[]): CelValue => {
  const { items } = node;
  if (items === undefined) return untypedCelValue(value);
  const values = value.map((item) => celValue(items, item));
  const keys = node.listKeys.map(escapedName);
  return node.listType === "atomic" ? values : Object.assign(values, { [unordered]: keys });
};

const object = (node: SchemaNode, value: JsonObject): CelValue => {
  const { properties, values } = node;
  if (properties.size === 0)
    return new Map(
      Object.entries(value).map(([name, inner]) => [
        name,
        values === undefined ? untypedCelValue(inner) : celValue(values, inner),
      ]),
    );
  return new Map(
    Object.entries(value).flatMap(([name, inner]) => {
      const schema = properties.get(name);
      // A null field is an absent one.
      return schema === undefined || inner === null ? [] : [[escapedName(name), celValue(schema, inner)]];
    }),
  );
};

/** A value of the schema as the API server shows it to rules. */
export const celValue = (node: SchemaNode, value: Json): CelValue => {
  if (Array.isArray(value)) return list(node, value);
  if (isObject(value)) return object(node, value);
  return typeof value === "number" && node.type === "number" ? value : untypedCelValue(value);
};
