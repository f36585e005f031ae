import { describe, expect, it } from "vitest";
import {
  everyOf,
  filled,
  given,
  listOr,
  type Part,
  present,
  someOf,
  textAt,
  textOr,
  valueOr,
} from "../../../src/api/cel/parts.ts";
import { valued } from "./valued.ts";

const absent = {};
const empty = { text: "", list: [], part: {} };
const full = { text: "a", list: ["a", "b"], flag: true, part: { text: "a" } };

/** What a part makes of what is absent, empty and full. */
const parts: readonly { readonly name: string; readonly part: Part; readonly is: readonly unknown[] }[] = [
  { name: "present", part: present("text"), is: [false, true, true] },
  { name: "present, below", part: present("part.text"), is: [false, false, true] },
  { name: "not present, below", part: (self) => `!${present("part.text")(self)}`, is: [true, true, false] },
  { name: "given", part: given("text"), is: [false, false, true] },
  { name: "given, below", part: given("part.text"), is: [false, false, true] },
  { name: "filled", part: filled("list"), is: [false, false, true] },
  { name: "textAt", part: textAt("text"), is: ["", "", "a"] },
  { name: "textOr a literal", part: textOr("part.text", "'x'"), is: ["x", "x", "a"] },
  { name: "textOr another part", part: textOr("text", textOr("part.text", "'x'")), is: ["x", "x", "a"] },
  { name: "valueOr", part: valueOr("text", "'x'"), is: ["x", "", "a"] },
  { name: "valueOr of a flag", part: valueOr("flag", "false"), is: [false, false, true] },
  { name: "listOr", part: (self) => `${listOr("list", "['x']")(self)} == ['x']`, is: [true, true, false] },
  { name: "everyOf", part: everyOf("list", "it", "it == 'a'"), is: [true, true, false] },
  { name: "someOf", part: someOf("list", "it", "it == 'a'"), is: [false, false, true] },
];

describe("a part of a rule", () => {
  it.each(parts)("$name", ({ part, is }) =>
    expect([absent, empty, full].map((object) => valued(part("self"), object))).toEqual(is),
  );
});
