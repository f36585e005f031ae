import type { Failure } from "../../core/types.ts";

/** Nothing was sent, because Azure has said that it takes nothing now, or little: no attempt, and no answer either. */
export const heldBackCode = "HeldBack";

export const isHeldBack = ({ code }: Pick<Failure, "code">): boolean => code === heldBackCode;

/** The words say nothing that changes from one time to the next, so that being held back again is no news. */
export const heldBack = (what: string, untilMs: number, nowMs: number): Failure => ({
  kind: "throttled",
  code: heldBackCode,
  message: `Azure takes few ${what} now; it goes on by itself`,
  status: 429,
  retryAfterSeconds: Math.max(0, untilMs - nowMs) / 1_000,
});
