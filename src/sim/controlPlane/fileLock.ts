import { mkdir, open, readFile, rm, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const heartbeatMs = 5_000;
/** A holder touches its lock every five seconds; one this old is of a process that is gone or hangs. */
const staleMs = 60_000;
const pollMs = 250;

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
};

const isStale = async (path: string): Promise<boolean> => {
  const [text, stats] = await Promise.all([readFile(path, "utf8"), stat(path)]);
  if (Date.now() - stats.mtimeMs > staleMs) return true;
  const [pid, host] = text.trim().split(" ");
  // An empty file is a lock whose holder has not yet written its name.
  return pid !== undefined && pid !== "" && host === hostname() && !alive(Number(pid));
};

const tryTake = async (path: string): Promise<boolean> => {
  try {
    const file = await open(path, "wx");
    await file.writeFile(`${process.pid} ${hostname()}\n`);
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  // The holder may give the lock up between these steps: then it is simply not stale, and the next try takes it.
  if (await isStale(path).catch(() => false)) await rm(path, { force: true });
  return false;
};

/**
 * Runs `work` while holding the lock file `path`; waits for another holder, calling `waiting` once when it has to.
 * Two waiters that meet a stale lock at the same instant may both go on: what is done under the lock must therefore be
 * safe to do twice, and the lock only saves the work.
 */
export const withFileLock = async <T>(path: string, waiting: () => void, work: () => Promise<T>): Promise<T> => {
  await mkdir(dirname(path), { recursive: true });
  for (let tries = 0; !(await tryTake(path)); tries += 1) {
    if (tries === 2) waiting();
    await sleep(pollMs);
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, heartbeatMs);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    await rm(path, { force: true });
  }
};
