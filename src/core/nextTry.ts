import { backoffSeconds } from "./backoff.ts";
import { isHeldBack } from "./heldBack.ts";
import type { Backoff } from "./resourceRow.ts";
import type { Failure } from "./types.ts";

/**
 * The wait after a failure: by its class, longer each time as long as the plan is the same, and never shorter than Azure
 * says. What was held back was no attempt: it waits for its time, and no longer.
 */
export const nextTry = (
  before: Backoff | undefined,
  planHash: string,
  failure: Failure,
  { nowMs, random0to1 }: { readonly nowMs: number; readonly random0to1: number },
): Backoff => {
  const tried = before?.planHash === planHash ? before.attempt : 0;
  const toldMs = 1_000 * (failure.retryAfterSeconds ?? 0);
  if (isHeldBack(failure)) return { planHash, untilMs: nowMs + toldMs, attempt: tried, failure };
  const attempt = tried + 1;
  const waitMs = Math.max(toldMs, 1_000 * backoffSeconds(failure.kind, attempt, random0to1));
  return { planHash, untilMs: nowMs + waitMs, attempt, failure };
};
