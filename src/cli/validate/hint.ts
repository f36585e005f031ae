import type { Finding } from "../../api/check/finding.ts";
import { wantedTypes, wantedWords } from "../../api/check/inWords.ts";
import { nearest } from "./nearest.ts";

/** Only these are read as something else than a text when they stand without quotes. */
const isPlain = (text: string): boolean => /^(?:true|false|-?\d+(?:\.\d+)?)$/.test(text);

/** YAML reads words as text or not by their quotes. */
const quotes = (wanted: readonly string[], { value }: Finding, word: string | undefined): string => {
  if (wanted.includes("string") && (typeof value === "number" || typeof value === "boolean"))
    return word === undefined ? "" : `: write "${word}" with quotes`;
  return typeof value === "string" && isPlain(value) && !wanted.includes("object") && !wanted.includes("array")
    ? `: write ${value} without quotes`
    : "";
};

const meant = (words: readonly string[], { value }: Finding): string => {
  const word = typeof value === "string" ? nearest(value, words) : undefined;
  return word === undefined ? "" : `: did you mean ${word}?`;
};

/**
 * What probably went wrong where a file was written, to follow what would be right; empty when nothing is likely. `word` is
 * the value as it stands in the file without quotes.
 */
export const hint = (finding: Finding, word: string | undefined): string => {
  if (finding.rule === "rule" || finding.rule === "policy") return "";
  const types = wantedTypes(finding);
  return types === undefined ? meant(wantedWords(finding) ?? [], finding) : quotes(types, finding, word);
};
