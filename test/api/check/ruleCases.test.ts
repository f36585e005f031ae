import { describe, expect, it } from "vitest";
import { checkObject } from "../../../src/api/check/checkObject.ts";
import { apiVersionOf, kindEntry } from "../../../src/api/registry.ts";
import type { JsonObject } from "../../../src/core/types.ts";
import { patched } from "../../support/admission/admissionServer.ts";
import type { RuleCase } from "../../support/admission/ruleCase.ts";
import { ruleCases } from "../rules/index.ts";

describe.each(ruleCases)("offline, $kind", ({ kind, base, cases }) => {
  const whole = (object: JsonObject): JsonObject => ({ apiVersion: apiVersionOf(kindEntry(kind)!), kind, ...object });
  const judge = ({ from }: RuleCase, patch: JsonObject) => {
    if (from === undefined) return checkObject(kind, whole(patched(base, patch)));
    const before = whole(patched(base, from));
    return checkObject(kind, patched(before, patch), { before });
  };

  it("accepts the object that the examples begin with", () => expect(checkObject(kind, whole(base))).toEqual([]));
  it.each(cases)("$field: $rule", (example) => {
    expect(judge(example, example.accepts)).toEqual([]);
    const findings = judge(example, example.refuses).map(({ path, message }) => ({ path, message }));
    expect(findings).toContainEqual({ path: example.field, message: expect.stringContaining(example.rule) });
  });
});
