import { describe, expect, it } from "vitest";
import type { ChainRow } from "../../../src/core/chain/chainRow.ts";
import { judge, type Verdict } from "../../../src/core/chain/judge.ts";
import { limits } from "../../../src/core/chain/limits.ts";
import { followUp, wake } from "../../../src/core/chain/messages.ts";
import type { WorkItem } from "../../../src/core/workItem.ts";
import { address, anItem, aRow, now } from "./support/build.ts";

const held = { lease: { nonce: "holder", endMs: now + 20_000 } };
const expired = { lease: { nonce: "holder", endMs: now - 1 } };
const soon = { dueMs: now };
const unsent = { outbox: followUp({ address, row: aRow(), nowMs: now }), sent: false };
const followUpOf5 = { cause: "followUp", turn: 5, nonce: "inc" } as const;
const wakeOf5 = { cause: "wake", turn: 5, nonce: "holder" } as const;
const of = (row: ChainRow | undefined, item: WorkItem): Verdict =>
  judge({ row, item, nowMs: now, nonce: "mine", incarnation: "fresh" });

interface Case {
  readonly when: string;
  readonly row: Partial<ChainRow>;
  readonly item: Partial<WorkItem>;
  readonly gives: object;
}

describe("judge", () => {
  it.each<Case>([
    { when: "(a) an outbox is not sent", row: unsent, item: {}, gives: { kind: "flush" } },
    {
      when: "(a) also for a message of another turn",
      row: unsent,
      item: { ...followUpOf5, turn: 4 },
      gives: { kind: "flush" },
    },
    { when: "(a) also under a live lease", row: { ...unsent, ...held }, item: {}, gives: { kind: "flush" } },
    {
      when: "(b) a follow-up of an earlier turn",
      row: soon,
      item: { ...followUpOf5, turn: 4 },
      gives: { why: "anotherTurn" },
    },
    {
      when: "(b) a follow-up of a later turn",
      row: soon,
      item: { ...followUpOf5, turn: 6 },
      gives: { why: "anotherTurn" },
    },
    {
      when: "(b) a follow-up of this turn's number, but of a former life",
      row: soon,
      item: { ...followUpOf5, nonce: "former" },
      gives: { why: "anotherTurn" },
    },
    {
      when: "(b) the same under a lease",
      row: held,
      item: { ...followUpOf5, nonce: "former" },
      gives: { why: "anotherTurn" },
    },
    {
      when: "(b) the follow-up that made the row, after its turn died",
      row: { ...expired, ...soon, uid: "" },
      item: { ...followUpOf5, nonce: "former" },
      gives: { kind: "run", takenOver: true },
    },
    {
      when: "(b) a wake of an earlier turn under a lease",
      row: held,
      item: { ...wakeOf5, turn: 4 },
      gives: { why: "anotherTurn" },
    },
    {
      when: "(c) a change meets a live lease",
      row: held,
      item: {},
      gives: { kind: "defer", row: { dirty: true, stop: false } },
    },
    {
      when: "(c) known news meets a live lease",
      row: { ...held, dirty: true, why: { observe: false, human: true } },
      item: {},
      gives: { kind: "defer" },
    },
    {
      when: "(c) a pause meets a live lease",
      row: held,
      item: { paused: true },
      gives: { kind: "defer", row: { stop: true } },
    },
    {
      when: "(c) a deletion meets a live lease",
      row: held,
      item: { deleting: true },
      gives: { kind: "defer", row: { stop: true } },
    },
    {
      when: "(c) drift meets a live lease",
      row: held,
      item: { cause: "drift" },
      gives: { kind: "defer", row: { why: { observe: true, human: false } } },
    },
    {
      when: "(c) a follow-up meets a live lease",
      row: held,
      item: followUpOf5,
      gives: { kind: "defer", row: { dirty: true } },
    },
    { when: "(c) a wake meets the lease that it guards", row: held, item: wakeOf5, gives: { kind: "reschedule" } },
    {
      when: "(c) a wake meets another lease",
      row: held,
      item: { ...wakeOf5, nonce: "before" },
      gives: { kind: "defer", row: { dirty: true } },
    },
    { when: "(d) a change says what was seen", row: {}, item: {}, gives: { why: "alreadySeen" } },
    {
      when: "(d) a dependency says what was seen",
      row: {},
      item: { cause: "dependency" },
      gives: { why: "alreadySeen" },
    },
    { when: "(d) a change says what was seen, and the row is due", row: soon, item: {}, gives: { kind: "run" } },
    { when: "(d) another generation", row: {}, item: { generation: 2 }, gives: { kind: "run" } },
    { when: "(d) other inputs", row: {}, item: { inputs: "i2" }, gives: { kind: "run" } },
    { when: "(d) another uid", row: {}, item: { uid: "u2" }, gives: { kind: "run" } },
    { when: "(d) a replay says what was seen", row: {}, item: { cause: "replay" }, gives: { kind: "run" } },
    { when: "(e) a resync of the index that is not due", row: {}, item: { cause: "resync" }, gives: { why: "notDue" } },
    { when: "(e) a resync of the index that is due", row: soon, item: { cause: "resync" }, gives: { kind: "run" } },
    {
      when: "(e) a resync of the hourly listing",
      row: {},
      item: { cause: "resync", listed: true },
      gives: { kind: "run" },
    },
    { when: "(f) a follow-up in time", row: soon, item: followUpOf5, gives: { kind: "run", takenOver: false } },
    {
      when: "(f) a follow-up 2 s early",
      row: { dueMs: now + limits.earlyMs },
      item: followUpOf5,
      gives: { kind: "run" },
    },
    {
      when: "(f) a follow-up 2.001 s early",
      row: { dueMs: now + limits.earlyMs + 1 },
      item: followUpOf5,
      gives: { kind: "reschedule" },
    },
    {
      when: "(f) drift",
      row: {},
      item: { cause: "drift" },
      gives: { kind: "run", row: { why: { observe: true, human: false } } },
    },
    {
      when: "(f) a wake after the lease it guards ended unreleased",
      row: expired,
      item: wakeOf5,
      gives: { kind: "run", takenOver: true },
    },
    {
      when: "(f) a wake after a release",
      row: { lease: { nonce: "holder", endMs: 0 } },
      item: wakeOf5,
      gives: { why: "nothingToWake" },
    },
    {
      when: "(f) a wake after another's unreleased end",
      row: expired,
      item: { ...wakeOf5, nonce: "before" },
      gives: { kind: "run", takenOver: true },
    },
    {
      when: "(f) a wake, and a flag is set",
      row: { lease: { nonce: "holder", endMs: 0 }, dirty: true },
      item: { ...wakeOf5, nonce: "before" },
      gives: { kind: "run" },
    },
    {
      when: "a lease ends at this very moment",
      row: { lease: { nonce: "holder", endMs: now } },
      item: { generation: 2 },
      gives: { kind: "run", takenOver: true },
    },
  ])("$when", ({ row, item, gives }) => expect(of(aRow(row), anItem(item))).toMatchObject(gives));

  it.each(["change", "dependency", "resync", "drift", "replay", "followUp", "wake"] as const)(
    "runs a %s without a row",
    (cause) =>
      expect(of(undefined, anItem({ cause, turn: 9 }))).toMatchObject({
        kind: "run",
        insert: true,
        takenOver: false,
        row: {
          turn: 9,
          incarnation: "fresh",
          why: { observe: true },
          lease: { nonce: "mine", endMs: now + limits.leaseMs },
        },
      }),
  );

  it("takes the lease with cleared flags, keeping what is asked", () =>
    expect(
      of(
        aRow({ ...expired, dirty: true, stop: true, why: { observe: true, human: false } }),
        anItem({ generation: 2 }),
      ),
    ).toMatchObject({
      row: {
        dirty: false,
        stop: false,
        why: { observe: true, human: true },
        lease: { nonce: "mine", endMs: now + limits.leaseMs },
      },
    }));

  it("does not write a flag that is set already", () => {
    const row = aRow({ ...held, dirty: true, why: { observe: false, human: true } });
    expect(of(row, anItem())).not.toHaveProperty("row");
    expect(of(row, anItem({ paused: true }))).toHaveProperty("row.stop", true);
    expect(of(row, anItem({ cause: "drift" }))).toHaveProperty("row.why", { observe: true, human: true });
  });

  it("makes one wake of a burst", () => {
    const burst = [
      anItem(),
      anItem({ cause: "drift", generation: 3 }),
      anItem({ cause: "resync", uid: "", listed: true }),
    ].map((item) => wake({ item, row: aRow(held), nowMs: now }));
    expect(new Set(burst.map(({ messageId }) => messageId)).size).toBe(1);
    expect(burst[0]).toMatchObject({
      dueMs: now + 22_000,
      item: { cause: "wake", turn: 5, nonce: "holder", attempt: 0 },
    });
    expect(burst.every(({ item }) => item.listed === undefined)).toBe(true);
  });

  it.each([
    { attempt: 0, dueMs: now + 10_000, laterMs: 10_000 },
    { attempt: 3, dueMs: now + 10_000, laterMs: 16_000 },
    { attempt: 9, dueMs: now + 10_000, laterMs: 60_000 },
    { attempt: 999, dueMs: now + 3_600_000, laterMs: 3_600_000 },
  ])("sends an early follow-up again $laterMs ms later after $attempt attempts", ({ attempt, dueMs, laterMs }) =>
    expect(of(aRow({ dueMs }), anItem({ ...followUpOf5, attempt }))).toMatchObject({
      kind: "reschedule",
      outgoing: { dueMs: now + laterMs, item: { attempt: attempt + 1 } },
    }),
  );
});
