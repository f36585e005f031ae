import { type Static, type TSchema, Type } from "typebox";
import { Compile } from "typebox/compile";
import { Settings } from "typebox/system";
import { Value } from "typebox/value";
import type { Problem } from "../core/kind.ts";
import { specCondition } from "../core/specProblems.ts";
import type { Json, JsonObject, KubeObject, Result } from "../core/types.ts";
import { shapeInWords } from "./check/inWords.ts";
import { fieldMessage } from "./fieldMessage.ts";
import { isObject } from "./json.ts";
import type { Parsed } from "./schema.ts";
import { type ShapeError, shapePhrase } from "./shapePhrase.ts";

// By itself TypeBox stops at the eighth problem; whoever mends a spec wants to see all of them.
Settings.Set({ maxErrors: 1000 });

/** The parts of a schema that say what may be left out. */
const node = Type.Object({
  properties: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  required: Type.Optional(Type.Array(Type.String())),
  items: Type.Optional(Type.Unknown()),
  default: Type.Optional(Type.Unsafe<Json>(Type.Unknown())),
});
type Node = Static<typeof node>;
/** Compiled: it is asked at every place of every spec. */
const isNode = Compile(node);
const nodeOf = (schema: unknown): Node => (isNode.Check(schema) ? schema : {});

/** Objects whose mere presence is a wish; an empty one asks for the defaults. */
const wishes = new Set([
  "azureBastion",
  "apiServerLB",
  "nodeOutboundLB",
  "controlPlaneOutboundLB",
  "allowedNamespaces",
  "selector",
  "spotVMOptions",
  "scaling",
]);
/** Numbers that Go clients write as 0 when they mean nothing. */
const zeroes = new Set(["port", "priority", "apiServerPort", "privateIPConfigs"]);

/** A free map is set when it has a key, whatever the value. */
const isUnset = (schema: unknown, key: string, value: Json): boolean => {
  if (value === null || value === "") return true;
  if (value === 0) return zeroes.has(key);
  if (!isObject(value) || wishes.has(key)) return false;
  const { properties } = nodeOf(schema);
  return Object.entries(value).every(
    ([name, inner]) => properties !== undefined && isUnset(properties[name], name, inner),
  );
};

/**
 * The same value without what only looks set. Go clients store empty structs and strings (`natGateway: {name: ""}`), and
 * these mean the same as absence. Free maps (tags) stay as they are; an empty required string stays in its place.
 */
export const withoutUnset = (schema: unknown, value: Json): Json => {
  const { properties, required = [], items } = nodeOf(schema);
  if (Array.isArray(value)) return items === undefined ? value : value.map((item: Json) => withoutUnset(items, item));
  if (properties === undefined || !isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => required.includes(key) || !isUnset(properties[key], key, inner))
      .map(([key, inner]) => [key, withoutUnset(properties[key], inner)]),
  );
};

const defaultsOf = ({ properties = {}, required = [] }: Node): JsonObject =>
  Object.fromEntries(
    required.flatMap((name) => {
      const { default: fallback } = nodeOf(properties[name]);
      return fallback === undefined ? [] : [[name, fallback]];
    }),
  );

/** The same value with the default of each required field that is absent: the API server writes it, a file has it not. */
const withRequired = (schema: unknown, value: Json): Json => {
  const at = nodeOf(schema);
  const { properties = {}, items } = at;
  if (Array.isArray(value)) return items === undefined ? value : value.map((item: Json) => withRequired(items, item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries({ ...defaultsOf(at), ...value }).map(([key, inner]) => [key, withRequired(properties[key], inner)]),
  );
};

/** `/networkSpec/subnets/0/role` becomes `spec.networkSpec.subnets[0].role`. */
const fieldPath = (pointer: string): string =>
  `spec${pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join("")}`;

const pointedAt = (value: Json, pointer: string): Json | undefined =>
  pointer
    .split("/")
    .slice(1)
    .reduce<Json | undefined>(
      (at, step) => (Array.isArray(at) ? (at as readonly Json[])[Number(step)] : isObject(at) ? at[step] : undefined),
      value,
    );

const expectation = (error: ShapeError): string =>
  error.keyword === "enum"
    ? `must be one of ${error.params.allowedValues.join(", ")}`
    : shapeInWords(shapePhrase(error));

/** What is wrong at one place of a shape: a field that must be given for each that is missing, else one. */
const messagesAt = (spec: Json, error: ShapeError): readonly string[] => {
  const path = fieldPath(error.instancePath);
  return error.keyword === "required"
    ? error.params.requiredProperties.map((name) => fieldMessage(`${path}.${name}`, undefined, "must be given"))
    : [fieldMessage(path, pointedAt(spec, error.instancePath), expectation(error))];
};

/**
 * The spec of an object as a typed value, or everything that is wrong with its shape: field, value, and what would be
 * right. Never throws. `condition` is where the problems show: that of the spec, unless it is the spec of another object.
 */
export const parseSpec = <Schema extends TSchema>(
  schema: Schema,
  object: Pick<KubeObject, "spec">,
  condition: string = specCondition,
): Result<Parsed<Schema>, readonly Problem[]> => {
  const spec = withRequired(schema, withoutUnset(schema, object.spec));
  // The one cast: Check narrows to the mutable twin of Parsed.
  if (Value.Check(schema, spec)) return { ok: true, value: spec as Parsed<Schema> };
  const messages = Value.Errors(schema, spec).flatMap((error) => messagesAt(spec, error));
  return {
    ok: false,
    error: messages.map((message) => ({ condition, severity: "Error", reason: "InvalidConfiguration", message })),
  };
};
