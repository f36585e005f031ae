import { describe, expect, it } from "vitest";
import { goRegExp } from "../../../src/api/check/goRegExp.ts";

describe("an expression in Go's syntax", () => {
  it.each([
    { pattern: "^[a-z]+$", matches: ["abc"], not: ["abc\n", "ABC", ""] },
    { pattern: "b", matches: ["abc"], not: ["ac"] },
    { pattern: "^a.c$", matches: ["abc", "a\rc", "a𝄞c", "a\u2028c"], not: ["a\nc"] },
    { pattern: "(?s)^a.c$", matches: ["a\nc"], not: ["ac"] },
    { pattern: "(?i)^abc$", matches: ["aBC"], not: ["abd"] },
    { pattern: "^.{2}$", matches: ["𝄞𝄞", "ab"], not: ["𝄞"] },
    { pattern: String.raw`\Aa\z`, matches: ["a"], not: ["a\n", "ba"] },
    { pattern: String.raw`^\s$`, matches: [" ", "\t", "\n"], not: ["\v", "\u00a0", "a"] },
    { pattern: String.raw`^\S$`, matches: ["a", "\v", "\u00a0"], not: [" "] },
    { pattern: String.raw`^[\s_]$`, matches: [" ", "_"], not: ["\v"] },
    { pattern: String.raw`^\d\w\b$`, matches: ["1a", "2_"], not: ["aa", "1é"] },
    { pattern: String.raw`^[\w\-.]+$`, matches: ["a-b.c"], not: ["a b"] },
    { pattern: String.raw`^a\-\_\/\:b$`, matches: ["a-_/:b"], not: ["a-_/b"] },
    { pattern: "^[[:alpha:]][[:digit:]]$", matches: ["a1"], not: ["11"] },
    { pattern: "^[]a]$", matches: ["]", "a"], not: ["b"] },
    { pattern: "^[^]a]$", matches: ["b"], not: ["]", "a"] },
    { pattern: "^[a[]$", matches: ["[", "a"], not: ["b"] },
    { pattern: "^a{,2}$", matches: ["a{,2}"], not: ["aa"] },
    { pattern: "^a{1,2}}$", matches: ["aa}"], not: ["aa"] },
    { pattern: "^]$", matches: ["]"], not: ["["] },
    { pattern: String.raw`^\x{1D11E}$`, matches: ["𝄞"], not: ["x"] },
    { pattern: String.raw`^\pL\p{N}$`, matches: ["é1"], not: ["11"] },
    { pattern: String.raw`^\Qa.b\E$`, matches: ["a.b"], not: ["axb"] },
    { pattern: "^(?P<first>a)(?:b|c)$", matches: ["ab", "ac"], not: ["a"] },
  ])("$pattern", ({ pattern, matches, not }) => {
    const expression = goRegExp(pattern);
    expect(matches.filter((text) => !expression.test(text))).toEqual([]);
    expect(not.filter((text) => expression.test(text))).toEqual([]);
  });
  it("is refused when it is none", () => expect(() => goRegExp("(a")).toThrow("Invalid regular expression"));
});
