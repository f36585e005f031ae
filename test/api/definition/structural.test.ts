import { describe, expect, it } from "vitest";
import { structural } from "../../../src/api/definition/structural.ts";

describe("structural", () => {
  it.each([
    {
      what: "an object with limits",
      schema: { type: "object", required: ["a"], properties: { a: { type: "string", maxLength: 3 } } },
      as: { type: "object", required: ["a"], properties: { a: { type: "string", maxLength: 3 } } },
    },
    {
      what: "free keys",
      schema: { type: "object", patternProperties: { "^.*$": { type: "string" } } },
      as: { type: "object", additionalProperties: { type: "string" } },
    },
    {
      what: "a keyed list",
      schema: { type: "array", items: { type: "object" }, "x-kubernetes-list-map-keys": ["name"] },
      as: { type: "array", items: { type: "object" }, "x-kubernetes-list-map-keys": ["name"] },
    },
    {
      what: "a quantity",
      schema: { anyOf: [{ type: "integer" }, { type: "string" }], "x-kubernetes-int-or-string": true },
      as: { anyOf: [{ type: "integer" }, { type: "string" }], "x-kubernetes-int-or-string": true },
    },
    {
      what: "a field that is called like a keyword",
      schema: { type: "object", properties: { anyOf: { type: "string" } } },
      as: { type: "object", properties: { anyOf: { type: "string" } } },
    },
  ])("says $what", ({ schema, as }) => expect(structural(schema, "spec")).toEqual(as));

  it.each([
    {
      what: "a union",
      schema: { properties: { a: { anyOf: [{ type: "string" }, { type: "object" }] } } },
      says: /^spec\.a: a union/,
    },
    { what: "a reference", schema: { items: { $ref: "#/x" } }, says: /^spec\[\]: the keyword \$ref/ },
    {
      what: "several patterns of keys",
      schema: { patternProperties: { a: {}, b: {} } },
      says: /^spec: keys by pattern/,
    },
    { what: "a schema that is none", schema: true, says: /^spec: not a schema/ },
  ])("refuses $what", ({ schema, says }) => expect(() => structural(schema, "spec")).toThrow(says));
});
