import type { Problem } from "../../core/kind.ts";
import { invalid } from "../problem.ts";

/** What a name must look like: Azure's own rules (https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules). */
export interface NameRule {
  readonly pattern: RegExp;
  readonly maxLength: number;
  readonly words: string;
}

export const networkName: NameRule = {
  pattern: /^[A-Za-z0-9_]([-\w.]*[A-Za-z0-9_])?$/,
  maxLength: 80,
  words:
    "must have at most 80 letters, digits, underscores, dots and hyphens, beginning and ending with a letter, digit or underscore",
};
export const vnetName: NameRule = { ...networkName, maxLength: 64, words: networkName.words.replace("80", "64") };
export const resourceGroupName: NameRule = {
  pattern: /^[-\w.()]*[-\w()]$/,
  maxLength: 90,
  words: "must have at most 90 letters, digits, underscores, dots, hyphens and parentheses, and not end with a dot",
};
export const domainNameLabel: NameRule = {
  pattern: /^[a-z][a-z0-9-]{1,61}[a-z0-9]$/,
  maxLength: 63,
  words:
    "must have 3 to 63 lower-case letters, digits and hyphens, beginning with a letter and ending with a letter or digit",
};

/** The problem of a name, if it has one. */
export const checkName = (path: string, name: string, { pattern, maxLength, words }: NameRule): readonly Problem[] =>
  pattern.test(name) && name.length <= maxLength ? [] : [invalid(path, name, words)];

/** Those that occur again, whatever their case; each as spelled there. */
export const repeated = (names: readonly string[]): readonly string[] =>
  names.filter((name, index) => names.findIndex((other) => other.toLowerCase() === name.toLowerCase()) < index);
