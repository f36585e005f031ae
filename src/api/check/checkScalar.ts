import type { Json } from "../../core/types.ts";
import type { LimitKeyword } from "../definition/limitKeywords.ts";
import type { Check } from "./finding.ts";
import type { SchemaNode } from "./schemaNode.ts";

/** What is wrong with one value by itself, in the words of the API server. */
export interface Fault {
  readonly rule: Check;
  readonly message: string;
}

const fault = (rule: Check, message: string): Fault => ({ rule, message });

/** Larger numbers are no integers to Kubernetes, however whole they are. */
const integerLimit = 2 ** 63;

/** The name of a value's type, as Kubernetes says it. */
export const typeOf = (value: Json): string => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number")
    return Number.isInteger(value) && Math.abs(value) < integerLimit ? "integer" : "number";
  return typeof value;
};

const typesOf = (node: SchemaNode): readonly string[] =>
  node.intOrString ? ["integer", "string"] : node.type === "" ? [] : [node.type];

/** Whether the value has the type of the schema; a schema without a type lets every type pass, but null. */
export const hasType = (node: SchemaNode, value: Json): boolean => {
  const types = typesOf(node);
  if (value === null) return node.nullable || types.length === 0;
  const type = typeOf(value);
  return types.length === 0 || types.includes(type) || (type === "integer" && types.includes("number"));
};

const limited = (
  node: SchemaNode,
  name: LimitKeyword,
  isWithin: (limit: number) => boolean,
  words: (limit: number) => string,
): readonly Fault[] => {
  const limit = node.limits[name];
  const rule = ["maxLength", "maxItems", "maxProperties"].includes(name) ? "size" : "limit";
  return limit === undefined || isWithin(limit) ? [] : [fault(rule, words(limit))];
};

const plural = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`;

const dateTime = /^\d{4}-\d{2}-\d{2}[tT]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([zZ]|[+-]\d{2}:\d{2})$/;

const textFaults = (node: SchemaNode, text: string): readonly Fault[] => {
  // Kubernetes counts code points.
  const length = Array.from(text).length;
  return [
    ...limited(
      node,
      "maxLength",
      (limit) => length <= limit,
      (limit) => `Too long: may not be more than ${plural(limit, "byte")}`,
    ),
    ...limited(
      node,
      "minLength",
      (limit) => length >= limit,
      (limit) => `should be at least ${limit} chars long`,
    ),
    ...(node.pattern === undefined || node.matches(text) ? [] : [fault("pattern", `should match '${node.pattern}'`)]),
    ...(node.format === "date-time" && !dateTime.test(text) ? [fault("format", "must be of type date-time")] : []),
  ];
};

const isInRange = ({ format }: SchemaNode, value: number): boolean =>
  format !== "int32" || (value >= -(2 ** 31) && value < 2 ** 31);

const numberFaults = (node: SchemaNode, value: number): readonly Fault[] => [
  ...(isInRange(node, value) ? [] : [fault("format", `must be of type integer with format ${node.format}`)]),
  ...limited(
    node,
    "maximum",
    (limit) => value <= limit,
    (limit) => `should be less than or equal to ${limit}`,
  ),
  ...limited(
    node,
    "minimum",
    (limit) => value >= limit,
    (limit) => `should be greater than or equal to ${limit}`,
  ),
];

const sizeFaults = (
  node: SchemaNode,
  size: number,
  most: LimitKeyword,
  least: LimitKeyword,
  word: string,
): readonly Fault[] => [
  ...limited(
    node,
    most,
    (limit) => size <= limit,
    (limit) => `Too many: ${size}: must have at most ${plural(limit, "item")}`,
  ),
  ...limited(
    node,
    least,
    (limit) => size >= limit,
    (limit) => `should have at least ${limit} ${word}`,
  ),
];

const limitFaults = (node: SchemaNode, value: Json): readonly Fault[] => {
  if (typeof value === "string") return textFaults(node, value);
  if (typeof value === "number") return numberFaults(node, value);
  if (Array.isArray(value)) return sizeFaults(node, value.length, "maxItems", "minItems", "items");
  if (typeof value === "object" && value !== null)
    return sizeFaults(node, Object.keys(value).length, "maxProperties", "minProperties", "properties");
  return [];
};

const enumFaults = (node: SchemaNode, value: Json): readonly Fault[] =>
  node.enum === undefined || node.enum.includes(value)
    ? []
    : [
        fault(
          "enum",
          `Unsupported value: ${JSON.stringify(value)}: supported values: ${node.enum.map((word) => JSON.stringify(word)).join(", ")}`,
        ),
      ];

/** Of numbers with a format the API server tells the formats, not the types. */
const typeFault = (node: SchemaNode, value: Json): Fault => {
  const isPlain = node.format === "" || value === null || typeof value === "string" || Array.isArray(value);
  const given = typeof value === "number" ? "float64" : "";
  return fault(
    "type",
    isPlain
      ? `must be of type ${typesOf(node).join(",")}: "${typeOf(value)}"`
      : `must be of type ${node.format}: "${given}"`,
  );
};

/** Everything that is wrong with a value but for what stands inside it. */
export const faultsOf = (node: SchemaNode, value: Json): readonly Fault[] => [
  ...(hasType(node, value) ? [] : [typeFault(node, value)]),
  ...limitFaults(node, value),
  ...enumFaults(node, value),
];
