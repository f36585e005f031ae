import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resourceId } from "../../src/core/ids.ts";
import { open, type View } from "../../src/core/opening.ts";
import { nextLookMs } from "../../src/core/polling.ts";
import { emptyRow, type ResourceRow } from "../../src/core/resourceRow.ts";

const day = 24 * 3_600_000;
const at = Date.UTC(2026, 0, 1);
const id = resourceId("00000000-0000-4000-8000-000000000001", "g", "Microsoft.Network/routeTables", "t");
const hash = fc.stringMatching(/^[0-9a-f]{32}$/);
const viewAt = (nowMs: number, more: Partial<View> = {}): View => ({
  nowMs,
  observe: false,
  takenOver: false,
  freshMs: day,
  impatient: false,
  ...more,
});
const agreed = (desiredHash: string, more: Partial<ResourceRow> = {}): ResourceRow => ({
  ...emptyRow(id, "routeTables"),
  known: "created",
  desiredHash,
  observedAtMs: at,
  ...more,
});
const wanted = (desiredHash: string) => ({ desiredHash, planHash: "p", races: 0 });

describe("a resource whose desired hash, ledger and last observation agree", () => {
  it("is not read for three quarters of a day, and is read after a whole one", () => {
    fc.assert(
      fc.property(hash, fc.integer({ min: 0, max: 2 * day }), (desired, passed) => {
        const { kind } = open(wanted(desired), agreed(desired), undefined, viewAt(at + passed));
        if (passed < 0.75 * day) expect(kind).toBe("settled");
        if (passed >= day) expect(kind).toBe("read");
      }),
    );
  });

  it("comes due at times that the hash spreads over the last quarter", () => {
    const dueHour = (desired: string): number =>
      Array.from({ length: 25 }, (_, hour) => hour).find(
        (hour) => open(wanted(desired), agreed(desired), undefined, viewAt(at + hour * 3_600_000)).kind === "read",
      ) ?? 0;
    const hashes = Array.from({ length: 256 }, (_, n) => `${((n * 257) % 65_536).toString(16).padStart(4, "0")}0000`);
    const byHour = Map.groupBy(hashes, dueHour);
    expect([...byHour.keys()].toSorted((one, other) => one - other)).toEqual([18, 19, 20, 21, 22, 23, 24]);
    for (const some of byHour.values()) expect(some.length).toBeLessThan(64);
  });

  it.each([
    { when: "observe says so", view: { observe: true }, row: {} },
    { when: "another body is wanted", view: {}, row: { desiredHash: "other" } },
    { when: "it was never read", view: {}, row: { observedAtMs: 0 } },
  ])("is read at once when $when", ({ view, row }) => {
    expect(open(wanted("aaaa"), agreed("aaaa", row), undefined, viewAt(at + 1, view)).kind).toBe("read");
  });
});

describe("an open intent", () => {
  const intent = {
    method: "PUT",
    changes: [],
    applied: [],
    desiredHash: "aaaa",
    planHash: "p",
    cause: "change",
    creating: false,
    sinceMs: at,
  } as const;
  const failure = { kind: "transient", code: "NoAnswer", message: "" } as const;
  const backoff = { planHash: "p", untilMs: at + 60_000, attempt: 1, failure };

  it.each([
    { takenOver: false, kind: "wait" },
    { takenOver: true, kind: "read" },
  ])("behind a back-off, taken over $takenOver: $kind", ({ takenOver, kind }) => {
    const row = agreed("aaaa", { intent, backoff });
    expect(open(wanted("aaaa"), row, undefined, viewAt(at + 1, { takenOver })).kind).toBe(kind);
  });
  it("is read although ledger and observation agree", () => {
    expect(open(wanted("aaaa"), agreed("aaaa", { intent }), undefined, viewAt(at + 1)).kind).toBe("read");
  });
});

describe("the time until the next look", () => {
  const dice = fc.double({ min: 0, max: 1, noNaN: true });
  it("never undercuts Retry-After, adds at most a tenth, and lets less than ten seconds grow to that while it lasts", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 600 }), fc.nat(day), dice, (toldSeconds, forMs, random0to1) => {
        const inMs = nextLookMs({ toldSeconds, forMs, random0to1 });
        expect(inMs).toBeGreaterThanOrEqual(toldSeconds * 1_000);
        expect(inMs).toBeLessThanOrEqual(Math.ceil(1.1 * Math.max(toldSeconds * 1_000, Math.min(forMs / 8, 10_000))));
        expect(inMs).toBeGreaterThanOrEqual(Math.floor(Math.min(forMs / 8, 10_000)));
      }),
    );
  });
  it("is 5 s to a minute when Azure does not say, and grows with what has passed", () => {
    fc.assert(
      fc.property(fc.nat(day), fc.nat(day), dice, (one, other, random0to1) => {
        const [early, late] = [Math.min(one, other), Math.max(one, other)];
        const [first, second] = [early, late].map((forMs) => nextLookMs({ forMs, random0to1 }));
        expect(first).toBeGreaterThanOrEqual(5_000);
        expect(second).toBeLessThanOrEqual(66_000);
        expect(second).toBeGreaterThanOrEqual(first ?? 0);
      }),
    );
  });
  it.each([
    [undefined, 0, 0, 5_000],
    [undefined, 0, 1, 5_500],
    [undefined, 60_000, 0, 15_000],
    [undefined, 60_000, 0.5, 15_750],
    [undefined, 40 * 60_000, 1, 66_000],
    [1, 0, 0, 1_000],
    [1, 40_000, 0, 5_000],
    [30, 600_000, 1, 33_000],
  ] as const)("told %s s, after %d ms, with the dice at %d: %d ms", (told, forMs, random0to1, inMs) => {
    expect(nextLookMs({ ...(told !== undefined && { toldSeconds: told }), forMs, random0to1 })).toBe(inMs);
  });
});
