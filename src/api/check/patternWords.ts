import { quantityPattern } from "../schema.ts";

/** What texts of the patterns in our definitions are, for readers. */
const words: ReadonlyMap<string, string> = new Map([
  [quantityPattern, "must be a quantity such as 0.5 or 500m"],
  [String.raw`^(\d+)$`, "must be a whole number such as 10"],
  [String.raw`^(\d+)m$`, "must be minutes such as 10m"],
  [String.raw`^(\d+)s$`, "must be seconds such as 10s"],
  ["^[1-3]$", "must be 1, 2 or 3"],
  ["^https://", "must begin with https://"],
]);

/** What a text must be to match a pattern; the pattern itself where there are no words for it. */
export const patternWords = (pattern: string): string => words.get(pattern) ?? `must match '${pattern}'`;
