import { describe, expect, it } from "vitest";
import { checkedKind } from "../../../src/api/check/checkedKind.ts";
import { patternWords } from "../../../src/api/check/patternWords.ts";
import type { SchemaNode } from "../../../src/api/check/schemaNode.ts";
import { infrastructureKinds } from "../../../src/api/registry.ts";

const patternsIn = (node: SchemaNode): readonly string[] => [
  ...(node.pattern === undefined ? [] : [node.pattern]),
  ...[...node.properties.values(), node.values, node.items].flatMap((inner) => (inner ? patternsIn(inner) : [])),
];
const patterns = new Set(infrastructureKinds.flatMap(({ kind }) => patternsIn(checkedKind(kind)!.root)));

describe("the patterns of our definitions", () => {
  it("are some", () => expect(patterns.size).toBeGreaterThan(3));
  it.each([...patterns])("are said in words: %s", (pattern) => expect(patternWords(pattern)).not.toContain(pattern[0]));
  it("are said as they are where nobody wrote words", () => expect(patternWords("^a$")).toBe("must match '^a$'"));
});
