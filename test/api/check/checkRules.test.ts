import { describe, expect, it } from "vitest";
import { checkRules } from "../../../src/api/check/checkRules.ts";
import { checkShape } from "../../../src/api/check/checkShape.ts";
import { schemaNode } from "../../../src/api/check/schemaNode.ts";
import type { Json, JsonObject } from "../../../src/core/types.ts";

const findingsOf = (schema: JsonObject, value: Json, old?: Json) => {
  const node = schemaNode(schema);
  return checkRules(node, value, old, checkShape(node, value, old, []));
};
const text = { type: "string" };
const ruled = (schema: JsonObject, ...rules: readonly JsonObject[]): JsonObject => ({
  ...schema,
  "x-kubernetes-validations": rules,
});
const fields = (properties: JsonObject, ...rules: readonly JsonObject[]): JsonObject =>
  ruled({ type: "object", properties }, ...rules);

const short = ruled(text, { rule: "self.size() < 3", message: "must be short" });
const stays = ruled(text, { rule: "self == oldSelf", message: "must stay" });
const ever = ruled(text, { rule: "oldSelf.orValue('a') == 'a'", message: "must have been a", optionalOldSelf: true });
const keyed = { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] };

describe("a rule", () => {
  it.each<{
    readonly what: string;
    readonly schema: JsonObject;
    readonly value: Json;
    readonly old?: Json;
    readonly says: readonly (readonly [string, string])[];
  }>([
    {
      what: "about the root",
      schema: fields({ a: text }, { rule: "has(self.a)", message: "must have a" }),
      value: {},
      says: [["", "must have a"]],
    },
    { what: "about a field", schema: fields({ a: short }), value: { a: "long" }, says: [["a", "must be short"]] },
    {
      what: "about an item",
      schema: { type: "array", items: short },
      value: ["a", "long"],
      says: [["[1]", "must be short"]],
    },
    {
      what: "about a free key",
      schema: { type: "object", additionalProperties: short },
      value: { k: "long" },
      says: [["[k]", "must be short"]],
    },
    {
      what: "with a field at fault",
      schema: fields({ a: text }, { rule: "self.a == 'b'", message: "must be b", fieldPath: ".a" }),
      value: { a: "c" },
      says: [["a", "must be b"]],
    },
    {
      what: "with a message that is computed",
      schema: fields({
        a: ruled(text, { rule: "self == 'b'", message: "no", messageExpression: "'must be b, not ' + self" }),
      }),
      value: { a: "c" },
      says: [["a", "must be b, not c"]],
    },
    {
      what: "whose message cannot be computed",
      schema: fields({
        a: ruled(text, { rule: "self == 'b'", message: "must be b", messageExpression: "string(int(self))" }),
      }),
      value: { a: "c" },
      says: [["a", "must be b"]],
    },
    {
      what: "whose message is empty",
      schema: fields({ a: ruled(text, { rule: "self == 'b'", message: "must be b", messageExpression: "' '" }) }),
      value: { a: "c" },
      says: [["a", "must be b"]],
    },
    {
      what: "that cannot be answered",
      schema: fields({ a: ruled(text, { rule: "int(self) > 0", message: "must be a number" }) }),
      value: { a: "c" },
      says: [["a", 'type conversion error from string to int: "c" evaluating rule: must be a number']],
    },
    {
      what: "about a field with a word of CEL for a name",
      schema: fields(
        { namespace: text, "a-b": text },
        { rule: "self.__namespace__ == self.a__dash__b", message: "must be one" },
      ),
      value: { namespace: "x", "a-b": "y" },
      says: [["", "must be one"]],
    },
    {
      what: "where the shape is wrong",
      schema: fields({ a: short, b: short }, { rule: "self.a != self.b", message: "must differ" }),
      value: { a: 1, b: "long" },
      says: [["b", "must be short"]],
    },
    { what: "about a change, of a new object", schema: fields({ a: stays }), value: { a: "b" }, says: [] },
    {
      what: "about a change",
      schema: fields({ a: stays }),
      value: { a: "b" },
      old: { a: "c" },
      says: [["a", "must stay"]],
    },
    { what: "about a change, of a new field", schema: fields({ a: stays }), value: { a: "b" }, old: {}, says: [] },
    {
      what: "about a change in a keyed list",
      schema: { type: "array", items: fields({ name: text, a: stays }), ...keyed },
      value: [{ name: "y" }, { name: "x", a: "b" }],
      old: [{ name: "x", a: "c" }],
      says: [["[1].a", "must stay"]],
    },
    {
      what: "about a change in a plain list",
      schema: { type: "array", items: fields({ a: stays }) },
      value: [{ a: "b" }],
      old: [{ a: "c" }],
      says: [],
    },
    {
      what: "about a change under a key",
      schema: { type: "object", additionalProperties: stays },
      value: { k: "b" },
      old: { k: "c" },
      says: [["[k]", "must stay"]],
    },
    {
      what: "with an optional former value",
      schema: fields({ a: ever }),
      value: { a: "b" },
      old: { a: "c" },
      says: [["a", "must have been a"]],
    },
    { what: "with an optional former value that is absent", schema: fields({ a: ever }), value: { a: "b" }, says: [] },
    {
      what: "that was broken before",
      schema: fields({ a: short, b: text }),
      value: { a: "long", b: "x" },
      old: { a: "long" },
      says: [],
    },
    {
      what: "that was broken otherwise",
      schema: fields({ a: short }),
      value: { a: "long" },
      old: { a: "longer" },
      says: [["a", "must be short"]],
    },
    {
      what: "that was broken in a list that changed",
      schema: { type: "array", items: short },
      value: ["long", "b"],
      old: ["long"],
      says: [["[0]", "must be short"]],
    },
    {
      what: "that was broken in a list that is the same",
      schema: fields({ l: { type: "array", items: short }, b: text }),
      value: { l: ["long"], b: "x" },
      old: { l: ["long"] },
      says: [],
    },
    {
      what: "that compares keyed lists",
      schema: fields({
        l: ruled(
          { type: "array", items: fields({ name: text, a: text }), ...keyed },
          { rule: "self == oldSelf", message: "must stay" },
        ),
      }),
      value: {
        l: [
          { name: "x", a: "1" },
          { a: "2", name: "y" },
        ],
      },
      old: {
        l: [
          { name: "y", a: "2" },
          { name: "x", a: "1" },
        ],
      },
      says: [],
    },
    {
      what: "that compares sets",
      schema: fields({
        l: ruled(
          { type: "array", items: text, "x-kubernetes-list-type": "set" },
          { rule: "self == oldSelf", message: "must stay" },
        ),
      }),
      value: { l: ["a", "b"] },
      old: { l: ["b", "a"] },
      says: [],
    },
    {
      what: "that compares plain lists",
      schema: fields({ l: ruled({ type: "array", items: text }, { rule: "self == oldSelf", message: "must stay" }) }),
      value: { l: ["a", "b"] },
      old: { l: ["b", "a"] },
      says: [["l", "must stay"]],
    },
    {
      what: "about numbers with a point",
      schema: fields({ n: ruled({ type: "number" }, { rule: "self < 1.5", message: "must be less" }) }),
      value: { n: 2 },
      says: [["n", "must be less"]],
    },
    {
      what: "about null",
      schema: fields({ a: { ...short, nullable: true } }, { rule: "!has(self.a)", message: "must be absent" }),
      value: { a: null },
      says: [],
    },
  ])("$what", ({ schema, value, old, says }) =>
    expect(findingsOf(schema, value, old).map(({ path, message }) => [path, message])).toEqual(says),
  );
});
