import type { Clock } from "../../ports.ts";

/** Time that goes on only when it is told to; everything of one in-memory world hangs on it. */
export interface VirtualClock extends Clock {
  /** Milliseconds since the epoch of this world. */
  nowMs(): number;
  /** When the next sleeper wakes up; undefined when nobody sleeps. */
  nextWakeMs(): number | undefined;
  /** Goes on to that time, never back, and wakes who is due. */
  advanceTo(ms: number): void;
}

interface Sleeper {
  readonly untilMs: number;
  readonly wake: () => void;
}

/** Starts at the given time; default 2026-01-01T00:00:00Z. */
export const virtualClock = (startMs = Date.UTC(2026, 0, 1)): VirtualClock => {
  let now = startMs;
  let sleepers: readonly Sleeper[] = [];
  return {
    nowMs: () => now,
    monotonicMs: () => now,
    nextWakeMs: () => (sleepers.length === 0 ? undefined : Math.min(...sleepers.map(({ untilMs }) => untilMs))),
    sleep: (ms) =>
      new Promise((wake) => {
        sleepers = [...sleepers, { untilMs: now + ms, wake }];
      }),
    advanceTo: (ms) => {
      now = Math.max(now, ms);
      const due = sleepers.filter(({ untilMs }) => untilMs <= now);
      sleepers = sleepers.filter(({ untilMs }) => untilMs > now);
      for (const { wake } of due) wake();
    },
  };
};
