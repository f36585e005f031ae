import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pack, unpack } from "../../src/adapters/packedValues.ts";
import type { Json } from "../../src/core/types.ts";
import { must } from "../support/contracts/must.ts";

const name = fc.stringMatching(/^[a-z][A-Za-z0-9]{0,9}$/);
const json = fc.jsonValue() as fc.Arbitrary<Json>;

describe("packed values", () => {
  it("come back as they were", () => {
    fc.assert(
      fc.property(fc.dictionary(name, json), (values) => {
        // What JSON itself does not keep, such as -0, is not held against the packing.
        const kept: unknown = JSON.parse(JSON.stringify(values));
        expect(unpack(must(pack(values)))).toEqual(kept);
      }),
    );
  });

  it("do not mix up names that look like pieces of each other", () => {
    const values = { row: 1, row_1: 2, row_1_0: 3 };
    expect(unpack(must(pack(values)))).toEqual(values);
  });

  it("never throw, whatever stands in the row", () => {
    const property = fc.oneof(fc.constantFrom("packed_row_0", "packed_row_1", "packed_a_x", "packed_"), fc.string());
    fc.assert(
      fc.property(fc.dictionary(property, fc.oneof(fc.uint8Array(), fc.anything())), (row) => {
        expect(unpack(row)).toBeTypeOf("object");
      }),
    );
  });

  it("are all left out when one is damaged, cut short or a bomb", () => {
    const good = must(pack({ good: 1 }));
    const cut = gzipSync(JSON.stringify({ a: "b" })).subarray(0, 10);
    const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024, 0x20));
    for (const bytes of [cut, bomb, gzipSync("{no json"), new Uint8Array()])
      expect(unpack({ ...good, packed_row_0: bytes })).toEqual({});
    expect(unpack({ ...good, packed_row_1: gzipSync("1") })).toEqual({});
  });
});
