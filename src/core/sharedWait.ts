import { Type } from "typebox";
import { Value } from "typebox/value";
import { backoffSeconds } from "./backoff.ts";
import type { Failure, JsonObject } from "./types.ts";

/** A wait that all objects share which would fail for the same cause (design section 9). A hint: its loss costs retries. */
export interface SharedWait {
  readonly failure: Failure;
  /** Since when it is known; table-service ms. */
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly attempt: number;
  /** Who tries while the others wait; a probe that dies frees itself at its end. */
  readonly probe?: { readonly nonce: string; readonly untilMs: number };
}

export type Meeting =
  | { readonly kind: "go" }
  | { readonly kind: "wait"; readonly failure: Failure }
  /** To be stored under the etag that was read; whoever succeeds may try. */
  | { readonly kind: "probe"; readonly wait: SharedWait };

/** How long a probe may take: as long as a turn has its lease. */
const probeMs = 60_000;
/** How soon the others look again whether a probe has ended. */
const soonMs = 5_000;
/** Bounds of the time after which somebody who waits looks again: not all that may end the cause is announced. */
const lookAtLeastMs = 5_000;
const lookAtMostMs = 10 * 60_000;
/** What lasts is met again within the hour, so what nobody has met for a day is over: its secret was renewed, say. */
const keptMs = 24 * 60 * 60_000;

/** Whether a wait that ended then is nobody's any more and its row may go. */
export const isForgotten = (untilMs: unknown, nowMs: number): boolean =>
  typeof untilMs === "number" && nowMs > untilMs + keptMs;

/** The same condition for everybody, and when to look again: after as long again as it has lasted, ten minutes at most. */
export const waiting = (wait: SharedWait, nowMs: number): Failure => {
  const lookMs = Math.min(lookAtMostMs, Math.max(lookAtLeastMs, nowMs - wait.sinceMs));
  const untilMs = wait.untilMs > nowMs ? wait.untilMs : Math.min(wait.probe?.untilMs ?? nowMs, nowMs + soonMs);
  return { ...wait.failure, sharedUntilMs: Math.max(nowMs + 1_000, Math.min(untilMs, nowMs + lookMs)) };
};

/** What somebody does who is about to try. `hurried`: a person asks, or has changed the plan. */
export const meet = (
  wait: SharedWait | undefined,
  { nowMs, nonce, hurried }: { readonly nowMs: number; readonly nonce: string; readonly hurried: boolean },
): Meeting => {
  if (wait === undefined) return { kind: "go" };
  const { probe } = wait;
  const isProbed = probe !== undefined && probe.untilMs > nowMs;
  if (isProbed && probe.nonce === nonce) return { kind: "go" };
  if (!hurried && (isProbed || wait.untilMs > nowMs)) return { kind: "wait", failure: waiting(wait, nowMs) };
  return { kind: "probe", wait: { ...wait, probe: { nonce, untilMs: nowMs + probeMs } } };
};

/** The wait after one more failure: longer each time that its time had come, unchanged when somebody did not wait for it. */
export const waitAfter = (
  wait: SharedWait | undefined,
  failure: Failure,
  { nowMs, random0to1 }: { readonly nowMs: number; readonly random0to1: number },
): SharedWait => {
  const { sharedUntilMs: _shared, retryAfterSeconds: _told, ...bare } = failure;
  const early = wait !== undefined && wait.untilMs > nowMs;
  const attempt = early ? wait.attempt : (wait?.attempt ?? 0) + 1;
  const toldMs = 1_000 * (failure.retryAfterSeconds ?? 0);
  const ownMs = 1_000 * backoffSeconds(failure, attempt, random0to1);
  const untilMs = early ? wait.untilMs : nowMs + Math.max(toldMs, ownMs);
  return { failure: bare, sinceMs: wait?.sinceMs ?? nowMs, untilMs, attempt };
};

const stored = Type.Object({
  failure: Type.Object({ kind: Type.String(), code: Type.String(), message: Type.String() }),
  sinceMs: Type.Number(),
  untilMs: Type.Number(),
  attempt: Type.Number(),
  probe: Type.Optional(Type.Object({ nonce: Type.String(), untilMs: Type.Number() })),
});

/** The row as the table stores it. */
export const encodeSharedWait = (
  wait: SharedWait,
): { readonly values: Readonly<Record<string, number>>; readonly packed: Readonly<Record<string, JsonObject>> } => ({
  values: { untilMs: wait.untilMs },
  // The one cast: a wait is plain data without an index signature.
  packed: { wait: wait as unknown as JsonObject },
});

/** Undefined for what has another form: a hint that cannot be read is none. */
export const decodeSharedWait = (packed: Readonly<Record<string, unknown>>): SharedWait | undefined => {
  const { wait } = packed;
  // The check covers every field that is read.
  return Value.Check(stored, wait) ? (wait as unknown as SharedWait) : undefined;
};
