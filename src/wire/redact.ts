import { isJsonList, isJsonObject, type Json } from "./json.ts";
import { itemOf, type NodeRef, type NodeTable, nodeOf, propertyOf, type SchemaNode, type WirePath } from "./schema.ts";

/** What stands where a secret was. */
export const redacted = "***";

/** A body with every secret value replaced by `"***"`; everything else is the same. Null, the absent secret, stays. */
export const redact = (schema: NodeTable, ref: NodeRef, json: Json): Json => {
  const item = itemOf(schema, ref);
  if (item !== undefined) return isJsonList(json) ? json.map((entry) => redact(schema, item, entry)) : json;
  if (!isJsonObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => {
      const property = propertyOf(schema, ref, key, { ignoreCase: true });
      if (property === undefined) return [key, value];
      return [key, property.secret === true && value !== null ? redacted : redact(schema, property.node, value)];
    }),
  );
};

const textsIn = (json: Json): readonly string[] => {
  if (typeof json === "string") return [json];
  if (isJsonList(json)) return json.flatMap(textsIn);
  return isJsonObject(json) ? Object.values(json).flatMap(textsIn) : [];
};

/** Every text in a body that `redact` would blank. */
export const secretTexts = (schema: NodeTable, ref: NodeRef, json: Json): readonly string[] => {
  const item = itemOf(schema, ref);
  if (item !== undefined) return isJsonList(json) ? json.flatMap((entry) => secretTexts(schema, item, entry)) : [];
  if (!isJsonObject(json)) return [];
  return Object.entries(json).flatMap(([key, value]) => {
    const property = propertyOf(schema, ref, key, { ignoreCase: true });
    if (property === undefined) return [];
    return property.secret === true ? textsIn(value) : secretTexts(schema, property.node, value);
  });
};

const childrenOf = (node: SchemaNode): readonly NodeRef[] => {
  if (node.kind === "list") return [node.item];
  if (node.kind !== "object") return [];
  const named = Object.values(node.properties).map((property) => property.node);
  return node.additional === undefined ? named : [...named, node.additional];
};

const holdsSecret = (node: SchemaNode): boolean =>
  node.kind === "object" && Object.values(node.properties).some((property) => property.secret === true);

/** Nodes with a secret at or below them. Without it, walking all cycle-free paths of the network types would not end. */
const leadingToSecrets = (schema: NodeTable): ReadonlySet<NodeRef> => {
  const found = new Set(schema.nodes.flatMap((node, ref) => (holdsSecret(node) ? [ref] : [])));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const [ref, node] of schema.nodes.entries())
      if (childrenOf(node).some((child) => found.has(child))) found.add(ref);
  }
  return found;
};

const pathsBelow = (
  schema: NodeTable,
  ref: NodeRef,
  leading: ReadonlySet<NodeRef>,
  above: readonly NodeRef[],
): readonly WirePath[] => {
  if (!leading.has(ref) || above.includes(ref)) return [];
  const node = nodeOf(schema, ref);
  const under = (step: string, next: NodeRef): readonly WirePath[] =>
    pathsBelow(schema, next, leading, [...above, ref]).map((path) => [step, ...path]);
  if (node.kind === "list") return under("*", node.item);
  if (node.kind !== "object") return [];
  const named = Object.entries(node.properties).flatMap(([name, property]) =>
    property.secret === true ? [[name]] : under(name, property.node),
  );
  return node.additional === undefined ? named : [...named, ...under("*", node.additional)];
};

/**
 * Paths of all secrets of a body, with `"*"` for any item of a list or value of a map. A type that contains itself is
 * entered once.
 */
export const secretPaths = (schema: NodeTable, ref: NodeRef): readonly WirePath[] =>
  pathsBelow(schema, ref, leadingToSecrets(schema), []);
