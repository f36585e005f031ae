import type { LogLevel } from "./rpc.ts";

/** Writes one line: a constant sentence and its fields. */
export type Log = (level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>) => void;

/** One JSON line an entry, to the stream that `write` chooses at that moment. */
export const createLog =
  (write: (line: string) => void, nowMs: () => number): Log =>
  (level, message, fields = {}) =>
    write(`${JSON.stringify({ time: new Date(nowMs()).toISOString(), level, message, ...fields })}\n`);
