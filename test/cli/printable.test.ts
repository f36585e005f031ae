import { describe, expect, it } from "vitest";
import { printable } from "../../src/cli/printable.ts";

describe("what others wrote, on a terminal", () => {
  it.each([
    ["an escape sequence", "\u001b[2J", "\\u001b[2J"],
    ["the one-character introducer of a sequence", "\u009b2J", "\\u009b2J"],
    ["the end of a line", "a\nb", "a\\u000ab"],
    ["a line separator", "a\u2028b", "a\\u2028b"],
    ["letters of any language", "né日本", "né日本"],
  ])("is harmless: %s", (_, text, shown) => {
    expect(printable(text)).toBe(shown);
  });
});
