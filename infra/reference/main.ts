import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { note } from "./markdown.ts";
import { referenceFiles } from "./referenceFiles.ts";

const { values } = parseArgs({
  options: {
    check: { type: "boolean", default: false },
    into: { type: "string", default: join(import.meta.dirname, "..", "..", "docs", "reference") },
  },
});
const directory = values.into;
mkdirSync(directory, { recursive: true });
const pages = referenceFiles();
const read = (name: string): string => readFileSync(join(directory, name), "utf8");
const changed = [...pages].filter(([name, text]) => !existsSync(join(directory, name)) || read(name) !== text);
// A page that somebody wrote stays.
const left = readdirSync(directory).filter((name) => !pages.has(name) && read(name).includes(note));
const stale = [...changed.map(([name]) => name), ...left];
if (values.check) {
  for (const name of stale) console.error(`${name} is stale: run npm run reference`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  for (const [name, text] of changed) writeFileSync(join(directory, name), text);
  for (const name of left) rmSync(join(directory, name));
  console.log(`${pages.size} pages, ${stale.length === 0 ? "none changed" : `changed: ${stale.join(", ")}`}`);
}
