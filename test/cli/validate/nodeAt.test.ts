import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { nodeAt } from "../../../src/cli/validate/nodeAt.ts";

const block = `metadata:
  annotations:
    a.b/c[0]: x
    a: y
spec:
  "quoted": 1
  empty:
  list:
    - name: one
      inner: { deep: [10, 20] }
    - two
  base: &base { k: v, l: w }
  alias: *base
  merged: { <<: *base, l: x }
  ring: &ring { again: *ring }
`;

/** The text from the place on, to the end of the line. */
const textAt = (text: string, offset: number): string => text.slice(offset).split("\n")[0]!;

describe("nodeAt", () => {
  it.each([
    { path: "spec.quoted", value: "1", key: '"quoted": 1' },
    { path: "spec.list", value: "list:", key: "list:" },
    { path: "spec.list[0]", value: "name: one", key: "name: one" },
    { path: "spec.list[0].name", value: "one", key: "name: one" },
    { path: "spec.list[1]", value: "two", key: "two" },
    { path: "spec.list[0].inner", value: "{ deep: [10, 20] }", key: "inner: { deep: [10, 20] }" },
    { path: "spec.list[0].inner.deep[1]", value: "20] }", key: "20] }" },
    { path: "spec.empty", value: "empty:", key: "empty:" },
    { path: "spec.alias", value: "*base", key: "alias: *base" },
    { path: "spec.alias.k", value: "v, l: w }", key: "k: v, l: w }" },
    { path: "spec.merged.l", value: "x }", key: "l: x }" },
    { path: "spec.merged.k", value: "v, l: w }", key: "k: v, l: w }" },
    { path: "metadata.annotations.a.b/c[0]", value: "x", key: "a.b/c[0]: x" },
    { path: "metadata.annotations[a.b/c[0]]", value: "x", key: "a.b/c[0]: x" },
    { path: "metadata.annotations.a", value: "y", key: "a: y" },
    { path: "", value: "metadata:", key: "metadata:" },
  ])("finds $path", ({ path, value, key }) => {
    const document = parseDocument(block, { merge: true });
    const place = nodeAt(document, document.contents, path);
    expect([textAt(block, place.offset), textAt(block, place.keyOffset)]).toEqual([value, key]);
    expect(place.left).toBe("");
  });

  it.each([
    { path: "spec.missing", value: "spec:", left: ".missing" },
    { path: "spec.list[0].inner.none.below", value: "{ deep: [10, 20] }", left: ".none.below" },
    { path: "spec.list[7].name", value: "list:", left: "[7].name" },
    { path: "spec.list.name", value: "list:", left: ".name" },
    { path: "spec.listing", value: "spec:", left: ".listing" },
    { path: "spec.quoted.below", value: "1", left: ".below" },
    { path: "status", value: "metadata:", left: "status" },
  ])("goes to the nearest parent of $path", ({ path, value, left }) => {
    const document = parseDocument(block, { merge: true });
    const place = nodeAt(document, document.contents, path);
    expect([textAt(block, place.offset), place.left]).toEqual([value, left]);
  });

  it("finds its way in JSON", () => {
    const json = '{\n\t"spec": {\n\t\t"list": [\n\t\t\t{ "name": "x" }\n\t\t]\n\t}\n}';
    const document = parseDocument(json);
    expect(textAt(json, nodeAt(document, document.contents, "spec.list[0].name").offset)).toBe('"x" }');
  });

  it("does not run in circles", () => {
    const document = parseDocument(block, { merge: true });
    const { left } = nodeAt(document, document.contents, `spec.ring${".again".repeat(500)}`);
    expect(left).not.toBe("");
  });
});
