import { Cron } from "croner";
import { ok, type Parsed, problem } from "./parsed.ts";

/** When a timer is due. */
export interface Schedule {
  readonly expression: string;
  /** The first due time after `afterMs`, or undefined when there is none. */
  nextMs(afterMs: number): number | undefined;
}

/**
 * Reads an NCRONTAB expression: six fields, the first is seconds, or five without it; in UTC. Day of month and day of
 * week must both match. https://learn.microsoft.com/azure/azure-functions/functions-bindings-timer#ncrontab-expressions
 */
export const parseSchedule = (expression: string): Parsed<Schedule> => {
  if (!/^(\S+\s+){4,5}\S+$/.test(expression.trim())) return problem(`"${expression}" is not an NCRONTAB expression`);
  try {
    const cron = new Cron(expression, { paused: true, timezone: "UTC", mode: "5-or-6-parts", domAndDow: true });
    return ok({ expression, nextMs: (afterMs) => cron.nextRun(new Date(afterMs))?.getTime() });
  } catch (error) {
    return problem(`"${expression}" is not an NCRONTAB expression: ${error instanceof Error ? error.message : ""}`);
  }
};
