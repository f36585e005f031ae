import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeWithShared, sharedDir } from "./support/shared.ts";

/** A title, or the name of a case that becomes one, which begins with the numbers of faults. */
const titled = /(["'`])((A\d\d(?:, A\d\d)*): .+?)\1/g;

const tests = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts"))
  .toSorted()
  .flatMap((file) =>
    [...readFileSync(join(import.meta.dirname, file), "utf8").matchAll(titled)].map(
      ([, , title = "", numbers = ""]) => ({
        numbers: numbers.split(", "),
        row: `| ${numbers} | \`test/${file}\` | \`${title.slice(numbers.length + 2)}\` |`,
      }),
    ),
  );

const page = readFileSync(join(import.meta.dirname, "..", "docs", "known-faults.md"), "utf8");
const rowsUnder = (heading: string): readonly string[] =>
  (page.split(`## ${heading}\n`)[1] ?? "")
    .split("\n## ")[0]!
    .split("\n")
    .filter((line) => /^\| A\d\d/.test(line));
const cellsOf = (row: string): readonly string[] => row.split("|").map((cell) => cell.trim());
const numbersOf = (rows: readonly string[]): readonly string[] => rows.map((row) => cellsOf(row)[1]!);

const engine = rowsUnder("Of the engine");
const later = rowsUnder("Of machines, pools and AKS");

describe("docs/known-faults.md", () => {
  it("has every test whose title begins with a number, and no other", () =>
    expect(rowsUnder("Tests").toSorted()).toEqual(tests.map(({ row }) => row).toSorted()));
  it("has a test for each fault that is in reach of the engine", () => {
    const tested = new Set(tests.flatMap(({ numbers }) => numbers));
    expect(engine.length).toBeGreaterThan(40);
    expect(numbersOf(engine).filter((number) => !tested.has(number))).toEqual([]);
  });
  it("tells each fault that has a test once, in the order of its number", () => {
    for (const rows of [engine, later]) expect(numbersOf(rows)).toEqual([...new Set(numbersOf(rows))].toSorted());
    const told = numbersOf([...engine, ...later]);
    expect(new Set(told).size).toBe(told.length);
    expect(tests.flatMap(({ numbers }) => numbers).filter((number) => !told.includes(number))).toEqual([]);
  });
  it.each([...engine, ...later])("%s says the fault and what becomes of it", (row) => {
    const [, , , fault, instead] = cellsOf(row);
    expect(fault).not.toBe("");
    expect(instead).not.toBe("");
    expect(cellsOf(row)).toHaveLength(6);
  });
});

describeWithShared("the reference of known faults", () => {
  it("has no number that is not in docs/known-faults.md, nor the other way round", () => {
    const reference = readFileSync(join(sharedDir, "reference", "known-faults.md"), "utf8");
    const bold = [...reference.matchAll(/^\*\*(A\d\d .*)/gm)].map(([, heading = ""]) => heading);
    // One heading may name two: `A62 #1037 (H), A63 #3087 (H)`.
    const numbers = bold.flatMap((heading) => heading.split("(H) - ")[0]!.match(/\bA\d\d(?= [#(a-zA-Z])/g) ?? []);
    // The text of A52 stands there under A51, without a heading.
    expect([...numbers, "A52"].toSorted()).toEqual(numbersOf([...engine, ...later]).toSorted());
  });
});
