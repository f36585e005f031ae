import type { JsonObject } from "../../core/types.ts";
import { isObject } from "../json.ts";

/** One place in a structural schema. */
export interface SchemaNode {
  /** `spec.networkSpec.subnets[].name`; `.*` stands for the keys of a free map. Empty at the root. */
  readonly path: string;
  readonly schema: JsonObject;
  /** Whether an object must have it when its parent is there. */
  readonly required: boolean;
}

const joined = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);

const below = ({ path, schema }: SchemaNode): readonly SchemaNode[] => {
  const { properties, items, additionalProperties, required } = schema;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return [
    ...Object.entries(isObject(properties) ? properties : {}).flatMap(([name, inner]) =>
      isObject(inner) ? [{ path: joined(path, name), schema: inner, required: needed.includes(name) }] : [],
    ),
    ...(isObject(items) ? [{ path: `${path}[]`, schema: items, required: false }] : []),
    ...(isObject(additionalProperties)
      ? [{ path: joined(path, "*"), schema: additionalProperties, required: false }]
      : []),
  ];
};

/** A node and all below it, each before its own, in the order of the schema. */
export const schemaNodes = (root: SchemaNode): readonly SchemaNode[] => [root, ...below(root).flatMap(schemaNodes)];
