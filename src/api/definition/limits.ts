import type { Json, JsonObject } from "../../core/types.ts";
import { patternInWords } from "../check/patternWords.ts";

/** What the API server itself holds a value to, by keywords of its schema. */
export interface Limit {
  /** The keywords that say it, such as `minimum` and `maximum`. */
  readonly keywords: readonly string[];
  /** In words that follow "must be": `from 4 to 30`. Markdown: values stand in back-quotes. */
  readonly says: string;
}

const numberAt = (schema: JsonObject, keyword: string): number | undefined => {
  const value = schema[keyword];
  return typeof value === "number" ? value : undefined;
};

/** The text as code in Markdown, whatever back-quotes it holds. */
const code = (text: string): string => (text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``);
const shown = (value: Json): string => code(typeof value === "string" && value !== "" ? value : JSON.stringify(value));

interface Bounds {
  readonly keywords: readonly [least: string, most: string];
  /** What is counted; nothing for the value itself. */
  readonly unit: string;
}

const bounds: readonly Bounds[] = [
  { keywords: ["minimum", "maximum"], unit: "" },
  { keywords: ["minLength", "maxLength"], unit: "characters" },
  { keywords: ["minItems", "maxItems"], unit: "items" },
  { keywords: ["minProperties", "maxProperties"], unit: "entries" },
];

const counted = (least: number | undefined, most: number | undefined, unit: string): string => {
  if (least === 1 && most === undefined && unit !== "") return "not empty";
  const one = unit.replace(/ies$/, "y").replace(/s$/, "");
  const units = unit === "" ? "" : ` ${(most ?? least) === 1 ? one : unit}`;
  if (least !== undefined && most !== undefined) {
    const range = least === most ? `exactly ${least}` : `from ${least} to ${most}`;
    return `${range}${units}`;
  }
  return most === undefined ? `at least ${least ?? 0}${units}` : `at most ${most}${units}`;
};

const boundsOf = (schema: JsonObject): readonly Limit[] =>
  bounds.flatMap(({ keywords, unit }) => {
    const [least, most] = [numberAt(schema, keywords[0]), numberAt(schema, keywords[1])];
    if (least === undefined && most === undefined) return [];
    return [
      { keywords: keywords.filter((keyword) => schema[keyword] !== undefined), says: counted(least, most, unit) },
    ];
  });

const wordsOf = (schema: JsonObject): readonly Limit[] => {
  const words = schema["enum"];
  if (!Array.isArray(words)) return [];
  const listed = words.map((word: Json) => shown(word));
  return [{ keywords: ["enum"], says: listed.length === 1 ? `${listed[0]}` : `one of ${listed.join(", ")}` }];
};

/** A quantity's own pattern is of no use to a reader. */
const patternOf = (schema: JsonObject): readonly Limit[] => {
  const { pattern } = schema;
  if (typeof pattern !== "string") return [];
  const isQuantity = schema["x-kubernetes-int-or-string"] === true;
  const says = isQuantity
    ? "a quantity, such as `2`, `1.5` or `500m`"
    : (patternInWords(pattern) ?? `like ${code(pattern)}`);
  return [{ keywords: ["pattern"], says }];
};

const listKeysOf = (schema: JsonObject): readonly Limit[] => {
  const keys = schema["x-kubernetes-list-map-keys"];
  if (schema["x-kubernetes-list-type"] === "set")
    return [{ keywords: ["x-kubernetes-list-type"], says: "without equal items" }];
  return Array.isArray(keys)
    ? [
        {
          keywords: ["x-kubernetes-list-map-keys"],
          says: `without two items of the same ${keys.map((key: Json) => shown(key)).join(" and ")}`,
        },
      ]
    : [];
};

const formatOf = (schema: JsonObject): readonly Limit[] =>
  schema["format"] === "date-time" ? [{ keywords: ["format"], says: "a date and time, as in RFC 3339" }] : [];

/** All limits of one node of a structural schema; those of its properties and items are their own. */
export const limitsOf = (schema: JsonObject): readonly Limit[] => [
  ...wordsOf(schema),
  ...boundsOf(schema),
  ...patternOf(schema),
  ...formatOf(schema),
  ...listKeysOf(schema),
];
