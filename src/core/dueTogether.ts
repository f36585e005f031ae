/** What comes so soon after the first is waited for, in ms. */
const leastMs = 1_000;
/** Or so much of the time until the first, if that is more. */
const share = 0.1;

/**
 * When to come back, in ms, for several things that each have an earliest time: once for all that follow shortly after the first.
 * Nothing is looked at before its own time, and nothing waits longer than a second or a tenth of the first one's time
 * because of it. At least one time is given.
 */
export const dueTogether = (timesMs: readonly number[], nowMs: number): number => {
  const firstMs = Math.min(...timesMs);
  const untilMs = firstMs + Math.max(leastMs, share * (firstMs - nowMs));
  return Math.max(...timesMs.filter((timeMs) => timeMs <= untilMs));
};
