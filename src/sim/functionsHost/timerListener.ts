import type { TypedData } from "./rpc.ts";
import type { Schedule } from "./schedule.ts";

/** Longest wait in one piece: Node's timers hold at most 2^31 - 1 ms, and a suspended machine should notice soon. */
const longestWaitMs = 60_000;
/** Later than this counts as past due. */
const lateMs = 1_000;

export interface TimerListener {
  stop(): void;
}

/**
 * Calls `run` when the schedule says so, never twice at once: a time that passes during a run is made up for by one run
 * at its end, told that it is past due. Times before the start are not made up for; nothing remembers them.
 */
export const startTimer = (
  schedule: Schedule,
  runOnStartup: boolean,
  run: (isPastDue: boolean) => Promise<void>,
): TimerListener => {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const fire = async (dueMs: number): Promise<void> => {
    const startedMs = Date.now();
    await run(startedMs - dueMs > lateMs);
    // Node's timers may fire a moment early: the due time itself must not come out again.
    if (!stopped) plan(schedule.nextMs(Math.max(startedMs, dueMs)));
  };
  const plan = (dueMs: number | undefined): void => {
    if (dueMs === undefined || stopped) return;
    const waitMs = dueMs - Date.now();
    if (waitMs > longestWaitMs) timer = setTimeout(() => plan(dueMs), longestWaitMs);
    else timer = setTimeout(() => void fire(dueMs), Math.max(0, waitMs));
  };
  if (runOnStartup) void fire(Date.now());
  else plan(schedule.nextMs(Date.now()));
  return {
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
};

/** The input of a timer function; the library turns the names to camel case. */
export const timerInput = (schedule: Schedule, isPastDue: boolean, nowMs: number): TypedData => {
  const now = new Date(nowMs).toISOString();
  const next = schedule.nextMs(nowMs);
  return {
    json: JSON.stringify({
      Schedule: { AdjustForDST: true },
      ScheduleStatus: { Last: now, Next: next === undefined ? now : new Date(next).toISOString(), LastUpdated: now },
      IsPastDue: isPastDue,
    }),
  };
};
