import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { der } from "../../../src/sim/controlPlane/der.ts";

const hex = (bytes: Buffer): string => bytes.toString("hex");

describe("DER", () => {
  it.each([
    { what: "zero", bytes: der.integer(Buffer.of(0)), is: "020100" },
    { what: "an integer without leading zeros", bytes: der.integer(Buffer.of(0, 0, 5)), is: "020105" },
    { what: "an integer with a high first bit", bytes: der.integer(Buffer.of(0x80)), is: "02020080" },
    { what: "a boolean", bytes: der.boolean(true), is: "0101ff" },
    { what: "a small object identifier", bytes: der.oid("2.5.29.17"), is: "0603551d11" },
    { what: "an object identifier of many bytes", bytes: der.oid("1.2.840.10045.4.3.2"), is: "06082a8648ce3d040302" },
    { what: "a bit string", bytes: der.bitString(Buffer.of(6), 1), is: "03020106" },
    { what: "a sequence", bytes: der.sequence(der.boolean(false), der.boolean(true)), is: "30060101000101ff" },
    { what: "an explicit tag", bytes: der.explicit(3, der.boolean(true)), is: "a3030101ff" },
    { what: "an implicit tag", bytes: der.implicit(7, Buffer.of(127, 0, 0, 1)), is: "87047f000001" },
    { what: "UTF-8", bytes: der.utf8String("é"), is: "0c02c3a9" },
    { what: "a length of one byte more", bytes: der.octetString(Buffer.alloc(0x80)).subarray(0, 3), is: "048180" },
    { what: "a length of two bytes", bytes: der.octetString(Buffer.alloc(0x1234)).subarray(0, 4), is: "04821234" },
  ])("encodes $what", ({ bytes, is }) => expect(hex(bytes)).toBe(is));

  it.each([
    { year: 2049, text: "491231235958Z", tag: 0x17 },
    { year: 2050, text: "20501231235958Z", tag: 0x18 },
  ])("writes a time in $year as RFC 5280 wants it", ({ year, text, tag }) => {
    const bytes = der.time(new Date(Date.UTC(year, 11, 31, 23, 59, 58)));
    expect(bytes[0]).toBe(tag);
    expect(bytes.subarray(2).toString("latin1")).toBe(text);
  });

  it("keeps the value of every positive integer and never lets it look negative", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 200n }), (value) => {
        const digits = value.toString(16);
        const encoded = der.integer(Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex"));
        expect(BigInt(`0x${hex(encoded.subarray(2))}`)).toBe(value);
        expect(encoded[2]! < 0x80).toBe(true);
      }),
    );
  });
});
