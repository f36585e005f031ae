import { isJsonList, isJsonObject, type Json, type JsonObject } from "./json.ts";
import { itemOf, type NodeRef, type NodeTable, nodeOf, propertyOf } from "./schema.ts";

const writableObject = (schema: NodeTable, ref: NodeRef, json: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(json).flatMap(([key, value]) => {
      const property = propertyOf(schema, ref, key, { ignoreCase: true });
      if (property === undefined || property.readOnly === true) return [];
      return [[property.name, writable(schema, property.node, value)]];
    }),
  );

/**
 * The part of an observed body that may be sent back: without read-only properties and without those that the schema
 * does not know (the network provider refuses unknown members), in the order and, for names, the spelling of the
 * schema's properties. Values whose shape is not what the schema says stay as they are.
 */
export const writable = (schema: NodeTable, ref: NodeRef, json: Json): Json => {
  const item = itemOf(schema, ref);
  if (item !== undefined) return isJsonList(json) ? json.map((entry) => writable(schema, item, entry)) : json;
  return nodeOf(schema, ref).kind === "object" && isJsonObject(json) ? writableObject(schema, ref, json) : json;
};
