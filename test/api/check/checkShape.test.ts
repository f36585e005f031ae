import { describe, expect, it } from "vitest";
import { checkKeys } from "../../../src/api/check/checkKeys.ts";
import { checkShape } from "../../../src/api/check/checkShape.ts";
import { schemaNode } from "../../../src/api/check/schemaNode.ts";
import type { Json, JsonObject } from "../../../src/core/types.ts";

interface Case {
  readonly schema: JsonObject;
  readonly right: readonly Json[];
  readonly wrong: readonly Json[];
  readonly says: string;
}

describe("a value", () => {
  it.each<Case>([
    { schema: { type: "string" }, right: ["", "a"], wrong: [1, true, null, [], {}], says: "must be of type string" },
    { schema: { type: "string", nullable: true }, right: [null, "a"], wrong: [1], says: "must be of type string" },
    { schema: { type: "boolean" }, right: [true, false], wrong: ["true", 0, null], says: "must be of type boolean" },
    {
      schema: { type: "integer" },
      right: [0, -1, 2 ** 53],
      wrong: [1.5, "1", 1e300, null],
      says: "must be of type integer",
    },
    { schema: { type: "integer", format: "int32" }, right: [2 ** 31 - 1, -(2 ** 31)], wrong: [2 ** 31], says: "int32" },
    { schema: { type: "number" }, right: [1, 1.5, 1e300], wrong: ["1"], says: "must be of type number" },
    { schema: { type: "array" }, right: [[]], wrong: [{}, "a", null], says: "must be of type array" },
    { schema: { type: "object" }, right: [{}], wrong: [[], "a", null], says: "must be of type object" },
    { schema: {}, right: [null, 1, "a", [], {}], wrong: [], says: "" },
    {
      schema: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
      right: [1, "1", ""],
      wrong: [1.5, true, null, [], 1e300],
      says: "must be of type integer,string",
    },
    {
      schema: { type: "string", enum: ["a", "b"] },
      right: ["a", "b"],
      wrong: ["", "c"],
      says: 'supported values: "a", "b"',
    },
    { schema: { type: "string", pattern: "^a$" }, right: ["a"], wrong: ["a\n", "b"], says: "should match '^a$'" },
    {
      schema: { type: "string", minLength: 2 },
      right: ["𝄞𝄞"],
      wrong: ["𝄞", ""],
      says: "should be at least 2 chars long",
    },
    {
      schema: { type: "string", maxLength: 2 },
      right: ["𝄞𝄞", ""],
      wrong: ["abc"],
      says: "may not be more than 2 bytes",
    },
    { schema: { type: "integer", minimum: 2 }, right: [2], wrong: [1], says: "should be greater than or equal to 2" },
    { schema: { type: "integer", maximum: 2 }, right: [2], wrong: [3], says: "should be less than or equal to 2" },
    { schema: { type: "array", minItems: 1 }, right: [[1]], wrong: [[]], says: "should have at least 1 items" },
    { schema: { type: "array", maxItems: 1 }, right: [[]], wrong: [[1, 2]], says: "must have at most 1 item" },
    { schema: { type: "object", minProperties: 1 }, right: [{ a: 1 }], wrong: [{}], says: "at least 1 properties" },
    {
      schema: { type: "object", maxProperties: 1 },
      right: [{}],
      wrong: [{ a: 1, b: 1 }],
      says: "must have at most 1 item",
    },
    {
      schema: { type: "string", format: "date-time" },
      right: ["2026-01-02T03:04:05Z", "2026-01-02t03:04:05.6+01:00"],
      wrong: ["", "2026-01-02", "2026-01-02T24:00:00Z"],
      says: "date-time",
    },
  ])("of $schema", ({ schema, right, wrong, says }) => {
    const node = schemaNode(schema);
    for (const value of right) expect(checkShape(node, value, undefined, ["spec"])).toEqual([]);
    for (const value of wrong)
      expect(checkShape(node, value, undefined, ["spec"])).toContainEqual(
        expect.objectContaining({ path: "spec", message: expect.stringContaining(says) }),
      );
  });
});

const places = schemaNode({
  type: "object",
  required: ["needed"],
  properties: {
    needed: { type: "string" },
    free: { type: "object", additionalProperties: { type: "integer" } },
    list: { type: "array", items: { type: "object", required: ["name"], properties: { name: { type: "string" } } } },
  },
});

describe("where something is wrong", () => {
  it.each<{ readonly value: Json; readonly path: string; readonly at: readonly (string | number)[] }>([
    { value: {}, path: "spec.needed", at: ["spec", "needed"] },
    { value: { needed: 1 }, path: "spec.needed", at: ["spec", "needed"] },
    { value: { needed: "a", free: { "b.c": "d" } }, path: "spec.free.b.c", at: ["spec", "free", "b.c"] },
    { value: { needed: "a", list: [{ name: "a" }, {}] }, path: "spec.list[1].name", at: ["spec", "list", 1, "name"] },
  ])("$path", ({ value, path, at }) =>
    expect(checkShape(places, value, undefined, ["spec"])).toMatchObject([{ path, at }]),
  );
});

const limited = (extra: JsonObject = {}): JsonObject => ({
  type: "object",
  properties: { name: { type: "string" }, text: { type: "string", maxLength: 1 }, ...extra },
});

describe("a mistake that was there before", () => {
  const keyed = { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] };
  const root = schemaNode(
    limited({
      keyed: { type: "array", items: limited(), ...keyed },
      atomic: { type: "array", items: limited() },
      free: { type: "object", additionalProperties: { type: "string", maxLength: 1 } },
    }),
  );
  const long = { name: "a", text: "long" };
  const other = { name: "b", text: "o" };
  it.each<{ readonly what: string; readonly before: JsonObject; readonly now: JsonObject; readonly stays: boolean }>([
    { what: "beside a change", before: long, now: { ...long, name: "c" }, stays: true },
    { what: "made anew", before: { name: "a" }, now: long, stays: false },
    { what: "changed", before: { text: "longer" }, now: long, stays: false },
    { what: "in a keyed item", before: { keyed: [long, other] }, now: { keyed: [other, long] }, stays: true },
    { what: "in a renamed item", before: { keyed: [long] }, now: { keyed: [{ ...long, name: "c" }] }, stays: false },
    { what: "in an equal list", before: { atomic: [long] }, now: { atomic: [long], text: "o" }, stays: true },
    { what: "in a longer list", before: { atomic: [long] }, now: { atomic: [long, other] }, stays: false },
    { what: "under the same key", before: { free: { a: "long" } }, now: { free: { a: "long", b: "o" } }, stays: true },
    { what: "under another key", before: { free: { a: "long" } }, now: { free: { b: "long" } }, stays: false },
  ])("$what: may stay is $stays", ({ before, now, stays }) =>
    expect(checkShape(root, now, before, []).length).toBe(stays ? 0 : 1),
  );
});

describe("what stands twice", () => {
  const map = { type: "array", items: { type: "object" }, "x-kubernetes-list-type": "map" };
  it.each<{
    readonly what: string;
    readonly schema: JsonObject;
    readonly value: Json;
    readonly paths: readonly string[];
  }>([
    {
      what: "a key",
      schema: { ...map, "x-kubernetes-list-map-keys": ["name"] },
      value: [{ name: "a" }, { name: "b" }, { name: "a", more: 1 }, { name: "a" }],
      paths: ["spec[2]"],
    },
    {
      what: "two keys",
      schema: { ...map, "x-kubernetes-list-map-keys": ["name", "port"] },
      value: [
        { name: "a", port: 1 },
        { name: "a", port: 2 },
        { port: 1, name: "a" },
      ],
      paths: ["spec[2]"],
    },
    {
      what: "no key",
      schema: { ...map, "x-kubernetes-list-map-keys": ["name"] },
      value: [{}, { other: 1 }],
      paths: ["spec[1]"],
    },
    {
      what: "what is no object",
      schema: { ...map, "x-kubernetes-list-map-keys": ["name"] },
      value: [{ name: "a" }, "a"],
      paths: ["spec[1]"],
    },
    {
      what: "a word",
      schema: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
      value: ["a", "b", "a"],
      paths: ["spec[2]"],
    },
    { what: "in a plain list", schema: { type: "array", items: { type: "string" } }, value: ["a", "a"], paths: [] },
    {
      what: "inside other values",
      schema: {
        type: "object",
        properties: { a: { type: "array", items: { type: "array", "x-kubernetes-list-type": "set" } } },
        additionalProperties: { type: "array", "x-kubernetes-list-type": "set" },
      },
      value: { a: [[1, 1]], b: [true, true] },
      paths: ["spec.a[0][1]", "spec[b][1]"],
    },
  ])("$what", ({ schema, value, paths }) =>
    expect(checkKeys(schemaNode(schema), value, ["spec"]).map(({ path }) => path)).toEqual(paths),
  );
});
