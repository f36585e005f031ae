import type { Json } from "../core/types.ts";
import { isObject } from "./json.ts";

/**
 * Fields whose values are secrets, or may hold some, whatever stands below them: in the place of a public key stands a
 * private one now and then, and patches of whole resources hold whatever these do.
 */
const secretField =
  /protectedSettings$|passw(or)?d|^customData$|^sshPublicKey$|^patch(es)?$|patches$|bootstrapData$|^kubeconfig$|token|(access|account|shared|private|api)_?-?key$|connectionString|^stringData$/i;

/** Fields that name a secret, in whose place the secret itself may stand; of what stands below only these tell no more. */
const secretReference = /secret|credentials?$/i;
const naming = /^(name|namespace|kind|apiVersion|apiGroup|key)$/;
/** Names of secrets and files by themselves. */
const nameOfSecret = /(name|namespace|ref|path|type|id)$/i;

/** Keys and certificates, signed links, tokens, and addresses with a user in them, in whatever field they stand. */
const credential =
  /-----BEGIN |[?&;]?sig=|SharedAccess|AccountKey=|^(Basic|Bearer) |^eyJ[\w-]+\.[\w-]+\.|:\/\/[^/?#]*@|:\/\/[^@]*:[^@]*@|^[^\s/:@]+:[^@]+@/i;

const hidden = "***";
const longest = 80;

const isBare = (step: string): boolean => secretReference.test(step) && !nameOfSecret.test(step);

/** Whether a value at the end of the path may be a secret; only texts name one. */
const isSecretAt = (steps: readonly string[], value: Json): boolean =>
  steps.some(
    (step, i) =>
      isBare(step) && !(typeof value === "string" && i === steps.length - 2 && naming.test(steps.at(-1) ?? "")),
  );

const withoutSecretsAt = (steps: readonly string[], value: Json): Json => {
  if (value === null) return value;
  if (steps.some((step) => secretField.test(step))) return hidden;
  if (Array.isArray(value)) return value.map((item: Json, i) => withoutSecretsAt([...steps, String(i)], item));
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, withoutSecretsAt([...steps, key], it)]));
  return isSecretAt(steps, value) || (typeof value === "string" && credential.test(value)) ? hidden : value;
};

/** The same value with `***` for all in it that may be a secret, to judge by the path at which it stands. */
export const withoutSecrets = (path: string, value: Json): Json =>
  withoutSecretsAt(
    path.split(/[.[\]]+/).filter((step) => step !== ""),
    value,
  );

/** A value as messages show it: without secrets, and cut, since a condition holds 10 kB. */
export const shown = (path: string, value: Json): string => {
  const written = JSON.stringify(withoutSecrets(path, value));
  return written.length > longest ? `${written.slice(0, longest - 3)}...` : written;
};

/** What is wrong with a field, in one form everywhere: its path, the value that it has, if any, and what would be right. */
export const fieldMessage = (path: string, value: Json | undefined, right: string): string =>
  value === undefined ? `${path}: ${right}` : `${path}: ${shown(path, value)} ${right}`;
