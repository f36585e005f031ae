import { backoffSeconds, wakeOf } from "./backoff.ts";
import { isHeldBack } from "./heldBack.ts";
import type { Trial } from "./patience.ts";
import type { Backoff } from "./resourceRow.ts";
import type { Failure } from "./types.ts";

/** Nothing was sent, so nothing was tried. */
const isNoAttempt = (failure: Failure): boolean => failure.sharedUntilMs !== undefined || isHeldBack(failure);

/**
 * The wait after a failure: by its class and code, longer each time as long as the plan is the same, and never shorter than
 * Azure says. What was held back was no attempt: it waits for its time, and no longer. It stands on the row: nothing but
 * another plan, what wakes it, or its end ends it.
 */
export const nextTry = (
  before: Backoff | undefined,
  { planHash, wakes }: Trial,
  failure: Failure,
  { nowMs, random0to1 }: { readonly nowMs: number; readonly random0to1: number },
): Backoff => {
  const tried = before?.planHash === planHash ? before.attempt : 0;
  const attempt = isNoAttempt(failure) ? tried : tried + 1;
  const toldMs = 1_000 * (failure.retryAfterSeconds ?? 0);
  const ownMs = isNoAttempt(failure) ? 0 : 1_000 * backoffSeconds(failure, attempt, random0to1);
  const untilMs = failure.sharedUntilMs ?? nowMs + Math.max(toldMs, ownMs);
  return { planHash, untilMs, attempt, failure, ...(wakes !== undefined && { wake: wakeOf(failure, wakes) }) };
};
