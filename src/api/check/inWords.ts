import type { Json } from "../../core/types.ts";
import { isObject } from "../json.ts";
import type { Finding } from "./finding.ts";
import { patternWords } from "./patternWords.ts";

const types: Readonly<Record<string, string>> = {
  string: "a string",
  integer: "a whole number",
  int32: "a whole number",
  int64: "a whole number",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
  "date-time": "a time such as 2026-01-31T12:00:00Z",
};

/** The types of which the value must be one, where that is what was asked. */
export const wantedTypes = ({ message }: Pick<Finding, "message">): readonly string[] | undefined =>
  /^must be of type ([\w,-]+)(?:: "\w+")?$/.exec(message)?.[1]?.split(",");

const listed = /^(?:Unsupported value: .*: )?supported values: (.*)$/s;

/** The words of which the value must be one, where that is what was asked. */
export const wantedWords = ({ message }: Pick<Finding, "message">): readonly string[] | undefined => {
  const [, words] = listed.exec(message) ?? [];
  return words === undefined ? undefined : [...words.matchAll(/"([^"]*)"/g)].map(([, word = ""]) => word);
};

const ofRepetition = (message: string): string | undefined => {
  const [, written] = /^Duplicate value: (.*)$/s.exec(message) ?? [];
  if (written === undefined) return undefined;
  // The cast: the finding wrote it as JSON.
  const key = JSON.parse(written) as Json;
  const said = isObject(key)
    ? `an item with ${Object.entries(key)
        .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
        .join(" and ")}`
    : "the same value";
  return `must occur once: ${said} stands before it`;
};

/** The API server's phrases, and the same in our own manner. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/^Required value$/, "must be given"],
  [/^Required value: (.*) is required$/, "$1 must be given"],
  [listed, "must be one of $1"],
  [/^should be less than or equal to (.*)$/, "must be at most $1"],
  [/^should be greater than or equal to (.*)$/, "must be at least $1"],
  [/^(?:Too long: )?may not be more than 1 bytes?$/, "must have at most 1 character"],
  [/^(?:Too long: )?may not be more than (\d+) bytes?$/, "must have at most $1 characters"],
  [/^Too many: \d+: /, ""],
  [/^should (?:be at least 1 chars long|have at least 1 (?:items|properties))$/, "must not be empty"],
  [/^should be at least (\d+) chars long$/, "must have at least $1 characters"],
  [/^should have at least (.*)$/, "must have at least $1"],
  [/^must be of type integer with format int32$/, `must be a whole number from ${-(2 ** 31)} to ${2 ** 31 - 1}`],
];

const ofPhrase = (message: string): string => {
  const [, pattern] = /^should match '(.*)'$/s.exec(message) ?? [];
  if (pattern !== undefined) return patternWords(pattern);
  const [form, words] = phrases.find(([it]) => it.test(message)) ?? [];
  return form === undefined || words === undefined ? message : message.replace(form, words);
};

/** What would be right, said of a shape in the API server's phrase. */
export const shapeInWords = (message: string): string => {
  const wanted = wantedTypes({ message });
  return wanted === undefined
    ? (ofRepetition(message) ?? ofPhrase(message))
    : `must be ${wanted.map((type) => types[type] ?? type).join(" or ")}`;
};

/** What would be right instead of what was found: the words of a rule, or the API server's about a shape in their manner. */
export const inWords = ({ rule, message }: Finding): string =>
  rule === "rule" || rule === "policy" ? message : shapeInWords(message);
