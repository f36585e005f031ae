import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Whether a process of this id exists, ours or another user's. */
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

/**
 * Takes a directory for this process and returns how to give it back. The lock of a process that was killed does not
 * count. Throws when another living process holds it: two writers would destroy each other's journal.
 */
export const lockDirectory = async (directory: string): Promise<() => Promise<void>> => {
  await mkdir(directory, { recursive: true });
  const file = join(directory, "lock");
  const holder = Number(await readFile(file, "utf8").catch(() => ""));
  // The own id is no other process: in a container the successor of a killed broker often has its predecessor's.
  if (Number.isInteger(holder) && holder > 0 && holder !== process.pid && isAlive(holder))
    throw new Error(`The journal directory ${directory} is in use by process ${holder}.`);
  await writeFile(file, String(process.pid));
  return () => rm(file, { force: true });
};
