import type { Operation } from "./types.ts";

const firstMs = 5_000;
const longestMs = 60_000;
/** Of the time that it has lasted: what takes minutes is not asked for each second, though Azure would allow it. */
const shareTold = 1 / 8;
const longestToldMs = 10_000;

/** How long something has been going on, and what Azure said of when to look again. */
export interface Waiting {
  /** By Retry-After; absent when Azure does not say. */
  readonly toldSeconds?: number;
  /** Since it began, in ms. */
  readonly forMs: number;
  /** The dice, passed in. */
  readonly random0to1: number;
}

const between = (leastMs: number, ms: number, mostMs: number): number => Math.min(mostMs, Math.max(leastMs, ms));

/**
 * Milliseconds until the next look at something that Azure works on. Retry-After is never undercut; a short one grows to
 * 10 s while it lasts. Without it: 5 s at first, then a quarter of the time that it has lasted, at most a minute, so that
 * forty minutes take some fifty looks. Up to a tenth is added, so that many objects do not come back together.
 */
export const nextLookMs = ({ toldSeconds, forMs, random0to1 }: Waiting): number => {
  const base =
    toldSeconds === undefined
      ? between(firstMs, forMs / 4, longestMs)
      : Math.max(toldSeconds * 1_000, between(0, forMs * shareTold, longestToldMs));
  return Math.round(base * (1 + 0.1 * random0to1));
};

/** What an answer says of an operation that goes on. */
export interface StillRunning {
  readonly operation: Operation;
  readonly retryAfterSeconds: number;
  /** Azure did not say when to look again. */
  readonly guessed?: boolean;
}

/** The operation with its next poll. Azure may have moved the place to poll; when it began is known here alone. */
export const polledLater = (
  { operation, retryAfterSeconds, guessed }: StillRunning,
  { startedMs }: Operation,
  nowMs: number,
  random0to1: number,
): Operation => {
  const told = guessed === true ? {} : { toldSeconds: retryAfterSeconds };
  const notBeforeMs = nowMs + nextLookMs({ ...told, forMs: nowMs - startedMs, random0to1 });
  return { ...operation, startedMs, notBeforeMs };
};
