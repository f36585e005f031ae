import { describe, expect, it } from "vitest";
import type { ChainRow } from "../../../src/core/chain/chainRow.ts";
import { afterUnknownWrite, beforeWave, commit, commitAnew, type TurnOutcome } from "../../../src/core/chain/commit.ts";
import { afterUnknownRemoval, gone, lastRow } from "../../../src/core/chain/gone.ts";
import { address, aRow, now } from "./support/build.ts";

const mine = { lease: { nonce: "mine", endMs: now + 40_000 } };
const turned = (overrides: Partial<TurnOutcome & { kind: "turned" }> = {}): TurnOutcome => ({
  kind: "turned",
  seen: { uid: "u1", generation: 2, inputs: "i2" },
  dueMs: now + 60_000,
  idle: false,
  observed: true,
  settled: true,
  ...overrides,
});
const committed = (row: Partial<ChainRow>, outcome: TurnOutcome = turned()): ChainRow =>
  commit({ row: aRow({ ...mine, ...row }), address, outcome, nowMs: now, incarnation: "fresh" });

describe("commit", () => {
  it("goes one turn further, releases the lease and owes one message to the object itself", () => {
    const row = committed({});
    expect(row).toMatchObject({
      turn: 6,
      lease: { nonce: "mine", endMs: 0 },
      sent: false,
      seen: { generation: 2 },
      dueMs: now + 60_000,
    });
    expect(row.outbox).toMatchObject({
      dueMs: now + 60_000,
      item: { cause: "followUp", turn: 6, nonce: "inc", name: "demo", attempt: 0 },
    });
  });

  it.each([
    { when: "an hour", outcome: turned({ dueMs: now + 3_600_000 }), row: {}, dueMs: now + 3_600_000 },
    { when: "now, after a write", outcome: turned({ dueMs: now }), row: {}, dueMs: now + 1_000 },
    { when: "now, after an idle turn", outcome: turned({ dueMs: now, idle: true }), row: {}, dueMs: now + 5_000 },
    {
      when: "in an hour, but dirty",
      outcome: turned({ dueMs: now + 3_600_000, idle: true }),
      row: { dirty: true },
      dueMs: now,
    },
    { when: "in an hour, but stopped", outcome: turned({ dueMs: now + 3_600_000 }), row: { stop: true }, dueMs: now },
    { when: "never found", outcome: { kind: "gone", sinceMs: now - 4_000 } as const, row: {}, dueMs: now + 26_000 },
    {
      when: "a first failure of our surroundings",
      outcome: { kind: "surroundings" } as const,
      row: {},
      dueMs: now + 2_000,
    },
    { when: "a fourth", outcome: { kind: "surroundings" } as const, row: { surroundings: 3 }, dueMs: now + 16_000 },
    {
      when: "a hundredth",
      outcome: { kind: "surroundings" } as const,
      row: { surroundings: 99 },
      dueMs: now + 300_000,
    },
    { when: "a first defect", outcome: { kind: "defect" } as const, row: {}, dueMs: now + 300_000 },
    { when: "a third defect", outcome: { kind: "defect" } as const, row: { defects: 2 }, dueMs: now + 1_200_000 },
    { when: "a hundredth defect", outcome: { kind: "defect" } as const, row: { defects: 99 }, dueMs: now + 3_600_000 },
  ])("is due: $when", ({ outcome, row, dueMs }) => {
    expect(committed(row, outcome)).toMatchObject({ dueMs, dirty: false, stop: false, outbox: { dueMs } });
  });

  it.each([
    { when: "all was read and done", row: {}, outcome: turned(), why: { observe: false, human: false } },
    { when: "not all was read", row: {}, outcome: turned({ observed: false }), why: { observe: true, human: false } },
    {
      when: "something is left to do",
      row: {},
      outcome: turned({ settled: false }),
      why: { observe: false, human: true },
    },
    { when: "a message came meanwhile", row: { dirty: true }, outcome: turned(), why: { observe: true, human: true } },
    {
      when: "our surroundings failed",
      row: {},
      outcome: { kind: "surroundings" } as const,
      why: { observe: true, human: true },
    },
  ])("keeps what is asked: $when", ({ row, outcome, why }) =>
    expect(committed({ why: { observe: true, human: true }, ...row }, outcome).why).toEqual(why),
  );

  it("keeps what was seen when nothing was read, and forgets failures when it was", () => {
    expect(committed({}, { kind: "surroundings" })).toMatchObject({
      seen: { generation: 1 },
      surroundings: 1,
      turn: 6,
    });
    expect(committed({ surroundings: 7, defects: 2, goneSinceMs: 1 })).toMatchObject({ surroundings: 0, defects: 0 });
    expect(committed({ goneSinceMs: 1 })).not.toHaveProperty("goneSinceMs");
  });

  it("renews the incarnation for another object under the same name, and only then", () => {
    const other = turned({ seen: { uid: "u2", generation: 1, inputs: "i" } });
    expect(committed({}, other)).toMatchObject({
      uid: "u2",
      incarnation: "fresh",
      turn: 6,
      outbox: { item: { nonce: "fresh" } },
    });
    expect(committed({ uid: "" }, other)).toMatchObject({ uid: "u2", incarnation: "inc" });
    expect(committed({})).toMatchObject({ incarnation: "inc" });
  });

  it("is inserted anew when the row was lost: new incarnation, observe, due now", () =>
    expect(commitAnew({ row: aRow(mine), address, outcome: turned(), nowMs: now, incarnation: "fresh" })).toMatchObject(
      {
        incarnation: "fresh",
        turn: 6,
        why: { observe: true },
        dueMs: now,
        dirty: false,
        outbox: { dueMs: now, item: { nonce: "fresh" } },
      },
    ));
});

describe("after a 412 or an unknown outcome", () => {
  it.each([
    { when: "own nonce, new turn", row: aRow({ turn: 6, lease: { nonce: "mine", endMs: 0 } }), gives: "committed" },
    { when: "own nonce, old turn", row: aRow(mine), gives: "writeAgain" },
    { when: "another nonce", row: aRow({ lease: { nonce: "other", endMs: now } }), gives: "stop" },
    { when: "another nonce, new turn", row: aRow({ turn: 6, lease: { nonce: "other", endMs: 0 } }), gives: "stop" },
    { when: "no row", row: undefined, gives: "insert" },
  ])("a write: $when -> $gives", ({ row, gives }) =>
    expect(afterUnknownWrite({ row, nonce: "mine", turnBefore: 5 })).toBe(gives),
  );
  it.each([
    { when: "no row", row: undefined, gives: "removed" },
    { when: "still ours", row: aRow({ ...mine, dirty: true }), gives: "removeAgain" },
    { when: "another's", row: aRow({ lease: { nonce: "other", endMs: 0 } }), gives: "stop" },
  ])("the removal: $when -> $gives", ({ row, gives }) => expect(afterUnknownRemoval(row, "mine")).toBe(gives));
});

describe("before a wave", () => {
  it.each([
    { when: "all is well", row: aRow(mine), gives: "goOn" },
    { when: "dirty does not stop it", row: aRow({ ...mine, dirty: true }), gives: "goOn" },
    { when: "stop is set", row: aRow({ ...mine, stop: true }), gives: "finish" },
    { when: "the lease is another's", row: aRow({ lease: { nonce: "other", endMs: now + 1 } }), gives: "stop" },
    { when: "the row is lost", row: undefined, gives: "finish" },
  ])("$when -> $gives", ({ row, gives }) => expect(beforeWave(row, "mine")).toBe(gives));
});

describe("gone", () => {
  it.each([
    {
      when: "first",
      row: aRow(mine),
      ledgerEmpty: false,
      gives: { kind: "wait", outcome: { kind: "gone", sinceMs: now } },
    },
    {
      when: "29 s later",
      row: aRow({ goneSinceMs: now - 29_000 }),
      ledgerEmpty: false,
      gives: { kind: "wait", outcome: { kind: "gone", sinceMs: now - 29_000 } },
    },
    { when: "30 s later", row: aRow({ goneSinceMs: now - 30_000 }), ledgerEmpty: false, gives: { kind: "remove" } },
    { when: "first, with an empty ledger", row: aRow(mine), ledgerEmpty: true, gives: { kind: "remove" } },
  ])("$when -> $gives.kind", ({ row, ledgerEmpty, gives }) =>
    expect(gone({ row, nowMs: now, ledgerEmpty })).toEqual(gives),
  );

  it("leaves the lease in place until the row goes, and owes nothing", () => {
    const row = lastRow(aRow(mine));
    expect(row).toMatchObject({ turn: 5, lease: mine.lease, sent: true });
    expect(row).not.toHaveProperty("outbox");
  });
});
