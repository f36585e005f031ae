import { describe, expect, it } from "vitest";
import type { RuleEntry } from "../../../src/api/definition/rules.ts";
import type { RuleCase } from "../../support/admission/ruleCase.ts";
import { examplesWithoutRule, rulesWithoutExample } from "./ruleGaps.ts";

const rule = (path: string, says: string, messageExpression?: string): RuleEntry => ({
  kind: "K",
  path,
  says,
  about: "state",
  form: "rule",
  enforcedBy: "apiServer",
  expression: `${says}?`,
  ...(messageExpression !== undefined && { messageExpression }),
});
const limit = (path: string, keyword: string, says = "must be so"): RuleEntry => ({
  kind: "K",
  path,
  says,
  about: "state",
  form: "limit",
  enforcedBy: "apiServer",
  keywords: [keyword],
});
const example = (field: string, words: string): RuleCase => ({ field, rule: words, accepts: {}, refuses: {} });

describe("an example", () => {
  it.each([
    { entry: rule("spec.a", "must be even"), field: "spec.a", words: "must be even", shows: true },
    { entry: rule("spec.a", "must be even"), field: "spec.b", words: "must be even", shows: false },
    { entry: rule("spec.a", "must be even"), field: "spec.a", words: "must be odd", shows: false },
    { entry: rule("", "must be even"), field: "<nil>", words: "must be even", shows: true },
    { entry: rule("spec.a[].b", "must be even"), field: "spec.a[0].b", words: "even", shows: true },
    { entry: rule("spec.a.*.b", "must be even"), field: "spec.a[key].b", words: "even", shows: true },
    { entry: rule("spec.a.*.b", "must be even"), field: "spec.a.key.b", words: "even", shows: true },
    { entry: rule("spec.a.*.b", "must be even"), field: "spec.a.b", words: "even", shows: false },
    {
      entry: rule("spec.a", "must differ", "'must differ from ' + self.b"),
      field: "spec.a",
      words: "must differ from x",
      shows: true,
    },
    {
      entry: rule("spec.a", "must stay", "'spec.a: must stay %s, always'.format([oldSelf.a])"),
      field: "spec.a",
      words: "must stay x",
      shows: true,
    },
    {
      entry: rule("spec.a", "must be apart", "'must be ranges that do not overlap: ' + self.a"),
      field: "spec.a",
      words: "do not overlap: x",
      shows: true,
    },
    { entry: rule("spec.a", "must differ", "self.b + ', '"), field: "spec.a", words: "x, y", shows: false },
    { entry: limit("spec.a", "maximum"), field: "spec.a", words: "should be less than or equal to 3", shows: true },
    { entry: limit("spec.a", "maximum"), field: "spec.a", words: "should be greater than or equal to 3", shows: false },
    { entry: limit("spec.a", "x-kubernetes-list-type"), field: "spec.a[1]", words: "Duplicate value", shows: true },
  ])("of $field ($words) shows the rule of $entry.path: $shows", ({ entry, field, words, shows }) => {
    const cases = [example(field, words)];
    expect(rulesWithoutExample([entry], cases)).toEqual(shows ? [] : [`${entry.path}: ${entry.says}`]);
    expect(examplesWithoutRule([entry], cases)).toEqual(shows ? [] : [`${field}: ${words}`]);
  });

  it("of a shape in one place shows its rule in all", () => {
    const holder = (path: string, ...fields: readonly string[]) => ({
      path,
      schema: { properties: Object.fromEntries(fields.map((field) => [field, {}])) },
      required: false,
    });
    const entries = [rule("spec.subnets[].x", "must be even"), rule("spec.subnet.x", "must be even")];
    const cases = [example("spec.subnet.x", "must be even")];
    const nodes = [holder("spec.subnets[]", "x", "y"), holder("spec.subnet", "x", "y")];
    expect(rulesWithoutExample(entries, cases, nodes)).toEqual([]);
    const others = [holder("spec.subnets[]", "x", "y"), holder("spec.subnet", "x", "z")];
    expect(rulesWithoutExample(entries, cases, others)).toEqual(["spec.subnets[].x: must be even"]);
  });

  it("of one field shows no rule of another", () => {
    const entries = [rule("spec.a.x", "must be even"), rule("spec.a.y", "must be even")];
    expect(rulesWithoutExample(entries, [example("spec.a.x", "must be even")])).toEqual(["spec.a.y: must be even"]);
  });

  it("may show what the schema itself says", () =>
    expect(examplesWithoutRule([], [example("spec.a", "Required value")])).toEqual([]));
});
