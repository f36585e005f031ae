import { setTimeout as sleep } from "node:timers/promises";

const everyMs = 25;

/** Asks until there is an answer. Fails with `what` after `timeoutMs`. */
export const eventually = async <T>(
  what: string,
  ask: () => Promise<T | undefined>,
  timeoutMs = 60_000,
): Promise<T> => {
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > endMs) throw new Error(`not within ${timeoutMs / 1000} s: ${what}`);
    await sleep(everyMs);
  }
};
