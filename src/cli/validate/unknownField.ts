import { metadataFields } from "../../api/check/metadataFields.ts";
import type { SchemaNode } from "../../api/check/schemaNode.ts";
import { nearest } from "./nearest.ts";

/** A step into a schema: an item of a list, a field, or a key of a free map. */
const step = (node: SchemaNode, path: string): { readonly node: SchemaNode; readonly left: string } | undefined => {
  const [index] = /^\[\d+\]/.exec(path) ?? [];
  if (node.items !== undefined && index !== undefined) return { node: node.items, left: path.slice(index.length) };
  const [whole, name] = /^\.?([^.[\]]+)(?=[.[])/.exec(path) ?? [];
  if (whole === undefined || name === undefined) return undefined;
  const inner = node.properties.get(name) ?? node.values;
  return inner === undefined ? undefined : { node: inner, left: path.slice(whole.length) };
};

/** The schema of the object that has the unknown field, and the field's name. */
const parentOf = (node: SchemaNode, path: string): { readonly parent: SchemaNode; readonly field: string } => {
  const next = step(node, path);
  return next === undefined ? { parent: node, field: path.replace(/^\./, "") } : parentOf(next.node, next.left);
};

/** Every path of a schema that ends in a field. */
const placesOf = (node: SchemaNode, field: string, path: string): readonly string[] => [
  ...(node.items === undefined ? [] : placesOf(node.items, field, `${path}[]`)),
  ...[...node.properties].flatMap(([name, inner]) => {
    const at = path === "" ? name : `${path}.${name}`;
    return [...(name.toLowerCase() === field.toLowerCase() ? [at] : []), ...placesOf(inner, field, at)];
  }),
];

const mostPlaces = 3;
const stepsOf = (path: string): number => path.split(".").length;

const ofMetadata = (path: string): string | undefined => /^metadata\.([^.[\]]+)$/.exec(path)?.[1];

/** What would be right instead of a field that the schema of its object does not have. */
export const unknownField = (root: SchemaNode, path: string): string => {
  const { parent, field } = parentOf(root, path);
  const inMetadata = ofMetadata(path);
  const sibling =
    inMetadata === undefined ? nearest(field, parent.properties.keys()) : nearest(inMetadata, metadataFields);
  if (sibling !== undefined) return `no such field: did you mean ${sibling}?`;
  const places = placesOf(root, field, "").filter((place) => !place.startsWith("status"));
  const near = places.toSorted((one, other) => stepsOf(one) - stepsOf(other)).slice(0, mostPlaces);
  return near.length === 0 ? "no such field" : `no such field here: it belongs at ${near.join(" or ")}`;
};
