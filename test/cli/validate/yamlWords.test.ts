import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { yamlWords } from "../../../src/cli/validate/yamlWords.ts";

describe("what is wrong with YAML", () => {
  it.each([
    ["a: [1\nb: 2\n", "brackets opened before are not closed, or this line within them is indented too little"],
    ["a: {b: 1\n", "brackets opened before are not closed, or this line within them is indented too little"],
    ["a: 1\nb\n", 'a key must have a colon and a value ("name: value"): is a colon missing, or indentation?'],
    ["a:1\nb: 2\n", "a key must have its colon in its own line: is a colon missing, or indentation?"],
    ["a:\n    b: 1\n  c: 2\n", "the keys of a mapping must begin in the same column"],
    ["a:\n  - 1\n - 2\n", "the items of a list must begin in the same column"],
    ["- 1\n - 2\n- b: [\n", "brackets opened before are not closed, or this line within them is indented too little"],
    ["a: - b\n", "a list must begin in a line of its own, below its key"],
    ["a: 'x\nb: 1\n", "a quote is opened and not closed"],
    ["a: ['a' 'b']\n", "a comma is missing between items in brackets"],
    ["a: | x\n  b\n", "after | or > a text must begin in the next line, with all its lines indented"],
    ["a: {b: 1}}\n", "a bracket is closed that is not open"],
    ["a: 'it's'\n", "something follows a value that has ended: is a quote, a comma or a colon missing?"],
    ["a:\n\tb: 1\n", "YAML is indented with spaces, not tabs"],
    ["a: b: c\n", 'a second ": " in the same line: put the value in quotes, or check the indentation of what follows'],
    ["a: [a: b: c]\n", 'a second ": " within brackets: is a bracket or a quote not closed?'],
    ["a: *\n", "a text that begins with * or & must be in quotes"],
    ["a: @x\n", "a text that begins with this character must be in quotes"],
    ['a: "C:\\dir"\n', "no such escape: write a backslash twice, or the text in single quotes"],
    ["a: &x &y 1\n", "A node can have at most one anchor"],
  ])("is said in plain words: %j", (text, words) => {
    const [error] = parseDocument(text, { prettyErrors: false }).errors;
    expect(error && yamlWords(error)).toBe(`not valid YAML: ${words}`);
  });
});
