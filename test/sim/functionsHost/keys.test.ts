import { expect, it } from "vitest";
import { generateKeys, opens } from "../../../src/sim/functionsHost/keys.ts";

const keys = generateKeys();
const { masterKey, functionKey } = keys;

it.each([
  { level: "anonymous", given: undefined, open: true },
  { level: "function", given: undefined, open: false },
  { level: "function", given: "wrong", open: false },
  { level: "function", given: functionKey, open: true },
  { level: "function", given: masterKey, open: true },
  { level: "admin", given: undefined, open: false },
  { level: "admin", given: "", open: false },
  { level: "admin", given: functionKey, open: false },
  { level: "admin", given: `${masterKey}x`, open: false },
  { level: "admin", given: masterKey, open: true },
] as const)("$level with key $given: $open", ({ level, given, open }) => expect(opens(keys, level, given)).toBe(open));

it("makes new keys for each host", () => {
  expect(generateKeys().masterKey).not.toBe(masterKey);
  expect(masterKey.length).toBeGreaterThanOrEqual(43);
});
