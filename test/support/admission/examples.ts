import { isObject } from "../../../src/api/json.ts";
import { apiVersionOf, kindEntry } from "../../../src/api/registry.ts";
import type { Json, JsonObject } from "../../../src/core/types.ts";
import { ruleCases } from "../../api/rules/index.ts";
import { patched } from "./admissionServer.ts";
import type { RuleCase, RuleCases } from "./ruleCase.ts";

const casesOf = (kind: string): Pick<RuleCases, "base" | "cases"> =>
  ruleCases.find((it) => it.kind === kind) ?? {
    base: { metadata: { name: "it" }, spec: kind.endsWith("Template") ? { template: { spec: {} } } : {} },
    cases: [],
  };

const whole = (kind: string, object: JsonObject): JsonObject => ({
  apiVersion: apiVersionOf(kindEntry(kind)!),
  kind,
  ...object,
});

const made = (kind: string, patchOf: (example: RuleCase) => JsonObject): readonly JsonObject[] => {
  const { base, cases } = casesOf(kind);
  return cases.map((example) => whole(kind, patched(patched(base, example.from ?? {}), patchOf(example))));
};

/** Valid objects of a kind, as the examples of its rules have them. The first is that with which they begin. */
export const examplesOf = (kind: string): readonly JsonObject[] => [
  whole(kind, casesOf(kind).base),
  ...made(kind, ({ accepts }) => accepts),
];

const textsIn = (value: Json): readonly string[] => {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
};

/** Texts of all examples, right and wrong, on which rules are likely to turn. */
export const tellingTextsOf = (kind: string): readonly string[] => {
  const refused = made(kind, ({ refuses }) => refuses);
  return [...new Set([...examplesOf(kind), ...refused].flatMap(textsIn))].filter((text) => text.length < 300);
};
