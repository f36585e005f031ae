import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { generatedFiles } from "./generatedFiles.ts";

const { values } = parseArgs({
  options: {
    check: { type: "boolean", default: false },
    into: { type: "string", default: join(import.meta.dirname, "..", "..", "src", "wire", "generated") },
  },
});
const directory = values.into;
const stale = [...generatedFiles()].filter(([name, text]) => {
  const file = join(directory, name);
  return !existsSync(file) || readFileSync(file, "utf8") !== text;
});
if (values.check) {
  for (const [name] of stale) console.error(`${name} is stale: run npm run generate`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  mkdirSync(directory, { recursive: true });
  for (const [name, text] of stale) writeFileSync(join(directory, name), text);
  console.log(stale.length === 0 ? "nothing to write" : `wrote ${stale.map(([name]) => name).join(", ")}`);
}
