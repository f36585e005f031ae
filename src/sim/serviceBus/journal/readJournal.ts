import { open } from "node:fs/promises";

/**
 * Reads a file of one JSON value a line, nothing when there is no such file. A last line that was cut off by a crash
 * is left out: its writer was never told that it is safe. Any other damage throws with the number of the line.
 */
export async function* readJournal(path: string): AsyncGenerator<unknown> {
  const file = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (!file) return;
  let number = 0;
  let damaged: number | undefined;
  for await (const line of file.readLines()) {
    number += 1;
    if (damaged !== undefined) throw new Error(`The journal ${path} is damaged in line ${damaged}.`);
    const value = parse(line);
    if (value === undefined) damaged = number;
    else yield value;
  }
}

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
};
