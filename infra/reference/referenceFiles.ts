import { infrastructureKinds } from "../../src/api/registry.ts";
import { annotationsPage } from "./annotationsPage.ts";
import { conditionsPage } from "./conditionsPage.ts";
import { defaultsPage } from "./defaultsPage.ts";
import { errorsPage } from "./errorsPage.ts";
import { indexPage } from "./indexPage.ts";
import { kindPage } from "./kindPage.ts";
import { fileOf } from "./kindWords.ts";
import { rulesPage } from "./rulesPage.ts";

/** All written pages of docs/reference: text by file name. */
export const referenceFiles = (): ReadonlyMap<string, string> =>
  new Map([
    ["README.md", indexPage()],
    ["rules.md", rulesPage()],
    ["conditions.md", conditionsPage()],
    ["annotations.md", annotationsPage()],
    ["errors.md", errorsPage()],
    ["defaults.md", defaultsPage()],
    ...infrastructureKinds.map((entry) => [`${fileOf(entry.kind)}.md`, kindPage(entry)] as const),
  ]);
