import type { RuleEntry } from "../../../src/api/definition/rules.ts";
import type { SchemaNode } from "../../../src/api/definition/schemaNodes.ts";
import { isObject } from "../../../src/api/json.ts";
import type { RuleCase } from "../../support/admission/ruleCase.ts";

/** What the API server says of a value beyond a limit, by keyword. */
const serverWords: Readonly<Record<string, RegExp>> = {
  enum: /supported values?/i,
  minimum: /greater than or equal to/,
  maximum: /less than or equal to/,
  minLength: /at least \d+ chars long/,
  maxLength: /too long|may not be (more|longer) than|at most \d+ (chars|bytes)/i,
  minItems: /at least \d+ items/,
  maxItems: /too many|at most \d+ items/i,
  minProperties: /at least \d+ properties/,
  maxProperties: /too many|at most \d+ (properties|items)/i,
  pattern: /should match/,
  format: /must be of type/,
  "x-kubernetes-list-type": /duplicate/i,
  "x-kubernetes-list-map-keys": /duplicate/i,
};

/** What the API server says of a field that is missing or of another type: no rule of ours. */
const ofTheSchema = /^Required value|must be of type/;

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** The field of a refusal: `[0]` for an item, `[key]` or `.key` in a map, `<nil>` for the object. */
const matches = ({ path }: RuleEntry, field: string): boolean => {
  if (path === "") return field === "" || field === "<nil>";
  const steps = escaped(path).replaceAll(String.raw`\[\]`, String.raw`\[\d+\]`);
  const pattern = steps.replaceAll(String.raw`\.\*`, String.raw`(\.[^.[]+|\[[^\]]+\])`);
  return new RegExp(String.raw`^${pattern}(\[\d+\])?$`).test(field);
};

/** The texts that a message made by an expression has for certain; that of a policy begins with the field. */
const literals = ({ path, messageExpression = "" }: RuleEntry & { readonly form: "rule" }): readonly string[] =>
  [...messageExpression.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g)]
    .map(([, one, other]) => (one ?? other ?? "").replace(`${path}: `, ""))
    .flatMap((text) => text.split("%s"))
    .map((text) => text.trim());

/** Shorter texts, such as commas between values, say nothing. */
const telling = 6;

/** Whether one of them is part of the other, or the words begin within the text. */
const overlap = (text: string, words: string): boolean =>
  words.includes(text) ||
  text.includes(words) ||
  Array.from({ length: text.length - telling + 1 }, (_, index) => text.slice(index)).some((end) =>
    words.startsWith(end),
  );

const isSaid = (entry: RuleEntry, words: string): boolean => {
  if (entry.form === "limit") return entry.keywords.some((keyword) => serverWords[keyword]?.test(words) === true);
  if (entry.says.includes(words)) return true;
  return literals(entry).some((text) => text.length >= telling && overlap(text, words));
};

const isExampleOf = (entry: RuleEntry, { rule, field }: RuleCase): boolean =>
  matches(entry, field) && isSaid(entry, rule);

/** The object that holds the field of a path, and the field in it, with what makes it a list or a map. */
const split = (path: string): readonly [holder: string, field: string] => {
  const [, holder = "", field = path] = /^(.*?)\.?([^.]+(?:\.\*)*)$/.exec(path) ?? [];
  return [holder, field];
};

/**
 * What is one rule: its words for a field of an object with the same fields. A subnet stands in several places of a spec,
 * and a load balancer in three.
 */
const identity = (entry: RuleEntry, nodes: readonly SchemaNode[]): string => {
  const [holder, field] = split(entry.path);
  const properties = nodes.find(({ path }) => path === holder)?.schema["properties"];
  const fields = isObject(properties) ? Object.keys(properties).toSorted() : [];
  return [field, entry.says, entry.form === "rule" ? entry.expression : "", ...fields].join("\n");
};

/** Rules of which no example shows what they refuse, as `path: words`; `nodes` are those of the kind's schema. */
export const rulesWithoutExample = (
  entries: readonly RuleEntry[],
  cases: readonly RuleCase[],
  nodes: readonly SchemaNode[] = [],
): readonly string[] =>
  [...Map.groupBy(entries, (entry) => identity(entry, nodes)).values()]
    .filter((same) => !cases.some((example) => same.some((entry) => isExampleOf(entry, example))))
    .map(([entry]) => `${entry?.path}: ${entry?.says}`);

/** Examples that show no rule of the kind, as `field: words`. */
export const examplesWithoutRule = (entries: readonly RuleEntry[], cases: readonly RuleCase[]): readonly string[] =>
  cases
    .filter(({ rule }) => !ofTheSchema.test(rule))
    .filter((example) => !entries.some((entry) => isExampleOf(entry, example)))
    .map(({ field, rule }) => `${field}: ${rule}`);
