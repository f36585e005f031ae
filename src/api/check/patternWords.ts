import { quantityPattern } from "../schema.ts";

/** What texts of the patterns in our definitions are, in words that follow "must be". */
const words: ReadonlyMap<string, string> = new Map([
  [quantityPattern, "a quantity such as 0.5 or 500m"],
  [String.raw`^(\d+)$`, "a whole number such as 10"],
  [String.raw`^(\d+)m$`, "minutes such as 10m"],
  [String.raw`^(\d+)s$`, "seconds such as 10s"],
  ["^[1-3]$", "1, 2 or 3"],
  ["^https://", "an address that begins with https://"],
]);

/** The text that a pattern of ours wants, in words that follow "must be"; undefined where there are none for it. */
export const patternInWords = (pattern: string): string | undefined => words.get(pattern);

/** What a text must be to match a pattern; the pattern itself where there are no words for it. */
export const patternWords = (pattern: string): string => {
  const wanted = patternInWords(pattern);
  return wanted === undefined ? `must match '${pattern}'` : `must be ${wanted}`;
};
