import { describe, expect, it } from "vitest";
import { type Change, sameAt, sameList, sameSet, sameText, unlessBoth } from "../../../src/api/cel/change.ts";
import { present, valueOr } from "../../../src/api/cel/parts.ts";
import type { JsonObject } from "../../../src/core/types.ts";
import { valued } from "./valued.ts";

interface Row {
  readonly name: string;
  readonly change: Change;
  readonly now: JsonObject;
  readonly was: JsonObject;
  readonly holds: boolean;
}

const rows: readonly Row[] = [
  { name: "sameAt", change: sameAt("text"), now: {}, was: {}, holds: true },
  { name: "sameAt", change: sameAt("text"), now: { text: "" }, was: {}, holds: false },
  { name: "sameAt", change: sameAt("text"), now: { text: "a" }, was: { text: "a" }, holds: true },
  { name: "sameAt", change: sameAt("part.text"), now: { part: {} }, was: {}, holds: true },
  { name: "sameText", change: sameText("text"), now: { text: "" }, was: {}, holds: true },
  { name: "sameText", change: sameText("text"), now: {}, was: { text: "a" }, holds: false },
  { name: "sameText", change: sameText("text"), now: { text: "a" }, was: { text: "b" }, holds: false },
  { name: "sameList", change: sameList("list"), now: { list: [] }, was: {}, holds: true },
  { name: "sameList", change: sameList("list"), now: { list: ["a", "b"] }, was: { list: ["b", "a"] }, holds: false },
  {
    name: "sameSet",
    change: sameSet(valueOr("list", "[]")),
    now: { list: ["a", "b"] },
    was: { list: ["b", "a"] },
    holds: true,
  },
  { name: "sameSet", change: sameSet(valueOr("list", "[]")), now: { list: ["a"] }, was: {}, holds: false },
  { name: "unlessBoth", change: unlessBoth(present("text")), now: { text: "a" }, was: {}, holds: true },
  { name: "unlessBoth", change: unlessBoth(present("text")), now: { text: "a" }, was: { text: "b" }, holds: false },
];

describe("a change", () => {
  it.each(rows)("from $was to $now is $holds by $name", ({ change, now, was, holds }) =>
    expect(valued(change("self", "oldSelf"), now, was)).toBe(holds),
  );
});
