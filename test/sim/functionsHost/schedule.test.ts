import { describe, expect, it } from "vitest";
import { parseSchedule } from "../../../src/sim/functionsHost/schedule.ts";

const next = (expression: string, after: string): string | undefined => {
  const parsed = parseSchedule(expression);
  if (parsed.kind === "problems") return undefined;
  const ms = parsed.value.nextMs(Date.parse(after));
  return ms === undefined ? undefined : new Date(ms).toISOString();
};

describe("parseSchedule", () => {
  it.each([
    ["0 */5 * * * *", "2026-03-01T10:02:30Z", "2026-03-01T10:05:00.000Z"],
    ["0 */5 * * * *", "2026-03-01T10:05:00Z", "2026-03-01T10:10:00.000Z"],
    ["*/15 * * * * *", "2026-03-01T10:00:01Z", "2026-03-01T10:00:15.000Z"],
    ["30 3 * * *", "2026-03-28T23:00:00Z", "2026-03-29T03:30:00.000Z"],
    ["0 0 9 * * 1-5", "2026-02-28T12:00:00Z", "2026-03-02T09:00:00.000Z"],
    ["0 0 9 * JAN SUN", "2026-03-01T00:00:00Z", "2027-01-03T09:00:00.000Z"],
    // Both must match: the next Friday that is a 13th.
    ["0 0 0 13 * 5", "2026-03-14T00:00:00Z", "2026-11-13T00:00:00.000Z"],
  ])("%s after %s is %s", (expression, after, due) => expect(next(expression, after)).toBe(due));

  it.each(["", "* * *", "* * * * * * *", "61 * * * * *", "00:05:00", "@daily", "2026-01-01T00:00:00"])(
    "refuses %j",
    (expression) =>
      expect(parseSchedule(expression)).toEqual({
        kind: "problems",
        problems: [expect.stringContaining("is not an NCRONTAB expression")],
      }),
  );
});
