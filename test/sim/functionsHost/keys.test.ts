import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { generateKeys, keptKeys, opens } from "../../../src/sim/functionsHost/keys.ts";

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

describe("keys in a file", () => {
  let file = "";
  beforeEach(() => {
    file = join(mkdtempSync(join(tmpdir(), "capstan-keys-")), "keys.json");
  });
  afterEach(() => rmSync(join(file, ".."), { recursive: true, force: true }));

  it("outlive the host, and only their owner may read them", () => {
    expect(keptKeys(file)).toEqual(keptKeys(file));
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each(["{}", '{ "masterKey": 1, "functionKey": "a" }', "null"])("cannot be %s", (text) => {
    writeFileSync(file, text);
    expect(() => keptKeys(file)).toThrow(`${file} holds no keys of a function app; remove it to get new ones`);
  });

  it("are new ones for each host without a file", () => expect(keptKeys(undefined)).not.toEqual(keptKeys(undefined)));
});
