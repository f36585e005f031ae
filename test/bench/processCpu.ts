import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";

const ticksPerSecond = (): number => Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** CPU time that a process has used in all its threads, user and system, in ms (Linux only; resolution 10 ms). */
export const processCpuMs = async (pid: number): Promise<number> => {
  const text = await readFile(`/proc/${pid}/stat`, "utf8");
  // The name of the program, in brackets, may hold blanks. User and system time are fields 14 and 15 of all.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond();
};
