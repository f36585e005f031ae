import { describe, expect, it } from "vitest";
import type { Finding } from "../../../src/api/check/finding.ts";
import { hint } from "../../../src/cli/validate/hint.ts";

type Said = Pick<Finding, "rule" | "message" | "value"> & { readonly word?: string; readonly hint: string };

const said: readonly Said[] = [
  {
    rule: "type",
    message: 'must be of type string: "number"',
    value: 1.3,
    word: "1.30",
    hint: ': write "1.30" with quotes',
  },
  {
    rule: "type",
    message: 'must be of type string: "boolean"',
    value: true,
    word: "yes",
    hint: ': write "yes" with quotes',
  },
  { rule: "type", message: 'must be of type string: "number"', value: 1, hint: "" },
  { rule: "type", message: 'must be of type string: "array"', word: "x", hint: "" },
  {
    rule: "type",
    message: 'must be of type integer: "string"',
    value: "6443",
    hint: ": write 6443 without quotes",
  },
  {
    rule: "type",
    message: 'must be of type boolean: "string"',
    value: "true",
    hint: ": write true without quotes",
  },
  { rule: "type", message: 'must be of type integer: "string"', value: "many", hint: "" },
  {
    rule: "type",
    message: 'must be of type integer,string: "boolean"',
    value: true,
    word: "on",
    hint: ': write "on" with quotes',
  },
  { rule: "type", message: 'must be of type array: "string"', value: "1", hint: "" },
  {
    rule: "enum",
    message: 'Unsupported value: "readwrite": supported values: "None", "ReadWrite"',
    value: "readwrite",
    hint: ": did you mean ReadWrite?",
  },
  { rule: "enum", message: 'Unsupported value: "x": supported values: "None", "ReadWrite"', value: "x", hint: "" },
  { rule: "pattern", message: "should match '^a$'", value: "b", hint: "" },
  { rule: "rule", message: 'supported values: "None"', value: "none", hint: "" },
];

describe("the hint beside what would be right", () => {
  it.each(said)("of $value for $message is '$hint'", ({ rule, message, value, word, hint: expected }) =>
    expect(
      hint({ path: "spec.a", at: ["spec", "a"], rule, message, ...(value !== undefined && { value }) }, word),
    ).toBe(expected),
  );
});
