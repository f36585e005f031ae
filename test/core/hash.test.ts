import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, hashOf, sha256 } from "../../src/core/hash.ts";

describe("sha256", () => {
  it.each([
    // FIPS 180-4, examples of NIST.
    { text: "", digest: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
    { text: "abc", digest: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
    {
      text: "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      digest: "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    },
    { text: "a".repeat(1_000_000), digest: "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0" },
  ])("of the standard's example $digest", ({ text, digest }) => expect(sha256(text)).toBe(digest));

  it("equals the platform's for any text", () =>
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        expect(sha256(text)).toBe(createHash("sha256").update(text, "utf8").digest("hex"));
      }),
    ));

  it.each([55, 56, 57, 63, 64, 65, 119, 120])("pads %i bytes", (length) =>
    expect(sha256("x".repeat(length))).toBe(createHash("sha256").update("x".repeat(length)).digest("hex")),
  );
});

describe("hashOf", () => {
  it("ignores the order of properties, not that of items", () => {
    expect(hashOf({ a: 1, b: { c: 2, d: 3 } })).toBe(hashOf({ b: { d: 3, c: 2 }, a: 1 }));
    expect(hashOf([1, 2])).not.toBe(hashOf([2, 1]));
  });
  it("tells neighbours apart", () => {
    expect(hashOf(["ab", "c"])).not.toBe(hashOf(["a", "bc"]));
    expect(hashOf({ a: null })).not.toBe(hashOf({}));
  });
  it("has 32 hex digits", () => expect(hashOf("x")).toMatch(/^[0-9a-f]{32}$/));
  it("writes canonical JSON", () =>
    expect(canonicalJson({ b: [{ z: 1, y: "ü" }], a: true })).toBe('{"a":true,"b":[{"y":"ü","z":1}]}'));
});
