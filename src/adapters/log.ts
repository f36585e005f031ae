import type { Log } from "../ports.ts";

/** From the quietest to the most talkative. */
export const logLevels = ["error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * One JSON line for each entry at or above a level: time, level and message first, then the fields that have a value. A
 * field cannot take the place of one of the three.
 * @param write default: standard output, where the Functions host and Kubernetes collect it
 * @param nowMs default: the machine's clock
 */
export const jsonLog = (
  level: LogLevel,
  write: (line: string) => void = (line) => process.stdout.write(line),
  nowMs: () => number = Date.now,
): Log => {
  const shown = new Set(logLevels.slice(0, logLevels.indexOf(level) + 1));
  return (entryLevel, message, fields = {}) => {
    if (!shown.has(entryLevel)) return;
    const head = { time: new Date(nowMs()).toISOString(), level: entryLevel, message };
    write(`${JSON.stringify({ ...head, ...fields, ...head })}\n`);
  };
};
