import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { errorCodes } from "../../src/core/azureErrorCodes.ts";
import { backoffOf, backoffSeconds, backoffs, isLasting, type WakeKeys, wakeOf } from "../../src/core/backoff.ts";
import { heldBack } from "../../src/core/heldBack.ts";
import { nextTry } from "../../src/core/nextTry.ts";
import { isWoken, stillWaits } from "../../src/core/patience.ts";
import type { Backoff } from "../../src/core/resourceRow.ts";
import type { FailureClass } from "../../src/core/types.ts";

/** Without spread. */
const plain = (kind: FailureClass, attempts: number): number => backoffSeconds({ kind, code: "" }, attempts, 0.5);
const upTo = (kind: FailureClass, attempts: number): number =>
  Array.from({ length: attempts }, (_, at) => plain(kind, at + 1)).reduce((sum, seconds) => sum + seconds, 0);

describe("the next try", () => {
  const failure = { kind: "transient", code: "InternalServerError", message: "" } as const;
  const now = { nowMs: 1_000, random0to1: 0.5 };
  const first = nextTry(undefined, { planHash: "p" }, failure, now);
  it("comes later each time as long as the plan is the same", () => {
    const second = nextTry(first, { planHash: "p" }, failure, now);
    expect([first, second].map(({ attempt, untilMs }) => [attempt, untilMs])).toEqual([
      [1, 6_000],
      [2, 11_000],
    ]);
    expect(nextTry(second, { planHash: "other" }, failure, now)).toMatchObject({ attempt: 1, untilMs: 6_000 });
  });
  it("comes no sooner than Azure says", () =>
    expect(nextTry(undefined, { planHash: "p" }, { ...failure, retryAfterSeconds: 90 }, now).untilMs).toBe(91_000));
  it("of what was held back and never sent is at its time, and no further attempt", () =>
    expect(nextTry(first, { planHash: "p" }, heldBack("writes", 31_000, 1_000), now)).toMatchObject({
      attempt: 1,
      untilMs: 31_000,
    }));
  it("waits for its own plan only", () => {
    expect(stillWaits(first, { planHash: "p" }, 5_999)).toBe(true);
    expect(stillWaits(first, { planHash: "p" }, 6_000)).toBe(false);
    expect(stillWaits(first, { planHash: "other" }, 5_999)).toBe(false);
  });
});

describe("back-off", () => {
  it("doubles up to an hour", () =>
    expect([1, 2, 3, 4, 20].map((attempts) => plain("transient", attempts))).toEqual([5, 10, 20, 40, 3600]));
  it("of a conflict stays between 5 and 30 s for ten minutes, then doubles", () => {
    expect([1, 2, 3, 4, 22].map((attempts) => plain("conflict", attempts))).toEqual([5, 10, 20, 30, 30]);
    expect(upTo("conflict", 22)).toBeGreaterThanOrEqual(600);
    expect([23, 24, 40].map((attempts) => plain("conflict", attempts))).toEqual([60, 120, 3600]);
  });
  it("A42: of what is in use stays between 5 s and 2 min for ten minutes, then slows down; an hour at once was wrong", () => {
    expect([1, 2, 3, 4, 5, 6, 9].map((attempts) => plain("dependency", attempts))).toEqual([
      5, 10, 20, 40, 80, 120, 120,
    ]);
    expect(upTo("dependency", 9)).toBeGreaterThanOrEqual(600);
    expect([10, 11, 40].map((attempts) => plain("dependency", attempts))).toEqual([240, 480, 3600]);
    expect(plain("dependency", 1)).not.toBe(3600);
  });
  it.each([
    { kind: "dependency", attempts: 9, lasting: false },
    { kind: "dependency", attempts: 10, lasting: true },
    { kind: "conflict", attempts: 22, lasting: false },
    { kind: "conflict", attempts: 23, lasting: true },
    { kind: "transient", attempts: 1_000, lasting: false },
  ] as const)("after $attempts attempts, a $kind seems to last: $lasting", ({ kind, attempts, lasting }) =>
    expect(isLasting({ failure: { kind, code: "" }, attempt: attempts })).toBe(lasting),
  );
  it("A68: of capacity is three minutes to an hour, of a size that is not offered and of a quota an hour", () => {
    const first = (kind: FailureClass, code: string) => backoffSeconds({ kind, code }, 1, 0.5);
    expect(first("capacity", "AllocationFailed")).toBe(180);
    expect(plain("capacity", 9)).toBe(3600);
    expect(first("capacity", "SkuNotAvailable")).toBe(3600);
    expect(first("quota", "OperationNotAllowed")).toBe(3600);
    expect(first("conflict", "OperationNotAllowed")).toBe(5);
  });
  it("is spread by the dice, at least a second, at most an hour", () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...(Object.keys(backoffs) as FailureClass[])),
        fc.integer({ min: -1, max: 10_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom("", "SomethingNew", ...errorCodes.keys()),
        (kind, attempts, dice, code) => {
          const seconds = backoffSeconds({ kind, code }, attempts, dice);
          expect(seconds).toBeGreaterThanOrEqual(1);
          expect(seconds).toBeLessThanOrEqual(3600);
        },
      ),
    ));
  it("differs between two that failed together", () =>
    expect(backoffSeconds({ kind: "capacity", code: "" }, 1, 0)).toBeLessThan(
      backoffSeconds({ kind: "capacity", code: "" }, 1, 1),
    ));
});

describe("what wakes early", () => {
  const keys: WakeKeys = { retry: "", identity: "i", dependencies: "d", siblings: "s" };
  it.each<{ readonly kind: FailureClass; readonly code: string; readonly by: readonly (keyof WakeKeys)[] }>([
    { kind: "auth", code: "AADSTS7000222", by: ["retry", "identity"] },
    { kind: "dependency", code: "InUseSubnetCannotBeDeleted", by: ["retry", "siblings", "dependencies"] },
    { kind: "gone", code: "ParentResourceNotFound", by: ["retry", "siblings"] },
    { kind: "badConfiguration", code: "InvalidResourceReference", by: ["retry", "siblings", "dependencies"] },
    { kind: "badConfiguration", code: "SecurityRuleConflict", by: ["retry", "dependencies"] },
    { kind: "conflict", code: "ReferencedResourceNotProvisioned", by: ["retry", "siblings"] },
    { kind: "conflict", code: "AnotherOperationInProgress", by: ["retry"] },
    { kind: "quota", code: "QuotaExceeded", by: ["retry"] },
    { kind: "policy", code: "ScopeLocked", by: ["retry"] },
    { kind: "transient", code: "Http500", by: ["retry"] },
  ])("$kind $code by $by alone", ({ kind, code, by }) => {
    const failure = { kind, code, message: "no" };
    const backoff: Backoff = { planHash: "p", untilMs: 100, attempt: 1, failure, wake: wakeOf(failure, keys) };
    for (const key of ["retry", "identity", "dependencies", "siblings"] as const) {
      const trial = { planHash: "p", wakes: { ...keys, [key]: "another" } };
      expect(isWoken(backoff, trial), key).toBe(by.includes(key));
      expect(stillWaits(backoff, trial, 50), key).toBe(!by.includes(key));
    }
    expect(stillWaits(backoff, { planHash: "another", wakes: keys }, 50)).toBe(false);
    expect(stillWaits(backoff, { planHash: "p", wakes: keys }, 100)).toBe(false);
    expect(stillWaits(backoff, { planHash: "p", wakes: keys }, 99)).toBe(true);
  });
  it("rows of older releases wait without", () => {
    const failure = { kind: "auth", code: "AuthorizationFailed", message: "no" } as const;
    const backoff: Backoff = { planHash: "p", untilMs: 100, attempt: 1, failure };
    expect(stillWaits(backoff, { planHash: "p", wakes: keys }, 50)).toBe(true);
  });
  it("a code has a back-off of its own only as long as its words make no other class of it", () => {
    expect(backoffOf({ kind: "dependency", code: "NicReservedForAnotherVm" })).toMatchObject({ firstSeconds: 60 });
    expect(backoffOf({ kind: "transient", code: "NicReservedForAnotherVm" })).toEqual(backoffs.transient);
  });
});
