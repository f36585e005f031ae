import type { NodeRef, ObjectNode, ResourceSchema, SchemaNode } from "../../../../src/wire/schema.ts";

type Flag = "readOnly" | "writeOnly" | "secret";
/** A small way to write a schema down. */
export type Shape =
  | "string"
  | "number"
  | "boolean"
  | "any"
  | readonly [Shape]
  | { readonly map: Shape }
  | { readonly flag: Flag; readonly of: Shape }
  | { readonly fields: Readonly<Record<string, Shape>> };

export const fields = (of: Readonly<Record<string, Shape>>): Shape => ({ fields: of });
export const flagged = (flag: Flag, of: Shape): Shape => ({ flag, of });
export const map = (of: Shape): Shape => ({ map: of });

const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape);

const add = (nodes: SchemaNode[], shape: Shape): NodeRef => {
  const node = nodeFor(nodes, shape);
  nodes.push(node);
  return nodes.length - 1;
};

const property = (nodes: SchemaNode[], shape: Shape): ObjectNode["properties"][string] =>
  typeof shape === "object" && "flag" in shape
    ? { node: add(nodes, shape.of), [shape.flag]: true }
    : { node: add(nodes, shape) };

const nodeFor = (nodes: SchemaNode[], shape: Shape): SchemaNode => {
  if (typeof shape === "string") return { kind: shape };
  if (isList(shape)) return { kind: "list", item: add(nodes, shape[0]) };
  if ("map" in shape) return { kind: "object", properties: {}, additional: add(nodes, shape.map) };
  if ("flag" in shape) return nodeFor(nodes, shape.of);
  const entries = Object.entries(shape.fields).map(([name, of]) => [name, property(nodes, of)] as const);
  return { kind: "object", properties: Object.fromEntries(entries) };
};

/** The schema of a resource type that exists only in tests. */
export const schemaOf = (type: string, shape: Shape): ResourceSchema => {
  const nodes: SchemaNode[] = [];
  const body = add(nodes, shape);
  return { type, apiVersion: "2026-01-01", body, nodes };
};
