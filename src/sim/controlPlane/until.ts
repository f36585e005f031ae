import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Processes } from "./processes.ts";

const pollMs = 100;
const tailBytes = 3_000;

/** A program that is being waited for. */
export interface Awaited {
  readonly name: string;
  readonly logFile: string;
  readonly processes: Processes;
}

const tailOf = async (file: string): Promise<string> => {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.slice(-tailBytes).trim();
};

/**
 * Resolves when `check` says true. A check that throws says false. Fails when the program ends or the time is over,
 * with the end of its log.
 */
export const until = async (program: Awaited, timeoutMs: number, check: () => Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + timeoutMs;
  while (!(await check().catch(() => false))) {
    const how = program.processes.ended(program.name);
    const why = how !== undefined ? `ended with ${how}` : `was not ready after ${timeoutMs / 1000} s`;
    if (how !== undefined || Date.now() > deadline)
      throw new Error(`${program.name} ${why}. The end of its log:\n${await tailOf(program.logFile)}`);
    await sleep(pollMs);
  }
};
