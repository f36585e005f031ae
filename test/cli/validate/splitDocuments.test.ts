import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitDocuments } from "../../../src/cli/validate/splitDocuments.ts";

describe("splitDocuments", () => {
  it.each([
    { what: "one document", text: "a: 1\n", parts: ["a: 1\n"] },
    { what: "two", text: "a: 1\n---\nb: 2\n", parts: ["a: 1\n", "\nb: 2\n"] },
    { what: "lines that end as Windows has them", text: "a: 1\r\n---\r\nb: 2\r\n", parts: ["a: 1\r\n", "\nb: 2\r\n"] },
    { what: "empty ones", text: "---\n# nothing\n---\n\n--- \na: 1\n---\n", parts: ["\na: 1\n"] },
    { what: "a directive", text: "%YAML 1.2\n---\na: 1\n", parts: ["%YAML 1.2\n", "\na: 1\n"] },
    { what: "dashes within a text", text: "a: |\n  ---\n  x\n", parts: ["a: |\n  ---\n  x\n"] },
    { what: "an open quote", text: "a: 'b\n---\nc: 1\n", parts: ["a: 'b\n", "\nc: 1\n"] },
    { what: "JSON", text: '{"a":\n1}\n', parts: ['{"a":\n1}\n'] },
    { what: "JSON after JSON", text: '{"a":"}"}\n{"b":{}}\n', parts: ['{"a":"}"}', '\n{"b":{}}'] },
    { what: "JSON after YAML", text: 'a: 1\n---\n{"b":1}{"c":2}', parts: ["a: 1\n", '\n{"b":1}', '{"c":2}'] },
    { what: "nearly JSON", text: "{a: 1}\n{b: 2}\n", parts: ["{a: 1}\n{b: 2}\n"] },
    { what: "nothing", text: "", parts: [] },
  ])("splits $what", ({ text, parts }) => {
    const found = splitDocuments(text);
    expect(found.map((part) => part.text)).toEqual(parts);
    for (const part of found) expect(text.slice(part.offset, part.offset + part.text.length)).toBe(part.text);
  });

  it("never makes text up", () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom("---", "\n", "{", "}", '"', "a", " ", "#", "\\")), (pieces) => {
        const text = pieces.join("");
        for (const part of splitDocuments(text))
          expect(text.slice(part.offset, part.offset + part.text.length)).toBe(part.text);
      }),
    ));
});
