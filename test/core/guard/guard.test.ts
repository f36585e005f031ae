import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CountedWrite } from "../../../src/core/guard/countedWrite.ts";
import { uncounted } from "../../../src/core/guard/countedWrite.ts";
import type { Attempt } from "../../../src/core/guard/earned.ts";
import { guard, withAttempt } from "../../../src/core/guard.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const startMs = Date.UTC(2026, 0, 1);

/** What a turn wants: a plan, and what it has read of the object. */
interface Want {
  readonly plan: string;
  readonly generation: number;
  readonly dependencies: string;
  readonly writer: string;
}
const want = (plan: string, more: Partial<Want> = {}): Want => ({
  plan,
  generation: 1,
  dependencies: "d",
  writer: "kubectl",
  ...more,
});

const attemptOf = ({ plan, generation, dependencies, writer }: Want, nowMs: number): Attempt => ({
  planHash: plan,
  nowMs,
  generation,
  dependencies,
  writers: [{ name: writer, atMs: startMs + generation * second }],
});

interface State {
  readonly writes: readonly CountedWrite[];
  readonly sentAtMs: readonly number[];
  readonly earned: readonly number[];
}
const quiet: State = { writes: [], sentAtMs: [], earned: [] };

/** One turn. `undone`: somebody else has changed the resource since; else it stands as it was written last. */
const turn = (state: State, wanted: Want, nowMs: number, undone = true): State => {
  if (!undone && state.writes.at(-1)?.planHash === wanted.plan) return state;
  const attempt = attemptOf(wanted, nowMs);
  const verdict = guard(state.writes, "body", attempt);
  if (verdict.untilMs > nowMs) return state;
  return {
    writes: withAttempt(state.writes, "body", attempt, verdict, undefined),
    sentAtMs: [...state.sentAtMs, nowMs],
    earned: verdict.earned ? [...state.earned, nowMs] : state.earned,
  };
};

/** A turn every so often, from a start on; the i-th wants what `wanted` says. */
const fight = (
  wanted: (index: number) => Want,
  everyMs: number,
  forMs: number,
  { from = quiet, fromMs = startMs, undone = true } = {},
): State =>
  Array.from({ length: Math.floor(forMs / everyMs) }, (_, index) => index).reduce(
    (state, index) => turn(state, wanted(index), fromMs + index * everyMs, undone),
    from,
  );

const inHourAfter = ({ sentAtMs }: State, fromMs: number): number =>
  sentAtMs.filter((atMs) => atMs >= fromMs && atMs < fromMs + hour).length;
const mostInAnyHour = (state: State): number => Math.max(0, ...state.sentAtMs.map((atMs) => inHourAfter(state, atMs)));

const pace = fc.constantFrom(second, 15 * second, minute, 5 * minute);

describe("a fight without anybody's asking", () => {
  it("sends three at once, then waits 1, 2, 4 … minutes", () => {
    const { sentAtMs } = fight(() => want("a"), second, 33 * minute);
    expect(sentAtMs.map((atMs) => (atMs - startMs) / minute)).toEqual([
      0,
      1 / 60,
      2 / 60,
      1 + 2 / 60,
      3 + 2 / 60,
      7 + 2 / 60,
      15 + 2 / 60,
      31 + 2 / 60,
    ]);
  });

  it("A10: an hour of passes every 15 s that find the same difference is not 240 writes", () => {
    const passes = hour / (15 * second);
    const { sentAtMs } = fight(() => want("capacity 50"), 15 * second, hour);
    expect(passes).toBe(240);
    expect(sentAtMs.length).not.toBe(passes);
    expect(sentAtMs.length).toBeLessThanOrEqual(8);
  });

  it("A22: a default that the server takes back after each write costs no write every turn", () => {
    const { sentAtMs } = fight(() => want("maxSurge 1"), minute, 6 * hour);
    expect(mostInAnyHour({ ...quiet, sentAtMs })).toBeLessThanOrEqual(8);
    expect(sentAtMs.length).toBeLessThanOrEqual(8 + 5);
  });

  it("costs at most 8 writes in any hour, whatever the plans: repeats, cycles, nonces, at any pace", () => {
    const plans = fc.oneof(
      fc.integer({ min: 1, max: 9 }).map((period) => (index: number) => `p${index % period}`),
      fc.constant((index: number) => `nonce-${index}`),
      fc.infiniteStream(fc.integer({ min: 0, max: 5 })).map((stream) => {
        const picked = Array.from({ length: 3_700 }, () => stream.next().value);
        return (index: number) => `p${picked[index] ?? 0}`;
      }),
    );
    fc.assert(
      fc.property(plans, pace, (plan, everyMs) => {
        expect(mostInAnyHour(fight((index) => want(plan(index)), everyMs, 90 * minute))).toBeLessThanOrEqual(8);
      }),
      { numRuns: 60 },
    );
  });

  it("counts on, whatever happened before: what came earlier makes no fight longer", () => {
    const earlier = fc.array(
      fc.record({ plan: fc.integer({ min: 0, max: 9 }), gapMs: fc.integer({ min: second, max: 10 * hour }) }),
      { maxLength: 25 },
    );
    fc.assert(
      fc.property(earlier, pace, (history, everyMs) => {
        let atMs = startMs;
        const before = history.reduce((state, { plan, gapMs }, index) => {
          atMs += gapMs;
          return turn(state, want(`h${plan}`, { generation: index + 2 }), atMs);
        }, quiet);
        const fromMs = atMs + everyMs;
        const after = fight(() => want("fought", { generation: 99 }), everyMs, 2 * hour, { from: before, fromMs });
        expect(inHourAfter(after, fromMs)).toBeLessThanOrEqual(8);
      }),
      { numRuns: 60 },
    );
  });

  it("is forgiven by one for six quiet hours: a correction a day is never held back", () => {
    const { sentAtMs } = fight(() => want("a"), 24 * hour, 40 * 24 * hour);
    expect(sentAtMs.length).toBe(40);
    const worn = fight(() => want("a"), minute, 3 * hour);
    const rested = startMs + 3 * hour + 5 * 24 * hour;
    const again = fight(() => want("a"), second, 10 * second, { from: worn, fromMs: rested });
    expect(inHourAfter(again, rested)).toBe(3);
  });

  it("of tags leaves the rest of the resource alone", () => {
    const attempt = attemptOf(want("a"), startMs);
    const twelve = Array.from({ length: 12 }).reduce<readonly CountedWrite[]>(
      (writes) => withAttempt(writes, "tags", attempt, { earned: false }, undefined),
      [],
    );
    expect(guard(twelve, "tags", attempt).untilMs).toBeGreaterThan(startMs);
    expect(guard(twelve, "body", attempt)).toMatchObject({ earned: true, untilMs: 0 });
  });
});

describe("two writers of the spec", () => {
  const alternating = (plans: readonly ((index: number) => string)[]) => (index: number) => {
    const who = index % plans.length;
    return want(plans[who]?.(index) ?? "", { generation: index + 2, writer: `w${who}` });
  };

  it("A05: two managers who set a field in turn cost at most 8 writes in the first hour", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 7 }), pace, fc.boolean(), (writers, everyMs, undone) => {
        const plans = Array.from({ length: writers }, (_, who) => () => `value of ${who}`);
        const after = fight(alternating(plans), everyMs, hour, { undone });
        expect(inHourAfter(after, startMs)).toBeLessThanOrEqual(8);
        expect(mostInAnyHour(after)).toBeLessThanOrEqual(8);
      }),
      { numRuns: 40 },
    );
  });

  it("nor does one of the two earn more by a new value each time", () => {
    fc.assert(
      fc.property(pace, fc.boolean(), (everyMs, undone) => {
        const after = fight(alternating([(index) => `nonce ${index}`, () => "fixed"]), everyMs, hour, { undone });
        expect(inHourAfter(after, startMs)).toBeLessThanOrEqual(8);
      }),
    );
  });

  it("a dependency that goes to and fro earns each of its values once", () => {
    const values = (index: number): Want => want(`plan ${index % 3}`, { dependencies: `d${index}` });
    const after = fight(values, minute, hour);
    expect(after.earned.length).toBe(3);
    expect(after.sentAtMs.length).toBeLessThanOrEqual(8);
  });
});

describe("what somebody asks for", () => {
  it("acts at once in the middle of any fight, also by the name of one of its writers", () => {
    fc.assert(
      fc.property(
        pace,
        fc.integer({ min: 0, max: 60 }),
        fc.constantFrom("kubectl", "w0", "w1"),
        (everyMs, n, writer) => {
          const fought = fight(
            (index) => want(index % 2 === 0 ? "a" : "b", { generation: index + 2, writer: `w${index % 2}` }),
            everyMs,
            n * everyMs,
          );
          const nowMs = startMs + n * everyMs;
          const asked = attemptOf(want("what a person wants", { generation: 1_000, writer }), nowMs);
          expect(guard(fought.writes, "body", asked)).toMatchObject({ earned: true, untilMs: 0 });
        },
      ),
    );
  });

  it("is no more than what it says: a spec that changes elsewhere earns no undoing of the same plan", () => {
    const after = fight((index) => want("a", { generation: index + 2 }), minute, hour);
    expect(after.sentAtMs.length).toBeLessThanOrEqual(8);
  });

  it("acts at once when the same person goes back to an earlier value", () => {
    const flips = fight((index) => want(index % 2 === 0 ? "a" : "b", { generation: index + 2 }), minute, 15 * minute);
    expect(flips.sentAtMs.length).toBe(15);
    expect(flips.earned.length).toBe(15);
  });

  it("is earned at most twenty times an hour", () => {
    const busy = fight((index) => want(`plan ${index}`, { generation: index + 2 }), 10 * second, hour);
    expect(busy.earned.length).toBe(20);
    expect(busy.sentAtMs.length).toBeLessThanOrEqual(20 + 8);
  });

  it("goes at once by a changed dependency, with a plan not seen lately", () => {
    const fought = fight(() => want("a"), minute, hour);
    const next = attemptOf(want("b", { dependencies: "e" }), startMs + hour);
    expect(guard(fought.writes, "body", next)).toMatchObject({ earned: true, untilMs: 0 });
    const nonce = attemptOf(want("c"), startMs + hour);
    expect(guard(fought.writes, "body", nonce).earned).toBe(false);
  });

  it("reads rows of the first release, which tell only plan and time, as earned ones", () => {
    const old = Array.from({ length: 16 }, (_, index) => ({ planHash: `old ${index}`, atMs: startMs + index }));
    expect(guard(old, "body", attemptOf(want("a"), startMs + minute))).toMatchObject({ earned: true, untilMs: 0 });
  });
});

describe("what Azure refused", () => {
  it("is not counted, all parts of the write together", () => {
    const attempt = attemptOf(want("a"), startMs);
    const later = attemptOf(want("a"), startMs + minute);
    const once = withAttempt([], "body", attempt, { earned: true }, undefined);
    const twice = withAttempt(
      withAttempt(once, "body", later, { earned: false }, undefined),
      "tags",
      later,
      { earned: false },
      undefined,
    );
    expect(uncounted(twice, "a")).toEqual(once);
    expect(uncounted(once, "b")).toBe(once);
  });
});
