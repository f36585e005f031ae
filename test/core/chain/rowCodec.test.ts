import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChainRow } from "../../../src/core/chain/chainRow.ts";
import { followUp } from "../../../src/core/chain/messages.ts";
import { decodeChainRow, encodeChainRow } from "../../../src/core/chain/rowCodec.ts";
import { address, aRow, now } from "./support/build.ts";

const ms = fc.integer({ min: 0, max: 4e12 });
const rows: fc.Arbitrary<ChainRow> = fc
  .record({
    seen: fc.option(fc.record({ uid: fc.string(), generation: fc.nat(), inputs: fc.string() })),
    outbox: fc.boolean(),
    goneSinceMs: fc.option(ms),
    plain: fc.record({
      uid: fc.string(),
      turn: fc.nat(),
      incarnation: fc.string(),
      lease: fc.record({ nonce: fc.string(), endMs: ms }),
      dirty: fc.boolean(),
      stop: fc.boolean(),
      why: fc.record({ observe: fc.boolean(), human: fc.boolean() }),
      sent: fc.boolean(),
      dueMs: ms,
      surroundings: fc.nat(),
      defects: fc.nat(),
    }),
  })
  .map(({ seen, outbox, goneSinceMs, plain }) => ({
    ...plain,
    ...(seen === null ? {} : { seen }),
    ...(goneSinceMs === null ? {} : { goneSinceMs }),
    ...(outbox ? { outbox: followUp({ address, row: plain, nowMs: now }) } : {}),
  }));

const codeOf = (values: unknown): string => {
  const result = decodeChainRow(values);
  return result.ok ? "ok" : result.error.code;
};

describe("the row's codec", () => {
  it("reads what it wrote", () =>
    fc.assert(
      fc.property(rows, (row) => {
        expect(decodeChainRow(encodeChainRow(row))).toEqual({ ok: true, value: row });
      }),
    ));
  it("answers anything", () =>
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (values) => {
        expect(decodeChainRow(values).ok).toBe(false);
      }),
    ));

  const good = encodeChainRow(aRow({ outbox: followUp({ address, row: aRow(), nowMs: now }) }));
  it.each([
    { when: "whole", values: good, code: "ok" },
    { when: "with a property more", values: { ...good, extra: 1 }, code: "ok" },
    { when: "of a newer app", values: { ...good, v: 2, turn: "five" }, code: "RowFromTheFuture" },
    { when: "without a turn", values: { ...good, turn: undefined }, code: "RowDamaged" },
    { when: "with a turn that is no count", values: { ...good, turn: -1 }, code: "RowDamaged" },
    { when: "with a due time that is no number", values: { ...good, dueMs: Number.NaN }, code: "RowDamaged" },
    { when: "with an outbox cut off", values: { ...good, outbox: '{"item":' }, code: "RowDamaged" },
    { when: "with an outbox that is no message", values: { ...good, outbox: "{}" }, code: "RowDamaged" },
  ])("a row $when -> $code", ({ values, code }) => expect(codeOf(values)).toBe(code));

  it("damages no value into another row", () =>
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(good)), fc.anything(), (name, value) => {
        const result = decodeChainRow({ ...good, [name]: value });
        if (result.ok)
          expect(encodeChainRow(result.value)).toMatchObject({
            turn: expect.any(Number),
            leaseNonce: expect.any(String),
          });
        else expect(["RowDamaged", "RowFromTheFuture", "UnreadableMessage"]).toContain(result.error.code);
      }),
    ));
});
