import { describe, expect, it } from "vitest";
import type { Finding } from "../../../src/api/check/finding.ts";
import { inWords } from "../../../src/cli/validate/inWords.ts";
import type { Json } from "../../../src/core/types.ts";

const finding = (rule: Finding["rule"], message: string, value?: Json): Finding => ({
  path: "spec.a",
  at: ["spec", "a"],
  message,
  rule,
  ...(value !== undefined && { value }),
});

describe("what would be right", () => {
  it.each([
    { rule: "required", said: "Required value", words: "must be given" },
    {
      rule: "required",
      said: "Required value: name or generateName is required",
      words: "name or generateName must be given",
    },
    {
      rule: "type",
      said: 'must be of type string: "number"',
      value: 1.3,
      word: "1.30",
      words: 'must be a string: write "1.30" with quotes',
    },
    {
      rule: "type",
      said: 'must be of type string: "boolean"',
      value: true,
      word: "yes",
      words: 'must be a string: write "yes" with quotes',
    },
    { rule: "type", said: 'must be of type string: "number"', value: 1, words: "must be a string" },
    { rule: "type", said: 'must be of type string: "array"', word: "x", words: "must be a string" },
    {
      rule: "type",
      said: 'must be of type integer: "string"',
      value: "6443",
      words: "must be an integer: write 6443 without quotes",
    },
    {
      rule: "type",
      said: 'must be of type boolean: "string"',
      value: "true",
      words: "must be true or false: write true without quotes",
    },
    { rule: "type", said: 'must be of type integer: "string"', value: "many", words: "must be an integer" },
    {
      rule: "type",
      said: 'must be of type integer,string: "boolean"',
      value: true,
      word: "on",
      words: 'must be an integer or a string: write "on" with quotes',
    },
    { rule: "type", said: 'must be of type array: "string"', value: "1", words: "must be a list" },
    { rule: "metadata", said: 'must be of type object: "array"', words: "must be an object" },
    {
      rule: "enum",
      said: 'Unsupported value: "a: b": supported values: "ab", "cd"',
      value: "a: b",
      words: 'must be one of "ab", "cd"',
    },
    {
      rule: "enum",
      said: 'Unsupported value: "readwrite": supported values: "None", "ReadWrite"',
      value: "readwrite",
      words: 'must be one of "None", "ReadWrite": did you mean ReadWrite?',
    },
    {
      rule: "duplicate",
      said: 'Duplicate value: {"name":"a","port":1}',
      words: 'must occur once: an item with name "a" and port 1 stands before it',
    },
    { rule: "duplicate", said: 'Duplicate value: "a"', words: "must occur once: the same value stands before it" },
    { rule: "limit", said: "should be less than or equal to 30", words: "must be at most 30" },
    { rule: "limit", said: "should be greater than or equal to 4", words: "must be at least 4" },
    { rule: "limit", said: "Too long: may not be more than 63 bytes", words: "must have at most 63 characters" },
    { rule: "limit", said: "should be at least 1 chars long", words: "must have at least 1 characters" },
    { rule: "limit", said: "Too many: 70: must have at most 64 items", words: "must have at most 64 items" },
    { rule: "limit", said: "should have at least 1 items", words: "must have at least 1 items" },
    { rule: "pattern", said: "should match '^a$'", words: "must match '^a$'" },
    { rule: "rule", said: "should match the other", words: "should match the other" },
    { rule: "policy", said: "Required value", words: "Required value" },
  ] as const)("for $said is that it $words", ({ rule, said, words, ...more }) =>
    expect(
      inWords(finding(rule, said, "value" in more ? more.value : undefined), "word" in more ? more.word : undefined),
    ).toBe(words),
  );
});
