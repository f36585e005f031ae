/**
 * The wire schema of Azure resources: what Azure Resource Manager documents for a request or response body, as data.
 * Types are recursive (a subnet names its security group, which names its subnets), so nodes stand in one list per
 * provider and refer to each other by their place in it.
 */

/** Place of a node in `ProviderSchema.nodes`. */
export type NodeRef = number;

/** A scalar, or `any`: a value whose shape Azure leaves open, or that is only ever read. */
interface ScalarNode {
  readonly kind: "string" | "number" | "boolean" | "any";
}

/** A list of like items. */
interface ListNode {
  readonly kind: "list";
  readonly item: NodeRef;
}

/** An object; with `additional` any further property has that type (a map has no other). */
export interface ObjectNode {
  readonly kind: "object";
  readonly properties: Readonly<Record<string, Property>>;
  readonly additional?: NodeRef;
}

export type SchemaNode = ScalarNode | ListNode | ObjectNode;

/** One property of an object. A flag that does not hold is absent. */
interface Property {
  readonly node: NodeRef;
  /** Azure refuses a body whose object lacks it. */
  readonly required?: true;
  /** Azure sets it; in a request it is ignored or refused. */
  readonly readOnly?: true;
  /** Azure takes it and never shows it again. */
  readonly writeOnly?: true;
  /** Never shown, logged or stored; everything below it is secret too. */
  readonly secret?: true;
}

/** A property together with the spelling of the schema. */
export interface NamedProperty extends Property {
  readonly name: string;
}

/** The nodes that references of one provider point into. */
export interface NodeTable {
  readonly nodes: readonly SchemaNode[];
}

/** One resource type and the api-version that its body is written in. */
interface ResourceEntry {
  readonly type: string;
  readonly apiVersion: string;
  readonly body: NodeRef;
}

/** All resource types of one provider. */
export interface ProviderSchema extends NodeTable {
  readonly resources: readonly ResourceEntry[];
}

/** One resource type with the nodes of its provider: what the functions of this room work on. */
export interface ResourceSchema extends ResourceEntry, NodeTable {}

/** Steps from a body to a value: a property's name, or for a list its index or `"*"`. */
export type WirePath = readonly (string | number)[];

/** The node behind a reference; a reference out of range is a defect of the generator. */
export const nodeOf = (schema: NodeTable, ref: NodeRef): SchemaNode => {
  const node = schema.nodes[ref];
  if (node === undefined) throw new RangeError(`schema has no node ${ref}`);
  return node;
};

/** The type of a list's items; undefined when the node is no list. */
export const itemOf = (schema: NodeTable, ref: NodeRef): NodeRef | undefined => {
  const node = nodeOf(schema, ref);
  return node.kind === "list" ? node.item : undefined;
};

const ownProperty = (node: ObjectNode, name: string): NamedProperty | undefined => {
  const property = Object.hasOwn(node.properties, name) ? node.properties[name] : undefined;
  return property === undefined ? undefined : { ...property, name };
};

/**
 * A property of an object node, with the schema's spelling of its name. The exact name is preferred; with `ignoreCase`
 * another case is taken too, as Azure does for property names. Undefined when the object has no such property or the
 * node is no object.
 */
export const propertyOf = (
  schema: NodeTable,
  ref: NodeRef,
  name: string,
  options: { readonly ignoreCase?: boolean } = {},
): NamedProperty | undefined => {
  const node = nodeOf(schema, ref);
  if (node.kind !== "object") return undefined;
  const exact = ownProperty(node, name);
  if (exact !== undefined) return exact;
  if (options.ignoreCase === true) {
    const lower = name.toLowerCase();
    const spelling = Object.keys(node.properties).find((key) => key.toLowerCase() === lower);
    if (spelling !== undefined) return ownProperty(node, spelling);
  }
  return node.additional === undefined ? undefined : { name, node: node.additional };
};

/** The type of the value one step further: property of an object or item of a list, with the flags of the property. */
export const stepInto = (schema: NodeTable, ref: NodeRef, step: string | number): NamedProperty | undefined => {
  const item = itemOf(schema, ref);
  if (item !== undefined) return { name: String(step), node: item };
  return propertyOf(schema, ref, String(step), { ignoreCase: true });
};

/**
 * Whether a value at this path may be sent: every property on the way is known and none is read-only. Below a node of
 * kind `any` everything may.
 */
export const isWritable = (schema: NodeTable, ref: NodeRef, path: WirePath): boolean => {
  const [step, ...rest] = path;
  if (step === undefined || nodeOf(schema, ref).kind === "any") return true;
  const next = stepInto(schema, ref, step);
  return next !== undefined && next.readOnly !== true && isWritable(schema, next.node, rest);
};
