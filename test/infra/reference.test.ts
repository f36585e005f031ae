import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { annotationWords, labelWords } from "../../infra/reference/annotationWords.ts";
import { conditionTypesOf } from "../../infra/reference/conditionTypes.ts";
import { exampleOf } from "../../infra/reference/examples.ts";
import { anchor } from "../../infra/reference/markdown.ts";
import { stalePages, writePages } from "../../infra/reference/pageFolder.ts";
import { referenceFiles } from "../../infra/reference/referenceFiles.ts";
import { checkObject } from "../../src/api/check/checkObject.ts";
import { storedForm } from "../../src/api/check/storedForm.ts";
import { rulesOf } from "../../src/api/definition/rules.ts";
import { apiVersionOf, infrastructureKinds } from "../../src/api/registry.ts";
import type { JsonObject } from "../../src/core/types.ts";
import { turnRules } from "../../src/kinds/validation/turnRules.ts";

const repo = join(import.meta.dirname, "..", "..");
const scratch = mkdtempSync(join(tmpdir(), "reference-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const pages = referenceFiles();
const page = (name: string): string => pages.get(name) ?? "";

describe("npm run reference", () => {
  it("has written the committed pages (else: npm run reference)", () =>
    expect(stalePages(join(repo, "docs", "reference"), pages)).toEqual([]));

  it("writes what is missing or changed, takes away its own that are too many, and leaves what others wrote", () => {
    expect(writePages(scratch, pages)).toEqual([...pages.keys()]);
    writeFileSync(join(scratch, "rules.md"), "by hand");
    writeFileSync(join(scratch, "azureThing.md"), page("rules.md"));
    writeFileSync(join(scratch, "bench.md"), "# Bench");
    expect(stalePages(scratch, pages)).toEqual(["rules.md", "azureThing.md"]);
    writePages(scratch, pages);
    expect(readdirSync(scratch).toSorted()).toEqual([...pages.keys(), "bench.md"].toSorted());
    expect(readFileSync(join(scratch, "rules.md"), "utf8")).toBe(page("rules.md"));
  });
});

const withoutBlocks = (text: string): string =>
  text
    .split(/^```.*\n/m)
    .filter((_, index) => index % 2 === 0)
    .join("");
const headings = (text: string): readonly string[] =>
  [...withoutBlocks(text).matchAll(/^#+ (.*)$/gm)].map((match) => match[1]!);
const anchors = (text: string): ReadonlySet<string> => new Set(headings(text).map((heading) => anchor(heading)));

describe.each([...pages.keys()])("%s", (name) => {
  const text = page(name);
  it("links only to headings that exist", () => {
    const links = [...text.matchAll(/\]\(([\w.]*)(#[^)]+)\)/g)].map((match) => ({ to: match[1]!, at: match[2]! }));
    expect(links.filter(({ to, at }) => !anchors(to === "" ? text : page(to)).has(at))).toEqual([]);
  });
  it("has no two headings of one anchor", () => expect(anchors(text).size).toBe(headings(text).length));
  it("has lines of at most 120 characters outside of tables", () => {
    const lines = withoutBlocks(text).split("\n");
    expect(lines.filter((line) => line.length > 120 && !line.startsWith("|"))).toEqual([]);
  });
  it("has as many cells in each row of a table as in its head", () => {
    const tables = text.split(/\n\n+/).filter((part) => part.startsWith("|"));
    const cells = (row: string): number => row.replaceAll(String.raw`\|`, "").split("|").length;
    for (const table of tables) expect(new Set(table.trimEnd().split("\n").map(cells)).size).toBe(1);
  });
});

describe.each(infrastructureKinds)("the example of $kind", ({ kind, ...entry }) => {
  const object = parse(exampleOf(kind)) as JsonObject;
  it("is an object of the kind", () => expect(object).toMatchObject({ apiVersion: apiVersionOf(entry), kind }));
  it("says its namespace", () => expect(object).toMatchObject({ metadata: { namespace: "default" } }));
  it("is what the API server would take", () => {
    expect(checkObject(kind, object)).toEqual([]);
    expect(storedForm(kind, object).unknown).toEqual([]);
  });
});

describe("the pages", () => {
  it("tell the API server's defaults from those of a turn", () => {
    expect(page("azureCluster.md")).toContain("| `controlPlaneEnabled` | boolean | `true` |");
    expect(page("azureCluster.md")).toContain('| `cidrBlocks` | list of strings | *`["10.0.0.0/8"]`* |');
  });

  it("have every rule and say who enforces it", () => {
    const count = (text: string, words: string): number => text.split(`| ${words} |`).length - 1;
    const distinct = (found: readonly { readonly path: string; readonly says: string }[]): number =>
      new Set(found.map(({ path, says }) => `${path.replace(/^spec\.template\.spec\./, "spec.")} ${says}`)).size;
    const all = infrastructureKinds.flatMap(({ kind }) => rulesOf(kind)).filter(({ form }) => form === "rule");
    const policy = all.filter(({ enforcedBy }) => enforcedBy === "policy");
    expect(count(page("rules.md"), "start of a turn")).toBe(turnRules.length);
    expect(count(page("rules.md"), "admission policy")).toBeGreaterThanOrEqual(distinct(policy));
    expect(count(page("rules.md"), "API server")).toBeGreaterThan(0);
  });
});

/** Files that list what there is, not what is done with it. */
const lists = /\/(annotations|projection|reasons)\.ts$/;
const sources = ["src", "functions"]
  .flatMap((top) =>
    readdirSync(join(repo, top), { recursive: true, encoding: "utf8" }).map((file) => join(repo, top, file)),
  )
  .filter((file) => file.endsWith(".ts") && !lists.test(file))
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");

const conditions = infrastructureKinds.flatMap(({ kind }) => conditionTypesOf(kind));

describe("conditions", () => {
  it.each([...new Set(conditions.flatMap(({ type, reasons }) => [type, ...reasons]))])("%s is in the code", (word) =>
    expect(sources.includes(`"${word}"`)).toBe(true),
  );
});

describe("annotations and labels", () => {
  it.each([
    ...Object.entries(annotationWords).map(([key, { effect }]) => ({ name: `annotations.${key}`, effect })),
    ...Object.entries(labelWords).map(([key, { effect }]) => ({ name: `labels.${key}`, effect })),
  ])("$name: $effect, as the code has it", ({ name, effect }) =>
    expect(new RegExp(String.raw`\b${name}\b`).test(sources)).toBe(effect !== "wakes"),
  );
});
