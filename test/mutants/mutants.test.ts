import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { allMutants, mutantSorts, parseMutant } from "./mutant.ts";
import { leastContext } from "./sandbox.ts";

const repo = join(import.meta.dirname, "..", "..");
const mutants = allMutants();

/** `npm run mutants` tries whether each is caught; here only what would make that run meaningless. */
describe.each(mutants)("mutant $name", ({ path, caughtBy, files }) => {
  it("fits the code as it is", () => {
    expect(() =>
      execFileSync("git", ["apply", leastContext, "--check", path], { cwd: repo, stdio: "pipe" }),
    ).not.toThrow();
  });
  it("names tests that there are", () => {
    for (const file of caughtBy) expect(existsSync(join(repo, file)), file).toBe(true);
  });
  it("breaks code, not tests", () => {
    for (const file of files) expect(file).toMatch(/^(src|functions)\//);
  });
});

describe("the collection", () => {
  it.each(mutantSorts)("has mutants of sort %s", (sort) => {
    expect(mutants.filter((mutant) => mutant.sort === sort)).not.toEqual([]);
  });
  it("breaks each rule once", () => {
    const rules = mutants.map(({ rule }) => rule);
    expect(rules).toEqual([...new Set(rules)]);
  });
  it("takes no patch without a header", () => {
    expect(() => parseMutant("x", "diff --git a/src/a.ts b/src/a.ts\n+++ b/src/a.ts\n")).toThrow("Rule");
  });
});
