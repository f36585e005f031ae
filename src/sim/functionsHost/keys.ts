import { randomBytes, timingSafeEqual } from "node:crypto";
import type { AuthLevel } from "./trigger.ts";

/** Access keys of one host process. */
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
