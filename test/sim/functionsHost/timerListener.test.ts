import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parseSchedule, type Schedule } from "../../../src/sim/functionsHost/schedule.ts";
import { startTimer, type TimerListener } from "../../../src/sim/functionsHost/timerListener.ts";

const every = (expression: string): Schedule => {
  const parsed = parseSchedule(expression);
  if (parsed.kind === "problems") throw new Error(parsed.problems.join());
  return parsed.value;
};

describe("startTimer", () => {
  const runs: string[] = [];
  let listener: TimerListener | undefined;
  const start = (expression: string, takesMs: number, runOnStartup = false): void => {
    listener = startTimer(every(expression), runOnStartup, async (isPastDue) => {
      runs.push(`${new Date().toISOString().slice(11, 19)}${isPastDue ? " late" : ""}`);
      await new Promise((resolve) => setTimeout(resolve, takesMs));
    });
  };
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.parse("2026-05-04T10:00:00.500Z") });
    runs.length = 0;
  });
  afterEach(() => {
    listener?.stop();
    vi.useRealTimers();
  });

  it("runs when due, and not before", async () => {
    start("*/10 * * * * *", 0);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(runs).toEqual(["10:00:10", "10:00:20", "10:00:30"]);
  });

  it("waits longer than a day", async () => {
    start("0 0 12 1 6 *", 0);
    await vi.advanceTimersByTimeAsync(29 * 86_400_000);
    expect(runs).toEqual(["12:00:00"]);
  });

  it("never overlaps, and makes up for all that was missed once", async () => {
    start("*/10 * * * * *", 25_000);
    await vi.advanceTimersByTimeAsync(80_000);
    expect(runs).toEqual(["10:00:10", "10:00:35 late", "10:01:00 late"]);
  });

  it("can run at the start", async () => {
    start("*/10 * * * * *", 0, true);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(runs).toEqual(["10:00:00", "10:00:10"]);
  });

  it("runs no more once stopped", async () => {
    start("*/10 * * * * *", 5_000);
    await vi.advanceTimersByTimeAsync(12_000);
    listener?.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runs).toEqual(["10:00:10"]);
  });
});
