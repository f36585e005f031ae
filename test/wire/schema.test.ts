import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../src/wire/json.ts";
import { redact, redacted, secretPaths } from "../../src/wire/redact.ts";
import { isWritable, type NodeTable, propertyOf, stepInto, type WirePath } from "../../src/wire/schema.ts";
import { writable } from "../../src/wire/writable.ts";

/** A network of two types that name each other, with a secret on one of them. */
const schema: NodeTable = {
  nodes: [
    { kind: "string" },
    { kind: "any" },
    {
      kind: "object",
      properties: {
        id: { node: 0, readOnly: true },
        properties: { node: 3 },
        tags: { node: 5 },
        settings: { node: 1 },
        keys: { node: 1, secret: true },
      },
    },
    { kind: "object", properties: { subnets: { node: 4 }, state: { node: 0, readOnly: true } } },
    { kind: "list", item: 6 },
    { kind: "object", properties: {}, additional: 0 },
    {
      kind: "object",
      properties: { name: { node: 0, required: true }, password: { node: 0, secret: true }, owner: { node: 2 } },
    },
  ],
};
const body = 2;

describe("propertyOf", () => {
  it.each([
    { name: "id", ignoreCase: false, expected: { name: "id", node: 0, readOnly: true } },
    { name: "ID", ignoreCase: false, expected: undefined },
    { name: "ID", ignoreCase: true, expected: { name: "id", node: 0, readOnly: true } },
    { name: "toString", ignoreCase: true, expected: undefined },
  ])("$name, ignoreCase $ignoreCase", ({ name, ignoreCase, expected }) =>
    expect(propertyOf(schema, body, name, { ignoreCase })).toEqual(expected),
  );
  it("takes any name of a map", () => expect(propertyOf(schema, 5, "Team")).toEqual({ name: "Team", node: 0 }));
  it("knows no property of a scalar", () => expect(propertyOf(schema, 0, "length")).toBeUndefined());
  it("steps into a list by index", () => expect(stepInto(schema, 4, 3)).toEqual({ name: "3", node: 6 }));
});

describe("isWritable", () => {
  it.each<{ path: WirePath; expected: boolean }>([
    { path: [], expected: true },
    { path: ["id"], expected: false },
    { path: ["ID"], expected: false },
    { path: ["properties", "state"], expected: false },
    { path: ["properties", "subnets", 0, "name"], expected: true },
    { path: ["properties", "subnets", "*", "owner", "id"], expected: false },
    { path: ["properties", "unknown"], expected: false },
    { path: ["tags", "anything"], expected: true },
    { path: ["settings", "deep", "er"], expected: true },
    { path: ["tags", "anything", "below"], expected: false },
  ])("$path -> $expected", ({ path, expected }) => expect(isWritable(schema, body, path)).toBe(expected));
});

describe("writable", () => {
  it("drops what is read-only or unknown, keeps the order and spells as the schema does", () => {
    const observed: Json = {
      tags: { b: "1", a: "2" },
      ID: "/x",
      extra: 1,
      properties: { Subnets: [{ owner: { id: "/y", settings: { id: 1 } }, name: "s" }], state: "Succeeded" },
    };
    expect(JSON.stringify(writable(schema, body, observed))).toBe(
      JSON.stringify({
        tags: { b: "1", a: "2" },
        properties: { subnets: [{ owner: { settings: { id: 1 } }, name: "s" }] },
      }),
    );
  });
  it("leaves values of another shape alone", () =>
    expect(writable(schema, body, { properties: null, tags: ["x"] })).toEqual({ properties: null, tags: ["x"] }));
});

describe("whatever comes in", () => {
  const names = fc.constantFrom(
    "id",
    "ID",
    "properties",
    "subnets",
    "owner",
    "tags",
    "keys",
    "password",
    "__proto__",
    "x",
  );
  const { json } = fc.letrec<{ json: Json }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 6 },
      fc.constantFrom<Json[]>(null, true, 1, "text"),
      fc.array(tie("json"), { maxLength: 3 }),
      fc.dictionary(names, tie("json"), { maxKeys: 5 }),
    ),
  }));
  it("has one writable part", () =>
    fc.assert(
      fc.property(json, (value) => {
        const once = writable(schema, body, value);
        expect(writable(schema, body, once)).toEqual(once);
      }),
    ));
  it("is redacted before or after with the same result", () =>
    fc.assert(
      fc.property(json, (value) => {
        const first = redact(schema, body, value);
        expect(writable(schema, body, first)).toEqual(redact(schema, body, writable(schema, body, value)));
      }),
    ));
});

describe("secrets", () => {
  it("are found once per cycle", () =>
    expect(secretPaths(schema, body)).toEqual([["properties", "subnets", "*", "password"], ["keys"]]));
  it("are replaced whole at any depth and in any case, everything else stays", () =>
    expect(
      redact(schema, body, {
        Keys: { a: 1 },
        properties: { subnets: [{ password: "p", owner: { keys: ["k"], id: "/x" } }, { password: null }] },
        other: [1],
      }),
    ).toEqual({
      Keys: redacted,
      properties: { subnets: [{ password: "***", owner: { keys: "***", id: "/x" } }, { password: null }] },
      other: [1],
    }));
});
