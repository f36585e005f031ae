import { goRegExp } from "../goRegExp.ts";
import { asInt, asList, asText, type CelFunctions } from "./celFunction.ts";
import { memoised } from "./memoised.ts";

/**
 * Functions of texts (https://pkg.go.dev/github.com/google/cel-go/ext#Strings and
 * https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-regex-library). Positions count code points.
 */

const runes = (value: unknown): readonly string[] => Array.from(asText(value));

const outOfRange = (at: number): never => {
  throw new Error(`index out of range: ${at}`);
};

const isAt = (text: readonly string[], part: readonly string[], at: number): boolean =>
  part.every((rune, i) => text[at + i] === rune);

const indexFrom = (value: unknown, wanted: unknown, from: number): bigint => {
  const text = runes(value);
  const part = runes(wanted);
  if (from < 0) return outOfRange(from);
  if (part.length === 0) return BigInt(Math.min(from, text.length));
  for (let at = from; at + part.length <= text.length; at += 1) if (isAt(text, part, at)) return BigInt(at);
  return -1n;
};

const lastIndexFrom = (value: unknown, wanted: unknown, from: number): bigint => {
  const text = runes(value);
  const part = runes(wanted);
  if (from < 0) return outOfRange(from);
  if (part.length === 0) return BigInt(Math.min(from, text.length));
  if (from >= text.length) return -1n;
  for (let at = Math.min(from, text.length - part.length); at >= 0; at -= 1)
    if (isAt(text, part, at)) return BigInt(at);
  return -1n;
};

const lastIndex = (value: unknown, wanted: unknown): bigint => {
  const { length } = runes(value);
  if (asText(wanted) === "") return BigInt(length);
  return length === 0 ? -1n : lastIndexFrom(value, wanted, length - 1);
};

const between = (value: unknown, from: number, to?: number): string => {
  const text = runes(value);
  const end = to ?? text.length;
  if (from < 0 || from > text.length) return outOfRange(from);
  if (from > end) throw new Error(`invalid substring range. start: ${from}, end: ${end}`);
  return end > text.length ? outOfRange(end) : text.slice(from, end).join("");
};

const charAt = (value: unknown, at: number): string => {
  const text = runes(value);
  return at < 0 || at > text.length ? outOfRange(at) : (text[at] ?? "");
};

/** At most `most` parts, the last of which holds the rest; all when it is negative. */
const splitAtMost = (value: unknown, by: unknown, most: number): readonly string[] => {
  if (most === 0) return [];
  const separator = asText(by);
  const parts = separator === "" ? runes(value) : asText(value).split(separator);
  if (most < 0 || parts.length <= most) return parts;
  return [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)];
};

const replaceAtMost = (value: unknown, old: unknown, by: unknown, most: number): string => {
  if (most < 0) return asText(value).replaceAll(asText(old), () => asText(by));
  return splitAtMost(value, old, most + 1).join(asText(by));
};

const upper = (value: unknown): string => asText(value).replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
const lower = (value: unknown): string => asText(value).replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** White space as Go's `unicode.IsSpace` has it; JavaScript also counts the byte order mark and not U+0085. */
const trimmed = (value: unknown): string =>
  asText(value).replaceAll(/^[\s\u0085]+|[\s\u0085]+$/g, (blank) => (blank.includes("\uFEFF") ? blank : ""));

const expression = memoised(goRegExp);
const everywhere = memoised((pattern) => {
  const once = goRegExp(pattern);
  return new RegExp(once.source, `${once.flags}g`);
});

const findAll = (value: unknown, pattern: unknown, most: number): readonly string[] => {
  const found = [...asText(value).matchAll(everywhere(asText(pattern)))].map(([match]) => match);
  return most < 0 ? found : found.slice(0, most);
};

export const textFunctions: CelFunctions = {
  "startsWith/2": (value, part) => asText(value).startsWith(asText(part)),
  "endsWith/2": (value, part) => asText(value).endsWith(asText(part)),
  "contains/2": (value, part) => asText(value).includes(asText(part)),
  "matches/2": (value, pattern) => expression(asText(pattern)).test(asText(value)),
  "find/2": (value, pattern) => expression(asText(pattern)).exec(asText(value))?.[0] ?? "",
  "findAll/2": (value, pattern) => findAll(value, pattern, -1),
  "findAll/3": (value, pattern, most) => findAll(value, pattern, asInt(most)),
  "lowerAscii/1": lower,
  "upperAscii/1": upper,
  "trim/1": trimmed,
  "charAt/2": (value, at) => charAt(value, asInt(at)),
  "substring/2": (value, from) => between(value, asInt(from)),
  "substring/3": (value, from, to) => between(value, asInt(from), asInt(to)),
  "split/2": (value, by) => splitAtMost(value, by, -1),
  "split/3": (value, by, most) => splitAtMost(value, by, asInt(most)),
  "replace/3": (value, old, by) => replaceAtMost(value, old, by, -1),
  "replace/4": (value, old, by, most) => replaceAtMost(value, old, by, asInt(most)),
  "join/1": (list) => asList(list).map(asText).join(""),
  "join/2": (list, by) => asList(list).map(asText).join(asText(by)),
};

/** Positions in texts; those in lists are `listFunctions`. */
export const textPositions = { indexFrom, lastIndex, lastIndexFrom } as const;
