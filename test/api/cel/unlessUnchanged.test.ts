import { describe, expect, it } from "vitest";
import { textAt } from "../../../src/api/cel/parts.ts";
import { unlessUnchanged } from "../../../src/api/cel/unlessUnchanged.ts";
import { checkRules } from "../../../src/api/check/checkRules.ts";
import { checkShape } from "../../../src/api/check/checkShape.ts";
import { schemaNode } from "../../../src/api/check/schemaNode.ts";
import type { JsonObject } from "../../../src/core/types.ts";

const refuses = unlessUnchanged(["flag", textAt("text")], { rule: "false", message: "must be right" });
const node = schemaNode({
  type: "object",
  properties: { flag: { type: "boolean" }, text: { type: "string" }, other: { type: "string" } },
  "x-kubernetes-validations": refuses.map((rule) => ({ ...rule })),
});
const isAsked = (now: JsonObject, was?: JsonObject): boolean =>
  checkRules(node, now, was, checkShape(node, now, was, [])).length > 0;

describe("a rule about what stands across fields", () => {
  it.each<{ readonly when: string; readonly now: JsonObject; readonly was?: JsonObject; readonly asked: boolean }>([
    { when: "an object is made", now: {}, asked: true },
    { when: "nothing changes", now: { text: "a" }, was: { text: "a" }, asked: false },
    { when: "something else changes", now: { text: "a", other: "b" }, was: { text: "a" }, asked: false },
    { when: "a field that it reads changes", now: { flag: true }, was: { flag: false }, asked: true },
    { when: "a field that it reads appears", now: { flag: false }, was: {}, asked: true },
    { when: "a field that it reads goes", now: {}, was: { flag: false }, asked: true },
    { when: "a part means the same", now: { text: "" }, was: {}, asked: false },
    { when: "a part means something else", now: { text: "a" }, was: {}, asked: true },
  ])("when $when: $asked", ({ now, was, asked }) => expect(isAsked(now, was)).toBe(asked));
});
