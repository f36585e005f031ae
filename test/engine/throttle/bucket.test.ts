import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Asking,
  answered,
  ask,
  type Bucket,
  blockedUntil,
  fullBucket,
  type Rank,
  sizes,
} from "../../../src/engine/throttle/bucket.ts";

const startMs = 1_000_000;
const asking = (rank: Rank, object: string = rank, place = 0): Asking => ({ object, rank, place });
const having = (bucket: Bucket, remaining: number): Bucket => answered(bucket, remaining, startMs);

describe("what is granted", () => {
  it.each([
    { left: 199, rank: "other", granted: true },
    { left: 40, rank: "other", granted: true },
    { left: 39, rank: "other", granted: false },
    { left: 39, rank: "human", granted: true },
    { left: 39, rank: "deletion", granted: true },
    { left: 1, rank: "human", granted: true },
    { left: 0, rank: "human", granted: false },
    { left: 0, rank: "deletion", granted: false },
  ] as const)("with $left of 200 writes left, $rank: $granted", ({ left, rank, granted }) => {
    const bucket = having(fullBucket(sizes.writes, startMs), left);
    expect(ask(bucket, asking(rank), startMs).kind).toBe(granted ? "granted" : "wait");
  });

  it("what was held back comes when the bucket has filled", () => {
    const asked = ask(having(fullBucket(sizes.writes, startMs), 0), asking("other"), startMs);
    expect(asked).toMatchObject({ kind: "wait", untilMs: startMs + 4_000 });
    expect(ask(asked.bucket, asking("other"), startMs + 4_000).kind).toBe("granted");
  });

  it("nothing before Retry-After has passed, whatever other answers say meanwhile", () => {
    const blocked = blockedUntil(fullBucket(sizes.reads, startMs), startMs + 7_000);
    const told = answered(blocked, 249, startMs + 1_000);
    for (const rank of ["deletion", "human", "other"] as const)
      expect(ask(told, asking(rank), startMs + 6_999)).toMatchObject({ kind: "wait" });
    expect(ask(told, asking("deletion"), startMs + 7_100).kind).toBe("granted");
  });

  it("while a deletion has been sent away nobody else gets what comes in meanwhile", () => {
    const empty = having(fullBucket(sizes.writes, startMs), 0);
    const { bucket } = ask(empty, asking("deletion", "going", 0.9), startMs);
    expect(ask(bucket, asking("human"), startMs + 200).kind).toBe("wait");
    expect(ask(bucket, asking("deletion", "going"), startMs + 200).kind).toBe("granted");
    expect(ask(empty, asking("human"), startMs + 200).kind).toBe("granted");
  });

  it("requests on their way count before Azure has counted them", () => {
    let bucket = having(fullBucket(sizes.writes, startMs), 3);
    for (let n = 0; n < 3; n += 1) bucket = ask(bucket, asking("human", `o${n}`), startMs).bucket;
    expect(ask(bucket, asking("human"), startMs).kind).toBe("wait");
    expect(ask(answered(bucket, 2, startMs), asking("human"), startMs).kind).toBe("wait");
  });

  it("what fills more slowly than reckoned, or for others too, is left alone ever longer by what nobody waits for", () => {
    let bucket = having(fullBucket(sizes.writes, startMs), 10);
    let nowMs = startMs;
    const waits = Array.from({ length: 6 }, () => {
      const asked = ask(bucket, asking("other"), nowMs);
      const waitMs = asked.kind === "wait" ? asked.untilMs - nowMs : 0;
      nowMs += waitMs;
      expect(ask(asked.bucket, asking("other"), nowMs - 1).kind).toBe("wait");
      const granted = ask(asked.bucket, asking("other"), nowMs);
      expect(granted.kind).toBe("granted");
      bucket = answered(granted.bucket, 10, nowMs);
      return waitMs;
    });
    expect(waits).toEqual([3_000, 6_000, 12_000, 24_000, 48_000, 96_000]);
    expect(ask(bucket, asking("human"), nowMs).kind).toBe("granted");
  });

  it("a crowd comes back spread, each by its own place, and keeps its time", () => {
    let bucket = having(fullBucket(sizes.writes, startMs), 0);
    const times = Array.from({ length: 300 }, (_, n) => {
      const asked = ask(bucket, asking("other", `o${n}`, n / 300), startMs);
      ({ bucket } = asked);
      return asked.kind === "wait" ? asked.untilMs : 0;
    });
    const busiest = Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length));
    expect(busiest).toBeLessThan(30);
    const again = ask(bucket, asking("other", "o150", 0.5), startMs + 10);
    expect(again).toMatchObject({ kind: "wait", untilMs: times[150] });
  });
});

/** Azure's own bucket, and one instance that asks it, at random times and for random objects. */
const events = fc.array(
  fc.record({
    waitMs: fc.integer({ min: 0, max: 3_000 }),
    requests: fc.integer({ min: 1, max: 60 }),
    rank: fc.constantFrom<Rank>("deletion", "human", "other"),
    object: fc.integer({ min: 0, max: 9 }),
    place: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { minLength: 1, maxLength: 60 },
);

describe("laws, whatever is asked when", () => {
  it("one instance is never refused, and leaves a fifth to deletions and people", () =>
    fc.assert(
      fc.property(events, (all) => {
        let bucket = fullBucket(sizes.writes, startMs);
        let nowMs = startMs;
        let azure = 200;
        for (const { waitMs, requests, rank, object, place } of all) {
          nowMs += waitMs;
          azure = Math.min(200, azure + waitMs / 100);
          for (let n = 0; n < requests; n += 1) {
            const asked = ask(bucket, asking(rank, `${rank}${object}`, place), nowMs);
            ({ bucket } = asked);
            if (asked.kind === "wait") continue;
            expect(azure).toBeGreaterThanOrEqual(rank === "other" ? 39 : 0.99);
            azure -= 1;
            bucket = answered(bucket, Math.floor(azure), nowMs);
          }
        }
      }),
    ));

  it("no deletion waits while anybody else is granted any", () =>
    fc.assert(
      fc.property(events, (all) => {
        let bucket = fullBucket(sizes.reads, startMs);
        let nowMs = startMs;
        const waiting = new Map<string, number>();
        for (const { waitMs, requests, rank, object, place } of all) {
          nowMs += waitMs;
          for (let n = 0; n < requests; n += 1) {
            const name = `${rank}${object}`;
            const asked = ask(bucket, asking(rank, name, place), nowMs);
            ({ bucket } = asked);
            const held = [...waiting].filter(([other, untilMs]) => other !== name && untilMs > nowMs);
            if (asked.kind === "granted" && rank !== "deletion") expect(held).toEqual([]);
            if (rank !== "deletion") continue;
            if (asked.kind === "wait") waiting.set(name, asked.untilMs);
            else waiting.delete(name);
          }
        }
      }),
    ));
});
