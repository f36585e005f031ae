import type { RuleEntry } from "../../src/api/definition/rules.ts";
import { infrastructureKinds } from "../../src/api/registry.ts";
import { allRules, allRulesOf } from "./allRules.ts";
import { linkTo, wordsOf } from "./kindWords.ts";
import { note, page, prose, table } from "./markdown.ts";
import { askedOf, enforcedBy, fieldOf, saidBy, whyOf } from "./rulesTable.ts";

const count = (kind: string, of: (entry: RuleEntry) => boolean): number => allRulesOf(kind).filter(of).length;

const columns: readonly (readonly [head: string, of: (entry: RuleEntry) => boolean])[] = [
  ["Limits", ({ form }) => form === "limit"],
  ["API server", ({ form, enforcedBy: by }) => form === "rule" && by === "apiServer"],
  ["Admission policy", ({ enforcedBy: by }) => by === "policy"],
  ["Start of a turn", ({ enforcedBy: by }) => by === "turn"],
];

const countRows = (): readonly (readonly string[])[] => {
  const kinds = infrastructureKinds.map(({ kind }) => kind);
  const sums = columns.map(([, of]) => String(kinds.reduce((sum, kind) => sum + count(kind, of), 0)));
  return [
    ...kinds.map((kind) => [linkTo(kind, "#rules"), ...columns.map(([, of]) => String(count(kind, of) || ""))]),
    ["**All**", ...sums.map((sum) => `**${sum}**`)],
  ];
};

/** A rule of a template is that of what it makes. */
const made = (entry: RuleEntry): RuleEntry =>
  wordsOf(entry.kind).makes === undefined
    ? entry
    : { ...entry, path: entry.path.replace(/^spec\.template\.spec\b(?=.)/, "spec") };

const kindsCell = (kinds: readonly string[]): string => {
  const [first, ...others] = kinds.map((kind) => ({ link: linkTo(kind), makes: wordsOf(kind).makes }));
  if (first === undefined) return "";
  const isItsTemplate = others.length === 1 && others[0]?.makes === kinds[0];
  return isItsTemplate ? `${first.link} and template` : [first, ...others].map(({ link }) => link).join(", ");
};

/** One row a rule, whatever the number of kinds that have it. */
const ruleRows = (entries: readonly RuleEntry[]): readonly (readonly string[])[] => {
  const rows = entries.map(made).map((entry) => ({
    kind: entry.kind,
    row: [fieldOf(entry), saidBy(entry), askedOf(entry), enforcedBy(entry), whyOf(entry)],
  }));
  return [...Map.groupBy(rows, ({ row }) => row.join("\n")).values()].flatMap((same) => {
    const [first] = same;
    return first === undefined ? [] : [[kindsCell(same.map(({ kind }) => kind)), ...first.row]];
  });
};

const turnWords = prose(
  "The API server judges an object by itself: a rule of a definition sees spec and status, of the metadata only the name; a " +
    "policy sees all of the object, the request, and objects of one more kind. Neither computes default names and ranges, " +
    "reads the settings of the installation, or asks Azure. What takes that is judged at the start of a turn, before " +
    "anything is written: all problems stand at once in the message of condition `SpecValid`. Of kinds that are [not " +
    "reconciled yet](README.md#kinds), only `capstan validate` tells of them.",
);

const ratchetWords = prose(
  "A rule only of *changes* compares with the value before; those only of *creation* or *deletion* are asked when an object " +
    "is made or before it goes. All others are asked of each object, but of an update only where it changes what they look " +
    "at: an object that was valid when it was made can still be changed elsewhere, finalized and deleted.",
);

/** Every rule of every kind. */
export const rulesPage = (): string => {
  const all = allRules();
  return page(
    "# Rules",
    note,
    prose(
      "What objects are held to beyond the types of their fields, and who refuses what breaks it. `kubectl apply` shows the " +
        "refusals of the API server and of admission policies; those of a turn show as a condition. `capstan validate -f FILE` " +
        "tells of a manifest beforehand, without a cluster.",
    ),
    ratchetWords,
    turnWords,
    `## How many\n\n${table(["Kind", ...columns.map(([head]) => head)], countRows())}`,
    `## Rules with words of their own\n\n${table(
      ["Kinds", "Field", "Rule", "Only of", "Enforced by", "Why there"],
      ruleRows(all.filter(({ form }) => form === "rule")),
    )}`,
    `## Limits\n\n${prose("Enforced by the API server, of every object.")}\n\n${table(
      ["Kinds", "Field", "Limit"],
      ruleRows(all.filter(({ form }) => form === "limit")).map((row) => row.slice(0, 3)),
    )}`,
  );
};
