import { randomBytes, timingSafeEqual } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { AuthLevel } from "./trigger.ts";

/** Access keys of one function app. */
export interface Keys {
  /** Opens everything, `/admin` too. */
  readonly masterKey: string;
  /** Opens functions of level `function`. */
  readonly functionKey: string;
}

export const generateKeys = (): Keys => ({
  masterKey: randomBytes(32).toString("base64url"),
  functionKey: randomBytes(32).toString("base64url"),
});

const isKeys = (value: unknown): value is Keys =>
  typeof value === "object" &&
  value !== null &&
  "masterKey" in value &&
  typeof value.masterKey === "string" &&
  "functionKey" in value &&
  typeof value.functionKey === "string";

/**
 * The keys that a file holds, made when there is none: a function app keeps its keys in its storage account, so that they
 * outlive its processes. Throws when the file holds anything else. Without a file they are of this process alone.
 */
export const keptKeys = (file: string | undefined): Keys => {
  if (file === undefined) return generateKeys();
  if (!existsSync(file)) writeFileSync(file, JSON.stringify(generateKeys()), { mode: 0o600 });
  const kept: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (!isKeys(kept)) throw new Error(`${file} holds no keys of a function app; remove it to get new ones`);
  return kept;
};

const equals = (a: string, b: string): boolean => {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
};

/**
 * Whether a request with this key may call a function of this level. The key comes in the header `x-functions-key` or
 * the query parameter `code`. https://learn.microsoft.com/azure/azure-functions/function-keys-how-to
 */
export const opens = (keys: Keys, level: AuthLevel, given: string | undefined): boolean => {
  switch (level) {
    case "anonymous":
      return true;
    case "function":
      return given !== undefined && (equals(given, keys.functionKey) || equals(given, keys.masterKey));
    case "admin":
      return given !== undefined && equals(given, keys.masterKey);
  }
};
