import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodeSharedWait,
  encodeSharedWait,
  isForgotten,
  meet,
  type SharedWait,
  waitAfter,
  waiting,
} from "../../src/core/sharedWait.ts";
import type { Failure } from "../../src/core/types.ts";

const failure: Failure = { kind: "auth", code: "AADSTS7000222", message: "expired", status: 401 };
const at = (nowMs: number) => ({ nowMs, random0to1: 0.5 });
const first = waitAfter(undefined, failure, at(0));
const who = (nonce: string, nowMs: number, hurried = false) => ({ nonce, nowMs, hurried });

describe("a shared wait", () => {
  it("begins with the first failure and doubles with each probe that fails, up to an hour", () => {
    expect(first).toEqual({ failure, sinceMs: 0, untilMs: 30_000, attempt: 1 });
    const second = waitAfter(first, failure, at(31_000));
    expect(second).toMatchObject({ sinceMs: 0, untilMs: 91_000, attempt: 2 });
    const later = Array.from({ length: 20 }).reduce<SharedWait>(
      (wait) => waitAfter(wait, failure, at(wait.untilMs)),
      first,
    );
    expect(waitAfter(later, failure, at(later.untilMs)).untilMs - later.untilMs).toBe(3_600_000);
  });

  it("is not made longer by those who had already asked", () =>
    expect(waitAfter(first, failure, at(1_000))).toMatchObject({ untilMs: 30_000, attempt: 1 }));

  it("lets one probe when its time has come; the others wait for the end of that", () => {
    expect(meet(first, who("a", 29_999)).kind).toBe("wait");
    const probe = meet(first, who("a", 30_000));
    expect(probe).toMatchObject({ kind: "probe", wait: { probe: { nonce: "a", untilMs: 90_000 } } });
    const wait = probe.kind === "probe" ? probe.wait : first;
    expect(meet(wait, who("a", 31_000)).kind).toBe("go");
    expect(meet(wait, who("b", 31_000))).toMatchObject({ kind: "wait", failure: { sharedUntilMs: 36_000 } });
  });

  it("is freed by the end of a probe that died", () => {
    const dead: SharedWait = { ...first, probe: { nonce: "dead", untilMs: 90_000 } };
    expect(meet(dead, who("b", 89_999)).kind).toBe("wait");
    expect(meet(dead, who("b", 90_000)).kind).toBe("probe");
  });

  it("does not hold whom a person asks for, and counts that as a probe", () =>
    expect(meet(first, who("a", 1_000, true)).kind).toBe("probe"));

  it("is looked at again after as long again as it has lasted, ten minutes at most, never past its end", () => {
    const long: SharedWait = { ...first, untilMs: 3_600_000 };
    expect(waiting(long, 1_000).sharedUntilMs).toBe(6_000);
    expect(waiting(long, 100_000).sharedUntilMs).toBe(200_000);
    expect(waiting(long, 2_000_000).sharedUntilMs).toBe(2_600_000);
    expect(waiting(first, 20_000).sharedUntilMs).toBe(30_000);
  });

  it.each([
    { untilMs: 1_000, nowMs: 1_000 + 86_400_000, forgotten: false },
    { untilMs: 1_000, nowMs: 1_001 + 86_400_000, forgotten: true },
    { untilMs: undefined, nowMs: Number.MAX_SAFE_INTEGER, forgotten: false },
  ])("that ended at $untilMs is forgotten at $nowMs: $forgotten", ({ untilMs, nowMs, forgotten }) =>
    expect(isForgotten(untilMs, nowMs)).toBe(forgotten),
  );

  it("tells everybody the same, at any time, and never to come back at once", () =>
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.nat(10_000_000), fc.nat(40), (sinceMs, nowMs, attempt) => {
        const wait: SharedWait = { failure, sinceMs, untilMs: sinceMs + attempt * 100_000, attempt };
        const { sharedUntilMs = 0, ...same } = waiting(wait, nowMs);
        expect(same).toEqual(failure);
        expect(sharedUntilMs).toBeGreaterThan(nowMs);
      }),
    ));

  it("of many who meet it at any times, lets one at a time try", () =>
    fc.assert(
      fc.property(fc.array(fc.record({ who: fc.nat(5), afterMs: fc.nat(50_000) }), { maxLength: 60 }), (steps) => {
        const tries: { readonly nonce: string; readonly atMs: number }[] = [];
        let wait: SharedWait = first;
        let nowMs = 0;
        for (const [index, step] of steps.entries()) {
          nowMs += step.afterMs;
          // Each turn has a nonce of its own.
          const nonce = `${step.who}-${index}`;
          const met = meet(wait, who(nonce, nowMs));
          if (met.kind !== "probe") continue;
          wait = met.wait;
          tries.push({ nonce, atMs: nowMs });
        }
        // Nobody answered: every probe died, and the next came when it had ended.
        for (const [index, one] of tries.slice(1).entries())
          expect(one.atMs - tries[index]!.atMs).toBeGreaterThanOrEqual(60_000);
      }),
    ));

  it("is read back as it was stored; anything else is none", () => {
    expect(decodeSharedWait(encodeSharedWait(first).packed)).toEqual(first);
    fc.assert(fc.property(fc.dictionary(fc.string(), fc.anything()), (packed) => void decodeSharedWait(packed)));
    expect(decodeSharedWait({ wait: { ...first, untilMs: "soon" } })).toBeUndefined();
  });
});
