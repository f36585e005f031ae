import type { Json, JsonObject } from "../../core/types.ts";
import { isObject } from "../json.ts";
import { checkedKind } from "./checkedKind.ts";
import { pathOf, type Step } from "./finding.ts";
import { metadataFields } from "./metadataFields.ts";
import { nodeOfField, type SchemaNode } from "./schemaNode.ts";

/** What the API server makes of an object before it judges it. */
export interface StoredForm {
  /** Defaults in, unknown fields and meaningless nulls out. */
  readonly object: JsonObject;
  /** Paths of the fields that no schema knows; `kubectl` refuses them, the API server drops them. */
  readonly unknown: readonly string[];
}

interface Pruned {
  readonly value: Json;
  readonly unknown: readonly string[];
}

type Field = readonly [string, Json];

const prunedList = (node: SchemaNode | undefined, list: readonly Json[], steps: readonly Step[]): Pruned => {
  const parts = list.map((item, i) => pruned(node?.items, item, [...steps, i]));
  return { value: parts.map((part) => part.value), unknown: parts.flatMap((part) => part.unknown) };
};

const prunedObject = (node: SchemaNode | undefined, value: JsonObject, steps: readonly Step[]): Pruned => {
  const fields: Field[] = [];
  const unknown: string[] = [];
  for (const [name, inner] of Object.entries(value)) {
    const schema = nodeOfField(node, name);
    const at = [...steps, name];
    if (schema === undefined) {
      if (node?.open === true) fields.push([name, inner]);
      else unknown.push(pathOf(at));
      continue;
    }
    const part = pruned(schema, inner, at);
    fields.push([name, part.value]);
    unknown.push(...part.unknown);
  }
  return { value: Object.fromEntries(fields), unknown };
};

const pruned = (node: SchemaNode | undefined, value: Json, steps: readonly Step[]): Pruned => {
  if (Array.isArray(value)) return prunedList(node, value, steps);
  return isObject(value) ? prunedObject(node, value, steps) : { value, unknown: [] };
};

/** Null means absent, except where the schema lets it stand; where there is a default, the default comes. */
const isMeaningless = (value: Json | undefined, node: SchemaNode | undefined): boolean =>
  value === null && node !== undefined && !node.nullable;

const withoutNulls = (node: SchemaNode | undefined, value: Json): Json => {
  if (Array.isArray(value)) return value.map((item: Json) => withoutNulls(node?.items, item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => ({ name, inner, schema: nodeOfField(node, name) }))
      .filter(({ inner, schema }) => !(isMeaningless(inner, schema) && schema?.default === undefined))
      .map(({ name, inner, schema }) => [name, withoutNulls(schema, inner)]),
  );
};

const missingDefaults = (node: SchemaNode, value: JsonObject): readonly Field[] =>
  [...node.properties].flatMap(([name, schema]) =>
    schema.default !== undefined && !Object.hasOwn(value, name) ? [[name, schema.default] as const] : [],
  );

const withDefault = (node: SchemaNode | undefined, value: Json): Json =>
  withDefaults(node, isMeaningless(value, node) ? (node?.default ?? null) : value);

const withDefaults = (node: SchemaNode | undefined, value: Json): Json => {
  if (node === undefined) return value;
  if (Array.isArray(value)) return value.map((item: Json) => withDefault(node.items, item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    [...Object.entries(value), ...missingDefaults(node, value)].map(([name, inner]) => [
      name,
      withDefault(nodeOfField(node, name), inner),
    ]),
  );
};

const identityFields = new Set(["apiVersion", "kind", "metadata"]);

const prunedMetadata = (metadata: Json | undefined): Pruned | undefined => {
  if (metadata === undefined) return undefined;
  if (metadata === null) return { value: {}, unknown: [] };
  if (!isObject(metadata)) return { value: metadata, unknown: [] };
  const entries = Object.entries(metadata);
  return {
    value: Object.fromEntries(entries.filter(([name]) => metadataFields.has(name))),
    unknown: entries.filter(([name]) => !metadataFields.has(name)).map(([name]) => `metadata.${name}`),
  };
};

/** The object as the API server stores it, of a kind of ours; an object of any other kind comes back as it is. */
export const storedForm = (kind: string, object: JsonObject): StoredForm => {
  const root = checkedKind(kind)?.root;
  if (root === undefined) return { object, unknown: [] };
  const { apiVersion, kind: itsKind, metadata } = object;
  const rest = Object.fromEntries(Object.entries(object).filter(([name]) => !identityFields.has(name)));
  const known = pruned(root, rest, []);
  const stored = withDefaults(root, withoutNulls(root, known.value));
  const about = prunedMetadata(metadata);
  return {
    object: {
      ...(apiVersion !== undefined && { apiVersion }),
      ...(itsKind !== undefined && { kind: itsKind }),
      ...(about !== undefined && { metadata: about.value }),
      ...(isObject(stored) ? stored : {}),
    },
    unknown: [...(about?.unknown ?? []), ...known.unknown],
  };
};
