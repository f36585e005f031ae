import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { backoffSeconds, backoffs } from "../../src/core/backoff.ts";
import type { FailureClass } from "../../src/core/types.ts";

/** Without spread. */
const plain = (kind: FailureClass, attempts: number): number => backoffSeconds(kind, attempts, 0.5);
const upTo = (kind: FailureClass, attempts: number): number =>
  Array.from({ length: attempts }, (_, at) => plain(kind, at + 1)).reduce((sum, seconds) => sum + seconds, 0);

describe("back-off", () => {
  it("doubles up to an hour", () =>
    expect([1, 2, 3, 4, 20].map((attempts) => plain("transient", attempts))).toEqual([5, 10, 20, 40, 3600]));
  it("of a conflict stays between 5 and 30 s for ten minutes, then doubles", () => {
    expect([1, 2, 3, 4, 22].map((attempts) => plain("conflict", attempts))).toEqual([5, 10, 20, 30, 30]);
    expect(upTo("conflict", 22)).toBeGreaterThanOrEqual(600);
    expect([23, 24, 40].map((attempts) => plain("conflict", attempts))).toEqual([60, 120, 3600]);
  });
  it("of a dependency stays in seconds for ten minutes", () => {
    expect(upTo("dependency", 13)).toBeGreaterThanOrEqual(600);
    expect(plain("dependency", 13)).toBe(60);
    expect(plain("dependency", 14)).toBe(120);
  });
  it("is spread by the dice, at least a second, at most an hour", () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...(Object.keys(backoffs) as FailureClass[])),
        fc.integer({ min: -1, max: 10_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (kind, attempts, dice) => {
          const seconds = backoffSeconds(kind, attempts, dice);
          expect(seconds).toBeGreaterThanOrEqual(1);
          expect(seconds).toBeLessThanOrEqual(3600);
        },
      ),
    ));
  it("differs between two that failed together", () =>
    expect(backoffSeconds("quota", 1, 0)).toBeLessThan(backoffSeconds("quota", 1, 1)));
});
