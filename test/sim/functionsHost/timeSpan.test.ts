import fc from "fast-check";
import { expect, it } from "vitest";
import { parseTimeSpan } from "../../../src/sim/functionsHost/timeSpan.ts";

it.each([
  ["00:05:00", 300_000],
  ["1.02:03:04", 93_784_000],
  ["00:00:00.80", 800],
  ["-00:00:01", -1_000],
  ["00:00:60", undefined],
  ["24:00:00", undefined],
  ["5 minutes", undefined],
  ["", undefined],
])("%s is %s ms", (text, ms) => expect(parseTimeSpan(text)).toBe(ms));

it("reads every time of a day", () => {
  fc.assert(
    fc.property(fc.nat(23), fc.nat(59), fc.nat(59), (hours, minutes, seconds) => {
      const text = [hours, minutes, seconds].map((part) => String(part).padStart(2, "0")).join(":");
      expect(parseTimeSpan(text)).toBe(((hours * 60 + minutes) * 60 + seconds) * 1000);
    }),
  );
});
