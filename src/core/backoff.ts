import type { FailureClass } from "./types.ts";

/** How slowly a class of failures is tried again, and what makes it worth trying at once. */
export interface Backoff {
  readonly firstSeconds: number;
  /** The delay doubles up to this while the failure is fresh. */
  readonly freshCapSeconds: number;
  /** So many attempts count as fresh; afterwards the delay doubles again, up to an hour. */
  readonly freshAttempts: number;
  /** `spec`: a change of the object or of what it depends on; `identity`: a change of identity or secret. */
  readonly wakes: readonly ("spec" | "identity")[];
}

const hour = 3600;
const doubling = (firstSeconds: number, wakes: Backoff["wakes"] = ["spec"]): Backoff => ({
  firstSeconds,
  freshCapSeconds: hour,
  freshAttempts: Number.POSITIVE_INFINITY,
  wakes,
});

/** Back-off by class (design section 9). Whoever retries by hand wakes every class. */
export const backoffs: Readonly<Record<FailureClass, Backoff>> = Object.freeze({
  transient: doubling(5),
  throttled: doubling(15),
  capacity: doubling(180),
  quota: doubling(900),
  policy: doubling(120),
  auth: doubling(30, ["spec", "identity"]),
  // 5, 10, 20 and nineteen times 30 seconds: ten minutes.
  conflict: { firstSeconds: 5, freshCapSeconds: 30, freshAttempts: 22, wakes: ["spec"] },
  // 5, 10, 20, 40 and nine times 60 seconds: ten minutes.
  dependency: { firstSeconds: 5, freshCapSeconds: 60, freshAttempts: 13, wakes: ["spec"] },
  badConfiguration: doubling(60),
  gone: doubling(10),
});

const baseSeconds = ({ firstSeconds, freshCapSeconds, freshAttempts }: Backoff, attempts: number): number =>
  attempts <= freshAttempts
    ? Math.min(freshCapSeconds, firstSeconds * 2 ** (attempts - 1))
    : Math.min(hour, freshCapSeconds * 2 ** (attempts - freshAttempts));

/**
 * Seconds until the next attempt after `attempts` failures in a row (1 or more): exponential, never above an hour, spread
 * by a quarter in both directions so that many objects do not come back together. A Retry-After of Azure is the caller's
 * lower bound. `random0to1` is the dice, passed in.
 */
export const backoffSeconds = (kind: FailureClass, attempts: number, random0to1: number): number => {
  const spread = 0.75 + 0.5 * random0to1;
  return Math.max(1, Math.min(hour, Math.round(baseSeconds(backoffs[kind], Math.max(1, attempts)) * spread)));
};
