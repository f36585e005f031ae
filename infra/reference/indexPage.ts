import { crdFacts } from "../../src/api/definition/crdFacts.ts";
import { objectSchemaOf } from "../../src/api/definition/rules.ts";
import { textAt } from "../../src/api/json.ts";
import { apiVersionOf, infrastructureKinds, type KindEntry } from "../../src/api/registry.ts";
import { kinds } from "../../src/kinds/index.ts";
import { kindWords, linkTo, wordsOf } from "./kindWords.ts";
import { bullet, code, inline, note, page, prose, table } from "./markdown.ts";

const reconciled = ({ kind }: KindEntry): string => {
  if (wordsOf(kind).makes !== undefined) return "";
  if (kind === "AzureClusterIdentity") return "read";
  return kinds.has(kind) ? "yes" : "not yet";
};

const row = (entry: KindEntry): readonly string[] => {
  const { shortNames, columns } = crdFacts(entry.kind);
  return [
    linkTo(entry.kind),
    inline(textAt(objectSchemaOf(entry.kind), "description") ?? ""),
    wordsOf(entry.kind).madeBy,
    [entry.plural, ...shortNames].map(code).join(", "),
    columns.map(({ name, priority }) => (priority === undefined ? name : `*${name}*`)).join(", "),
    reconciled(entry),
  ];
};

/** The way in: all kinds and the other pages. */
export const indexPage = (): string => {
  const order = Object.keys(kindWords);
  const entries = infrastructureKinds.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  const versions = [...new Set(entries.map(apiVersionOf))].map(code).join(", ");
  return page(
    "# Reference",
    note,
    prose(
      "Kinds, fields, rules, conditions and annotations, written from the code that makes the definitions: what stands here " +
        "is what the API server and Capstan go by.",
    ),
    [
      bullet("[Rules](rules.md): what objects are held to, and who enforces it"),
      bullet("[Conditions and reasons](conditions.md): what objects say of themselves"),
      bullet("[Azure's errors](errors.md): what Azure's codes mean, and how they are tried again"),
      bullet("[Annotations and labels](annotations.md): what Capstan obeys beside the spec"),
      bullet("[Defaults](defaults.md): what a short spec means, in full"),
      bullet("[Bench](bench.md): what is measured, and how"),
    ].join("\n"),
    `## Kinds\n\n${prose(
      `All are namespaced and of API version ${versions}. Columns are those of \`kubectl get\`; those in italics show ` +
        "with `-o wide`. *Reconciled* says whether this release makes Azure follow the objects.",
    )}`,
    table(["Kind", "What it is", "Made by", "Names", "Columns", "Reconciled"], entries.map(row)),
  );
};
