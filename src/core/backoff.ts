import type { Pace, Wake } from "./azureErrorCodes/errorCode.ts";
import { errorCodeOf } from "./azureErrorCodes.ts";
import { hashOf } from "./hash.ts";
import type { Failure, FailureClass } from "./types.ts";

/** How slowly a class of failures is tried again, and what makes it worth trying at once. */
export interface Backoff extends Pace {
  readonly wakes: readonly Wake[];
}

const hour = 3600;
const doubling = (firstSeconds: number, wakes: Backoff["wakes"] = []): Backoff => ({
  firstSeconds,
  freshCapSeconds: hour,
  freshAttempts: Number.POSITIVE_INFINITY,
  wakes,
});

/** Back-off by class (design section 9). Another plan and a person's `retry` wake every class. */
export const backoffs: Readonly<Record<FailureClass, Backoff>> = Object.freeze({
  transient: doubling(5),
  throttled: doubling(15),
  capacity: doubling(180),
  quota: doubling(hour),
  policy: doubling(300),
  auth: doubling(30, ["identity"]),
  // 5, 10, 20 and nineteen times 30 seconds: ten minutes.
  conflict: { firstSeconds: 5, freshCapSeconds: 30, freshAttempts: 22, wakes: [] },
  // 5, 10, 20, 40, 80 and four times 120 seconds: ten minutes.
  dependency: { firstSeconds: 5, freshCapSeconds: 120, freshAttempts: 9, wakes: ["siblings", "dependencies"] },
  badConfiguration: doubling(60, ["dependencies"]),
  gone: doubling(10, ["siblings"]),
});

type Told = Pick<Failure, "kind" | "code">;

/** The back-off of one failure: that of its class, with what its code has of its own. */
export const backoffOf = ({ kind, code }: Told): Backoff => {
  const own = errorCodeOf(code);
  // Words may have made another class of it; then the code's own back-off is not meant.
  if (own?.kind !== kind) return backoffs[kind];
  return { ...backoffs[kind], ...own.pace, ...(own.wakes !== undefined && { wakes: own.wakes }) };
};

const baseSeconds = ({ firstSeconds, freshCapSeconds, freshAttempts }: Pace, attempts: number): number =>
  attempts <= freshAttempts
    ? Math.min(freshCapSeconds, firstSeconds * 2 ** (attempts - 1))
    : Math.min(hour, freshCapSeconds * 2 ** (attempts - freshAttempts));

/**
 * Seconds until the next attempt after `attempts` failures in a row (1 or more): exponential, never above an hour, spread
 * by a quarter in both directions so that many objects do not come back together. A Retry-After of Azure is the caller's
 * lower bound. `random0to1` is the dice, passed in.
 */
export const backoffSeconds = (failure: Told, attempts: number, random0to1: number): number => {
  const spread = 0.75 + 0.5 * random0to1;
  return Math.max(1, Math.min(hour, Math.round(baseSeconds(backoffOf(failure), Math.max(1, attempts)) * spread)));
};

/**
 * Whether something has been in the way for so long that it does not seem to pass by itself: all attempts that its class
 * makes in quick succession are over, ten minutes for what others use or work on. Never of classes without such attempts.
 */
export const isLasting = ({ failure, attempt }: { readonly failure: Told; readonly attempt: number }): boolean =>
  attempt > backoffOf(failure).freshAttempts;

/** What may end a back-off early, each as a text that is another one when it has changed. */
export interface WakeKeys extends Readonly<Record<Wake, string>> {
  /** A person's last `retry`; it wakes every class. */
  readonly retry: string;
}

/** What a back-off remembers of its surroundings: when this is another text, it is over. */
export const wakeOf = (failure: Told, keys: WakeKeys): string =>
  hashOf([keys.retry, ...backoffOf(failure).wakes.map((wake) => keys[wake])]);
