import { setTimeout as sleep } from "node:timers/promises";

const everyMs = 150;
/** Far longer than anything takes on an idle machine; only a failure waits so long. */
const patienceMs = 100_000;

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Looks until there is something to see, and returns it; `undefined` and `false` are nothing, and so is an exception.
 * Fails after `timeoutMs` with what was seen last.
 */
export const eventually = async <T>(
  what: string,
  look: () => Promise<T | undefined | false>,
  timeoutMs = patienceMs,
): Promise<T> => {
  const deadline = performance.now() + timeoutMs;
  let last = "nothing";
  while (performance.now() < deadline) {
    try {
      const seen = await look();
      if (seen !== undefined && seen !== false) return seen;
      last = "nothing";
    } catch (error) {
      last = textOf(error);
    }
    await sleep(everyMs);
  }
  throw new Error(`not within ${timeoutMs / 1_000} s: ${what} (last seen: ${last})`);
};
