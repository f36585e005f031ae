import type { Failure } from "./types.ts";

/** Nothing was sent, because Azure has said that it takes nothing now, or little: no attempt, and no answer either. */
const code = "HeldBack";

export const isHeldBack = (failure: Pick<Failure, "code"> | undefined): boolean => failure?.code === code;

/** The words say nothing that changes from one time to the next, so that being held back again is no news. */
export const heldBack = (what: string, untilMs: number, nowMs: number): Failure => ({
  kind: "throttled",
  code,
  message: `Azure takes few ${what} of this identity in this subscription now; it goes on by itself`,
  status: 429,
  retryAfterSeconds: Math.max(0, untilMs - nowMs) / 1_000,
});
