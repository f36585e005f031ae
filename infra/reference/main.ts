import { join } from "node:path";
import { writePages } from "./pageFolder.ts";
import { referenceFiles } from "./referenceFiles.ts";

const pages = referenceFiles();
const changed = writePages(join(import.meta.dirname, "..", "..", "docs", "reference"), pages);
console.log(`${pages.size} pages, ${changed.length === 0 ? "none changed" : `changed: ${changed.join(", ")}`}`);
