import type { Finding } from "../../api/check/finding.ts";
import { isObject } from "../../api/json.ts";
import type { Json } from "../../core/types.ts";
import { nearest } from "./nearest.ts";

const types: Readonly<Record<string, string>> = {
  string: "a string",
  integer: "an integer",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
  "date-time": "a time such as 2026-01-31T12:00:00Z",
};

/** Only these are read as something else than a text when they stand without quotes. */
const isPlain = (text: string): boolean => /^(?:true|false|-?\d+(?:\.\d+)?)$/.test(text);

/** YAML reads words as text or not by their quotes. */
const quotes = (wanted: readonly string[], value: Json | undefined, word: string | undefined): string => {
  if (wanted.includes("string") && (typeof value === "number" || typeof value === "boolean"))
    return word === undefined ? "" : `: write "${word}" with quotes`;
  return typeof value === "string" && isPlain(value) && !wanted.includes("object") && !wanted.includes("array")
    ? `: write ${value} without quotes`
    : "";
};

const ofType = ({ message, value }: Finding, word: string | undefined): string | undefined => {
  const wanted = /^must be of type ([\w,-]+)(?:: "\w+")?$/.exec(message)?.[1]?.split(",");
  return wanted && `must be ${wanted.map((type) => types[type] ?? type).join(" or ")}${quotes(wanted, value, word)}`;
};

const ofEnum = ({ message, value }: Finding): string | undefined => {
  const [, listed] = /(?:^|: )supported values: (.*)$/.exec(message) ?? [];
  if (listed === undefined) return undefined;
  const words = [...listed.matchAll(/"([^"]*)"/g)].map(([, word = ""]) => word);
  const meant = typeof value === "string" ? nearest(value, words) : undefined;
  return `must be one of ${listed}${meant === undefined ? "" : `: did you mean ${meant}?`}`;
};

const ofRepetition = ({ message }: Finding): string | undefined => {
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

/** The API server's words for limits, and the same in one manner. */
const limits: readonly (readonly [RegExp, string])[] = [
  [/^Required value$/, "must be given"],
  [/^Required value: (.*) is required$/, "$1 must be given"],
  [/^should be less than or equal to (.*)$/, "must be at most $1"],
  [/^should be greater than or equal to (.*)$/, "must be at least $1"],
  [/^(?:Too long: )?may not be more than (\d+) bytes?$/, "must have at most $1 characters"],
  [/^Too many: \d+: /, ""],
  [/^should be at least (\d+) chars long$/, "must have at least $1 characters"],
  [/^should have at least (.*)$/, "must have at least $1"],
  [/^should match (.*)$/s, "must match $1"],
];

const ofLimit = ({ message }: Finding): string => {
  const [form, words] = limits.find(([it]) => it.test(message)) ?? [];
  return form === undefined || words === undefined ? message : message.replace(form, words);
};

/** What would be right instead of what was found. `word` is the value as it stands in the file without quotes. */
export const inWords = (finding: Finding, word: string | undefined): string => {
  if (finding.rule === "rule" || finding.rule === "policy") return finding.message;
  return ofType(finding, word) ?? ofEnum(finding) ?? ofRepetition(finding) ?? ofLimit(finding);
};
