import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const repo = join(import.meta.dirname, "..");
const read = (path: string): string => readFileSync(join(repo, path), "utf8");
const decisions = readdirSync(join(repo, "docs", "decisions"));
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  ...readdirSync(join(repo, "docs"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => join("docs", path)),
];
// The one cast: our own package.json.
const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: Readonly<Record<string, string>> };

describe("README", () => {
  it("fits on two screens and a half", () =>
    expect(read("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(150));
  it.each(["npm ci && npm run demo", "npm ci && npm test"])("has the command %s", (command) =>
    expect(read("README.md")).toContain(command),
  );
});

describe.each(pages)("%s", (page) => {
  const text = read(page);
  it("names only npm scripts that exist", () => {
    const named = [...text.matchAll(/npm run (?:--silent )?([a-z:]+)/g)].map((match) => match[1]!);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });
  it("links only to files that exist", () => {
    const words = text.replaceAll(/``.+?``|`[^`\n]*`/g, "");
    const targets = [...words.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map((match) => match[1]!);
    expect(targets.filter((target) => !existsSync(join(repo, dirname(page), target)))).toEqual([]);
  });
  it("names only source files and folders that exist", () => {
    const named = [...text.matchAll(/`((?:src|functions|infra|test|examples)\/[\w./-]*\w)`/g)].map(
      (match) => match[1]!,
    );
    expect(named.filter((path) => !existsSync(join(repo, path)))).toEqual([]);
  });
});

describe("decision records", () => {
  it("have a number of their own, which is also in their title", () => {
    const numbers = decisions.map((file) => file.slice(0, 4));
    expect(new Set(numbers).size).toBe(decisions.length);
    const titled = decisions.map((file) =>
      read(join("docs", "decisions", file))
        .split("\n", 1)[0]!
        .slice(0, 7),
    );
    expect(titled).toEqual(numbers.map((number) => `# ${number} `));
  });
  it.each(decisions)("%s says context, decision and consequences", (file) => {
    const text = read(join("docs", "decisions", file));
    for (const part of ["**Context.**", "**Decision.**", "**Consequences.**"]) expect(text).toContain(part);
  });
});
