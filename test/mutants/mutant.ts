import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What a mutant takes away: laws of the apply, ownership and deletion, rules for crashes, the loop guard, and so on. */
export const mutantSorts = [
  "law",
  "ownership",
  "crash",
  "guard",
  "operations",
  "errors",
  "throttling",
  "drift",
  "pause",
  "history",
  "security",
] as const;

/** One small patch that breaks one rule; its header says which, and which tests must see it. */
export interface Mutant {
  /** File name without `.patch`. */
  readonly name: string;
  readonly path: string;
  readonly sort: (typeof mutantSorts)[number];
  /** The rule that is broken, in a sentence. */
  readonly rule: string;
  /** Test files, as vitest takes them. */
  readonly caughtBy: readonly string[];
  /** The files it changes. */
  readonly files: readonly string[];
}

export const mutantsFolder = import.meta.dirname;

const headerOf = (text: string, field: string): string =>
  new RegExp(`^${field}: (.+)$`, "m").exec(text.split("\ndiff --git")[0] ?? "")?.[1]?.trim() ?? "";

const isSort = (text: string): text is Mutant["sort"] => mutantSorts.some((sort) => sort === text);

/** Reads a patch; throws when its header lacks `Rule`, `Sort` or `Caught-by`. */
export const parseMutant = (name: string, text: string): Mutant => {
  const [rule, sort, caughtBy] = ["Rule", "Sort", "Caught-by"].map((field) => headerOf(text, field));
  const files = [...text.matchAll(/^\+\+\+ b\/(.+)$/gm)].map((match) => match[1] ?? "");
  if (!rule || !caughtBy || sort === undefined || !isSort(sort) || files.length === 0)
    throw new Error(`${name}.patch needs the lines Rule, Sort (${mutantSorts.join(", ")}) and Caught-by, and a diff`);
  return { name, path: join(mutantsFolder, `${name}.patch`), sort, rule, caughtBy: caughtBy.split(/[\s,]+/), files };
};

/** All mutants of this folder, by name. */
export const allMutants = (): readonly Mutant[] =>
  readdirSync(mutantsFolder)
    .filter((file) => file.endsWith(".patch"))
    .toSorted()
    .map((file) => parseMutant(file.slice(0, -".patch".length), readFileSync(join(mutantsFolder, file), "utf8")));
