import fc from "fast-check";
import { nodeOfField, type SchemaNode } from "../../../src/api/check/schemaNode.ts";
import { isObject } from "../../../src/api/json.ts";
import type { Json, JsonObject } from "../../../src/core/types.ts";

/** Texts on which rules and limits turn. */
const tellingTexts: readonly string[] = [
  "",
  "a",
  "A-b_c.d",
  "node-1",
  "control-plane",
  "x".repeat(64),
  "y".repeat(81),
  "é𝄞 z",
  "a\n",
  "*",
  "1",
  "22",
  "65536",
  "1-100",
  "10.0.0.0/8",
  "10.0.0.0/16",
  "10.1.0.0/16",
  "10.0.0.7/16",
  "0.0.0.0/0",
  "10.0.0.0/33",
  "010.0.0.0/8",
  "2001:1234::/48",
  "2001:1234:5678:9abc::/64",
  "::ffff:10.0.0.0/104",
  "10.0.0.4",
  "10.1.0.100",
  "fe80::1",
  "1.2.3",
  "v1.30.0",
  "1.29.4",
  "10m",
  "1.5",
  "25%",
  "https://example.com",
  "/subscriptions/0000/resourceGroups/group/providers/Microsoft.Network/virtualNetworks/net",
];

/** Whole values of any type, where another is expected. */
const stray: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, "", 0, -1, true, 1.5, "text", [], {}, [null], [[]], [{}], { a: 1 }, ["", ""]),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
);

const bounds = (node: SchemaNode, ...limits: readonly (number | undefined)[]): readonly number[] =>
  limits.flatMap((limit) => (limit === undefined ? [] : [limit - 1, limit, limit + 1])).filter(() => node.type !== "");

const text = (node: SchemaNode, texts: readonly string[]): fc.Arbitrary<Json> => {
  const { minLength, maxLength } = node.limits;
  const known = [...tellingTexts, ...texts];
  const fitting = known.filter(
    (word) =>
      node.matches(word) &&
      Array.from(word).length >= (minLength ?? 0) &&
      Array.from(word).length <= (maxLength ?? 1e6),
  );
  const long = bounds(node, minLength, maxLength).filter((length) => length >= 0 && length < 3000);
  return fc.oneof(
    { weight: 12, arbitrary: fitting.length > 0 ? fc.constantFrom(...fitting) : fc.constant("a") },
    { weight: 2, arbitrary: fc.constantFrom(...known) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
    {
      weight: 1,
      arbitrary: long.length > 0 ? fc.constantFrom(...long.map((length) => "n".repeat(length))) : fc.string(),
    },
  );
};

const whole = (node: SchemaNode): fc.Arbitrary<Json> => {
  const { minimum, maximum } = node.limits;
  return fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: minimum ?? 0, max: Math.max(minimum ?? 0, maximum ?? 4096) }) },
    { weight: 2, arbitrary: fc.constantFrom(0, 1, -1, ...bounds(node, minimum, maximum)) },
    { weight: 1, arbitrary: fc.constantFrom(2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, 2 ** 53, 1.5, 1e300) },
  );
};

const object = (node: SchemaNode, texts: readonly string[], depth: number): fc.Arbitrary<Json> => {
  const { properties, values, required } = node;
  if (properties.size === 0)
    return values === undefined
      ? (fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }) as fc.Arbitrary<Json>)
      : fc.dictionary(fc.constantFrom("a", "key", "constructor", "a.b/c", ...texts), aValue(values, texts, depth + 1), {
          maxKeys: 3,
        });
  const fields = [...properties].map(([name, field]) =>
    // Fewer fields the deeper it goes; built when it is needed, because schemas are wide.
    fc
      .integer({ min: 0, max: depth + 1 })
      .chain((rare): fc.Arbitrary<Json | undefined> => {
        if (!required.includes(name) && rare > 0) return fc.constant(undefined);
        const present = aValue(field, texts, depth + 1);
        return fc.oneof({ weight: 40, arbitrary: present }, { weight: 1, arbitrary: fc.constant(undefined) });
      })
      .map((value) => [name, value] as const),
  );
  return fc
    .tuple(...fields)
    .map((pairs) => Object.fromEntries(pairs.filter(([, value]) => value !== undefined)) as JsonObject);
};

const list = (node: SchemaNode, texts: readonly string[], depth: number): fc.Arbitrary<Json> => {
  const items = node.items === undefined ? stray : aValue(node.items, texts, depth + 1);
  return fc.oneof(
    { weight: 6, arbitrary: fc.array(items, { maxLength: 3 }) },
    { weight: 1, arbitrary: items.map((item) => [item, item]) },
  );
};

const fitting = (node: SchemaNode, texts: readonly string[], depth: number): fc.Arbitrary<Json> => {
  if (node.enum !== undefined) return fc.constantFrom(...node.enum);
  if (node.intOrString) return fc.oneof(whole(node), text(node, texts));
  switch (node.type) {
    case "object":
      return object(node, texts, depth);
    case "array":
      return list(node, texts, depth);
    case "integer":
    case "number":
      return whole(node);
    case "boolean":
      return fc.boolean();
    case "string":
      return text(node, texts);
    default:
      return stray;
  }
};

/** Mostly values of the schema, near its limits and with texts that rules ask for; now and then something else. */
export const aValue = (node: SchemaNode, texts: readonly string[], depth = 0): fc.Arbitrary<Json> =>
  fc.oneof({ weight: 60, arbitrary: fitting(node, texts, depth) }, { weight: 1, arbitrary: stray });

const changedField = (node: SchemaNode, value: JsonObject, texts: readonly string[]): fc.Arbitrary<Json> =>
  fc.constantFrom(...new Set([...node.properties.keys(), ...Object.keys(value)])).chain((name) => {
    const field = nodeOfField(node, name);
    const { [name]: now, ...rest } = value;
    if (field === undefined) return fc.constant(rest);
    const set = (inner: fc.Arbitrary<Json>) => inner.map((it): Json => ({ ...value, [name]: it }));
    return now === undefined
      ? set(aValue(field, texts, 1))
      : fc.oneof(
          { weight: 6, arbitrary: set(changed(field, now, texts)) },
          { weight: 1, arbitrary: fc.constant(rest) },
        );
  });

const changedList = (node: SchemaNode, value: readonly Json[], texts: readonly string[]): fc.Arbitrary<Json> => {
  const { items } = node;
  if (items === undefined) return stray;
  const more = aValue(items, texts, 1).map((item): Json => [...value, item]);
  if (value.length === 0) return more;
  return fc.nat(value.length - 1).chain((at) =>
    fc.oneof(
      { weight: 6, arbitrary: changed(items, value[at] ?? null, texts).map((item): Json => value.with(at, item)) },
      { weight: 2, arbitrary: more },
      {
        weight: 1,
        arbitrary: fc.constantFrom<Json>(value.toSpliced(at, 1), value.toReversed(), [...value, value[at] ?? null]),
      },
    ),
  );
};

/** The value with one thing changed in it, somewhere. */
export const changed = (node: SchemaNode, value: Json, texts: readonly string[]): fc.Arbitrary<Json> => {
  const other = aValue(node, texts, 1);
  const inside =
    isObject(value) && (node.properties.size > 0 || Object.keys(value).length > 0)
      ? changedField(node, value, texts)
      : Array.isArray(value)
        ? changedList(node, value, texts)
        : other;
  return fc.oneof({ weight: 12, arbitrary: inside }, { weight: 1, arbitrary: other });
};

/** The value with a few things changed. */
export const changedOften = (node: SchemaNode, value: Json, texts: readonly string[]): fc.Arbitrary<Json> =>
  fc
    .integer({ min: 1, max: 4 })
    .chain((times) =>
      Array.from({ length: times }).reduce<fc.Arbitrary<Json>>(
        (made) => made.chain((it) => changed(node, it, texts)),
        fc.constant(value),
      ),
    );
