import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutText } from "../../src/core/cutText.ts";

describe("cutting a text", () => {
  it.each([
    { text: "abc", most: 3, cut: "abc" },
    { text: "abcd", most: 3, cut: "ab…" },
    { text: "😀😀", most: 4, cut: "😀😀" },
    { text: "😀😀", most: 3, cut: "😀…" },
    { text: "😀😀", most: 2, cut: "…" },
    { text: "a😀", most: 2, cut: "a…" },
    { text: "", most: 1, cut: "" },
    { text: "a\ud83d", most: 9, cut: "a\ufffd" },
  ])("$text to $most", ({ text, most, cut }) => expect(cutText(text, most)).toBe(cut));

  it("is never longer than it may be, never half a character, and the beginning of the text", () =>
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 12 }), (text, most) => {
        const cut = cutText(text, most);
        expect(cut.length).toBeLessThanOrEqual(most);
        expect(cut.isWellFormed()).toBe(true);
        expect(text.toWellFormed().startsWith(cut.endsWith("…") && cut !== text ? cut.slice(0, -1) : cut)).toBe(true);
      }),
    ));
});
