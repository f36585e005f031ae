import { crdFacts } from "../../src/api/definition/crdFacts.ts";
import { objectSchemaOf } from "../../src/api/definition/rules.ts";
import { textAt } from "../../src/api/json.ts";
import { apiVersionOf, type KindEntry } from "../../src/api/registry.ts";
import { allRulesOf } from "./allRules.ts";
import { completeForms } from "./completeForms.ts";
import { computedDefaults } from "./computedDefaults.ts";
import { conditionPart } from "./conditionsPage.ts";
import { exampleOf } from "./examples.ts";
import { fieldSections } from "./fieldSections.ts";
import { fieldsOf } from "./fields.ts";
import { wordsOf } from "./kindWords.ts";
import { code, inline, note, page, prose, table } from "./markdown.ts";
import { rulePart } from "./ruleParts.ts";
import { templateFields } from "./templateFields.ts";

const facts = (entry: KindEntry): string => {
  const { shortNames, formerVersions = [] } = crdFacts(entry.kind);
  return table(
    ["", ""],
    [
      ["API version", code(apiVersionOf(entry))],
      ["Also served", formerVersions.map(code).join(", ")],
      ["Plural", code(entry.plural)],
      ["Short names", shortNames.map(code).join(", ")],
      ["Made by", wordsOf(entry.kind).madeBy],
    ].filter(([, value]) => value !== ""),
  );
};

const columnPart = (kind: string): string | undefined => {
  const { columns } = crdFacts(kind);
  if (columns.length === 0) return undefined;
  const rows = columns.map(({ name, jsonPath, priority }) => [
    name,
    code(jsonPath),
    priority === undefined ? "" : "with `-o wide`",
  ]);
  return `## Columns of \`kubectl get\`\n\n${table(["Column", "Shows", "When"], rows)}`;
};

const half = (kind: string, name: "spec" | "status"): string | undefined => {
  const field = fieldsOf("", objectSchemaOf(kind)).find((it) => it.name === name);
  return field === undefined || field.fields.length === 0
    ? undefined
    : fieldSections(field, allRulesOf(kind), computedDefaults(kind));
};

const legend = (kind: string): string =>
  prose(
    "Indexes stand for any item (`[]`) or any key (`.*`). *Default* is what the API server writes into an absent field" +
      (kind in completeForms
        ? ", and in italics what a turn puts in its place, without writing it, for the [example](#example)."
        : ".") +
      " **fixed** means that a rule below says how the field may change, if at all.",
  );

const fieldPart = (kind: string): string => {
  const { makes } = wordsOf(kind);
  const text = makes === undefined ? [legend(kind), half(kind, "spec")].join("\n\n") : templateFields(kind, makes);
  return `## Fields\n\n${text}`;
};

const statusPart = (kind: string): string | undefined => {
  const text = half(kind, "status");
  return text === undefined ? undefined : `## Status\n\n${text}`;
};

/** The reference page of one kind. */
export const kindPage = (entry: KindEntry): string => {
  const { kind } = entry;
  return page(
    `# ${kind}`,
    note,
    prose(inline(textAt(objectSchemaOf(kind), "description") ?? "")),
    facts(entry),
    `## Example\n\n\`\`\`yaml\n${exampleOf(kind).trimEnd()}\n\`\`\``,
    fieldPart(kind),
    rulePart(kind),
    statusPart(kind),
    conditionPart(kind),
    columnPart(kind),
  );
};
