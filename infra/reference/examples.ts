import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileOf } from "./kindWords.ts";

/** The smallest sensible object of a kind, as YAML that a person would write. */
export const exampleOf = (kind: string): string =>
  readFileSync(join(import.meta.dirname, "examples", `${fileOf(kind)}.yaml`), "utf8");
