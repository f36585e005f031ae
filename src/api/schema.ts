import { type Static, type TSchema, Type } from "typebox";

/**
 * Words for describing an API once: TypeScript type, OpenAPI schema and reference text come from the same value. Keywords
 * that begin with `x-kubernetes-` pass through to the CustomResourceDefinition.
 */

interface TextLimits {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly default?: string;
}
interface NumberLimits {
  readonly minimum?: number;
  readonly maximum?: number;
}
interface ListLimits {
  readonly minItems?: number;
  readonly maxItems?: number;
}

export const text = (description: string, limits: TextLimits = {}) => Type.String({ description, ...limits });

export const flag = (description: string, options: { readonly default?: boolean } = {}) =>
  Type.Boolean({ description, ...options });

/** A 32-bit integer, as Go's `int32` shows in the contract. */
export const int32 = (description: string, limits: NumberLimits = {}) =>
  Type.Integer({ description, format: "int32", ...limits });

/** An integer without a declared format, as Go's `int` shows in the contract. */
export const integer = (description: string, limits: NumberLimits = {}) => Type.Integer({ description, ...limits });

/** One of a few words. */
export const oneOf = <const Words extends string[]>(
  description: string,
  words: readonly [...Words],
  options: { readonly default?: Words[number] } = {},
) => Type.Enum(words, { description, type: "string", ...options });

/** Texts that are quantities, as controller-gen writes it for the contract. */
export const quantityPattern =
  "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$";

/** A Kubernetes quantity: a number or its text (`10`, `"1.5"`). */
export const quantity = (description: string) =>
  Type.Union([Type.Integer(), Type.String()], {
    description,
    pattern: quantityPattern,
    "x-kubernetes-int-or-string": true,
  });

/** A count or a percentage of a whole (`1`, `"25%"`). */
export const intOrString = (description: string, options: { readonly default?: number | string } = {}) =>
  Type.Union([Type.Integer(), Type.String()], { description, ...options, "x-kubernetes-int-or-string": true });

/** A list that is one value: server-side apply replaces it whole. */
export const list = <Item extends TSchema>(description: string, item: Item, limits: ListLimits = {}) =>
  Type.Array(item, { description, ...limits });

/** A list whose items have a key, so that several writers may each own some items. */
export const listMap = <Item extends TSchema>(description: string, key: string, item: Item, limits: ListLimits = {}) =>
  Type.Array(item, { description, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": [key], ...limits });

/** A list in which order and repetition mean nothing. */
export const set = <Item extends TSchema>(description: string, item: Item, limits: ListLimits = {}) =>
  Type.Array(item, { description, "x-kubernetes-list-type": "set", ...limits });

/** Free keys, values of one kind. */
export const map = <Value extends TSchema>(description: string, value: Value) =>
  Type.Record(Type.String(), value, { description });

/**
 * A condition on a value that its shape cannot say, in CEL
 * (https://kubernetes.io/docs/reference/using-api/cel/). `self` is the value, `oldSelf` the one it replaces.
 */
export interface Rule {
  readonly rule: string;
  /** What would be right, in words: the API server puts field and value before it. Unique within a kind. */
  readonly message: string;
  /** The message as a CEL expression, when it must name values of other fields. */
  readonly messageExpression?: string;
  /** The field at fault below this one, such as `.sku`. */
  readonly fieldPath?: string;
  readonly reason?: "FieldValueInvalid" | "FieldValueForbidden" | "FieldValueRequired" | "FieldValueDuplicate";
  /** Whether a rule with `oldSelf` is asked of a value that was not there before; `oldSelf` is then an optional. */
  readonly optionalOldSelf?: boolean;
}

/** The keyword under which a schema keeps its rules. */
export const rulesKey = "x-kubernetes-validations";

/** The same schema with rules, added to those that it has. */
export const ruled = <Schema extends TSchema>(schema: Schema, ...rules: readonly Rule[]): Schema => {
  const had: unknown = Reflect.get(schema, rulesKey);
  const all = [...(Array.isArray(had) ? had : []), ...rules];
  // TypeBox marks its schemas with hidden properties, which a spread would lose.
  return Object.create(Object.getPrototypeOf(schema) as object, {
    ...Object.getOwnPropertyDescriptors(schema),
    [rulesKey]: { value: all, enumerable: true },
  }) as Schema;
};

/** A value of the schema, nothing of which may be changed. */
export type Parsed<Schema extends TSchema> = Frozen<Static<Schema>>;
type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;
