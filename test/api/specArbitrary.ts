import fc from "fast-check";
import type { Json, JsonObject } from "../../src/core/types.ts";

/** What the arbitrary reads of a schema, in the form of a definition. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
}

const anObjectOf = ({ properties = {}, required = [] }: Schema): fc.Arbitrary<JsonObject> => {
  const [first] = Object.keys(properties);
  const fields = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, specArbitrary(field)]));
  // An object without a field would mean the same as none.
  return fc.record(fields, { requiredKeys: required.length > 0 || first === undefined ? [...required] : [first] });
};

const someText = ({ pattern, minLength = 1, maxLength = 8 }: Schema): fc.Arbitrary<string> =>
  fc
    .string({ minLength: Math.max(1, minLength), maxLength: Math.min(Math.max(8, minLength), maxLength) })
    .map((text) => (pattern?.startsWith("^https://") === true ? `https://${text}` : text));

/** Some fields take 0 for unset. */
const someInteger = ({ minimum = 1, maximum = 1000 }: Schema): fc.Arbitrary<number> =>
  fc.integer({ min: Math.max(1, minimum), max: Math.max(1, minimum, maximum) });

/** Values that a schema lets pass, in which everything that is there is set. */
export const specArbitrary = (schema: Schema): fc.Arbitrary<Json> => {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case "object":
      return schema.additionalProperties === undefined
        ? anObjectOf(schema)
        : fc.dictionary(fc.string(), specArbitrary(schema.additionalProperties), { minKeys: 1, maxKeys: 2 });
    case "array":
      return fc.array(specArbitrary(schema.items ?? {}), { maxLength: 2 });
    case "integer":
      return someInteger(schema);
    case "boolean":
      return fc.boolean();
    case "string":
      return someText(schema);
    default:
      return fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constantFrom("1", "0.5"));
  }
};
