import { setTimeout as sleep } from "node:timers/promises";

/** A number from 0 up to 1: the dice, passed in. */
export type Random = () => number;

/** Exponential back-off after `failures` failures in a row (1 is the first), with a spread of a quarter either way. */
export const backoffMs = (failures: number, firstMs: number, mostMs: number, random: Random): number =>
  Math.min(mostMs, firstMs * 2 ** Math.min(30, failures - 1)) * (0.75 + random() / 2);

/** Resolves after so long, or when the signal aborts. */
export const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
};

/** Whether to say so at this failure of a row: ever more seldom, so that a long outage does not fill the log. */
export const isWorthTelling = (failures: number): boolean => (failures & (failures - 1)) === 0;
