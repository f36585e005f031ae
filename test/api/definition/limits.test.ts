import { describe, expect, it } from "vitest";
import { limitsOf } from "../../../src/api/definition/limits.ts";
import type { JsonObject } from "../../../src/core/types.ts";

const cases: readonly { readonly schema: JsonObject; readonly says: readonly string[] }[] = [
  { schema: { type: "string" }, says: [] },
  { schema: { type: "integer", format: "int32" }, says: [] },
  { schema: { minimum: 4, maximum: 30 }, says: ["from 4 to 30"] },
  { schema: { minimum: 1 }, says: ["at least 1"] },
  { schema: { maximum: 65535 }, says: ["at most 65535"] },
  { schema: { minLength: 1 }, says: ["not empty"] },
  { schema: { minLength: 3, maxLength: 24 }, says: ["from 3 to 24 characters"] },
  { schema: { maxLength: 10240 }, says: ["at most 10240 characters"] },
  { schema: { maxItems: 1 }, says: ["at most 1 item"] },
  { schema: { minItems: 2, maxItems: 2 }, says: ["exactly 2 items"] },
  { schema: { minProperties: 1 }, says: ["not empty"] },
  { schema: { maxProperties: 1 }, says: ["at most 1 entry"] },
  { schema: { enum: ["Public", "Internal"] }, says: ["one of `Public`, `Internal`"] },
  { schema: { enum: ["EdgeZone"] }, says: ["`EdgeZone`"] },
  { schema: { enum: ["", "A"] }, says: ['one of `""`, `A`'] },
  { schema: { pattern: "^a|b`$", maxLength: 3 }, says: ["at most 3 characters", "like `` ^a|b`$ ``"] },
  {
    schema: { pattern: "^[0-9]$", "x-kubernetes-int-or-string": true },
    says: ["a quantity, such as `2`, `1.5` or `500m`"],
  },
  { schema: { format: "date-time" }, says: ["a date and time, as in RFC 3339"] },
  { schema: { "x-kubernetes-list-type": "set", maxItems: 3 }, says: ["at most 3 items", "without equal items"] },
  {
    schema: { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name", "port"] },
    says: ["without two items of the same `name` and `port`"],
  },
];

describe("the limits of a schema in words", () => {
  it.each(cases)("$schema: $says", ({ schema, says }) =>
    expect(limitsOf(schema).map((limit) => limit.says)).toEqual(says),
  );
  it("name every keyword that they stand for", () =>
    expect(
      limitsOf({ minimum: 1, maxLength: 2, minItems: 3, maxItems: 4 }).flatMap(({ keywords }) => keywords),
    ).toEqual(["minimum", "maxLength", "minItems", "maxItems"]));
});
