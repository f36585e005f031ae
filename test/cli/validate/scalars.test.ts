import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { kubectlScalars } from "../../../src/cli/validate/scalars.ts";

/** As `kubectl` 1.36 reads `a: WORD`, tried with its own YAML library. */
describe("plain words", () => {
  it.each([
    ...["yes", "y", "Y", "on", "On", "TRUE", "true"].map((word) => ({ word, value: true })),
    ...["no", "N", "off", "Off", "False"].map((word) => ({ word, value: false })),
    ...[
      "yEs",
      "oN",
      "tRUE",
      "60:30",
      "2020-01-01",
      "0o9",
      "_1",
      "1e400",
      "v1.30",
      "1.2.3",
      "10.0.0.0/8",
      "0x",
      "=",
    ].map((word) => ({ word, value: word })),
    { word: "~", value: null },
    { word: "0o17", value: 15 },
    { word: "017", value: 15 },
    { word: "-017", value: -15 },
    { word: "09", value: 9 },
    { word: "0x1F", value: 31 },
    { word: "0b11", value: 3 },
    { word: "1_000", value: 1000 },
    { word: "1.30", value: 1.3 },
    { word: "1e3", value: 1000 },
    { word: "+1", value: 1 },
    { word: ".5", value: 0.5 },
    { word: "5.", value: 5 },
    { word: "'yes'", value: "yes" },
    { word: '"017"', value: "017" },
    { word: "!!str yes", value: "yes" },
    { word: "!!binary aGVsbG8=", value: "hello" },
  ])("$word is $value", ({ word, value }) =>
    expect(parse(`a: ${word}\n`, { schema: "core", customTags: kubectlScalars })).toEqual({ a: value }),
  );

  it("are keys too", () =>
    expect(parse("y: 1\n017: 2\n", { schema: "core", customTags: kubectlScalars })).toEqual({ true: 1, 15: 2 }));
});
