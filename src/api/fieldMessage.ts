import type { Json } from "../core/types.ts";

/**
 * Fields whose values are secrets, or may hold some: in the place of a public key stands a private one now and then.
 * `clientSecret` only names one.
 */
const secretField = /^(protectedSettings|adminPassword|password|customData|sshPublicKey)$/i;
const longest = 80;

const withoutSecrets = (key: string, value: unknown): unknown => (secretField.test(key) ? "***" : value);

/** A value as messages show it: without secrets, and cut, since a condition holds 10 kB. */
export const shown = (path: string, value: Json): string => {
  const isSecret = path.split(/[.[\]]+/).some((step) => secretField.test(step));
  const written = JSON.stringify(isSecret ? "***" : value, withoutSecrets);
  return written.length > longest ? `${written.slice(0, longest - 3)}...` : written;
};

/** What is wrong with a field, in one form everywhere: its path, the value that it has, if any, and what would be right. */
export const fieldMessage = (path: string, value: Json | undefined, right: string): string =>
  value === undefined ? `${path}: ${right}` : `${path}: ${shown(path, value)} ${right}`;
