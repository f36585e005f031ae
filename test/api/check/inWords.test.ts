import { describe, expect, it } from "vitest";
import type { Check } from "../../../src/api/check/finding.ts";
import { inWords } from "../../../src/api/check/inWords.ts";

const said: readonly { readonly rule: Check; readonly message: string; readonly words: string }[] = [
  { rule: "required", message: "Required value", words: "must be given" },
  {
    rule: "required",
    message: "Required value: name or generateName is required",
    words: "name or generateName must be given",
  },
  { rule: "type", message: 'must be of type string: "number"', words: "must be a string" },
  { rule: "type", message: 'must be of type integer: "string"', words: "must be a whole number" },
  { rule: "type", message: 'must be of type boolean: "string"', words: "must be true or false" },
  { rule: "type", message: 'must be of type integer,string: "boolean"', words: "must be a whole number or a string" },
  { rule: "type", message: 'must be of type array: "string"', words: "must be a list" },
  { rule: "metadata", message: 'must be of type object: "array"', words: "must be an object" },
  { rule: "format", message: "must be of type date-time", words: "must be a time such as 2026-01-31T12:00:00Z" },
  {
    rule: "enum",
    message: 'Unsupported value: "a: b": supported values: "ab", "cd"',
    words: 'must be one of "ab", "cd"',
  },
  {
    rule: "duplicate",
    message: 'Duplicate value: {"name":"a","port":1}',
    words: 'must occur once: an item with name "a" and port 1 stands before it',
  },
  { rule: "duplicate", message: 'Duplicate value: "a"', words: "must occur once: the same value stands before it" },
  { rule: "limit", message: "should be less than or equal to 30", words: "must be at most 30" },
  { rule: "limit", message: "should be greater than or equal to 4", words: "must be at least 4" },
  { rule: "size", message: "Too long: may not be more than 63 bytes", words: "must have at most 63 characters" },
  { rule: "limit", message: "should be at least 1 chars long", words: "must not be empty" },
  { rule: "size", message: "Too many: 70: must have at most 64 items", words: "must have at most 64 items" },
  { rule: "limit", message: "should have at least 1 items", words: "must not be empty" },
  { rule: "limit", message: "should be at least 2 chars long", words: "must have at least 2 characters" },
  { rule: "limit", message: "should have at least 2 items", words: "must have at least 2 items" },
  { rule: "limit", message: "should have at least 1 properties", words: "must not be empty" },
  { rule: "size", message: "Too long: may not be more than 1 byte", words: "must have at most 1 character" },
  { rule: "type", message: 'must be of type int32: "float64"', words: "must be a whole number" },
  {
    rule: "format",
    message: "must be of type integer with format int32",
    words: "must be a whole number from -2147483648 to 2147483647",
  },
  { rule: "pattern", message: String.raw`should match '^(\d+)m$'`, words: "must be minutes such as 10m" },
  { rule: "pattern", message: "should match '^https://'", words: "must be an address that begins with https://" },
  { rule: "pattern", message: "should match '^a$'", words: "must match '^a$'" },
  { rule: "rule", message: "should match the other", words: "should match the other" },
  { rule: "policy", message: "Required value", words: "Required value" },
];

describe("what would be right", () => {
  it.each(said)("for $message is that it $words", ({ rule, message, words }) =>
    expect(inWords({ path: "spec.a", at: ["spec", "a"], rule, message })).toBe(words),
  );
});
