import type { RuleEntry } from "../../src/api/definition/rules.ts";
import { code, inline, table } from "./markdown.ts";

const places: Readonly<Record<RuleEntry["enforcedBy"], string>> = {
  apiServer: "API server",
  policy: "admission policy",
  turn: "start of a turn",
};

const asked: Readonly<Record<RuleEntry["about"], string>> = {
  state: "",
  creation: "creation",
  change: "changes",
  deletion: "deletion",
};

/** What is asked of, in words: nothing where it is every object. */
export const askedOf = ({ about }: RuleEntry): string => asked[about];

/** Who enforces it. */
export const enforcedBy = (entry: RuleEntry): string => places[entry.enforcedBy];

/** The rule's words in Markdown; those of a limit are Markdown already. */
export const saidBy = (entry: RuleEntry): string => {
  const says = entry.form === "limit" ? entry.says : inline(entry.says);
  const more = entry.form === "rule" && entry.messageExpression !== undefined;
  return more ? `${says} *(the message names the values)*` : says;
};

/** Why a rule is not enforced by the definition. */
export const whyOf = (entry: RuleEntry): string => (entry.form === "rule" ? inline(entry.why ?? "") : "");

/** The field at fault. */
export const fieldOf = ({ path }: RuleEntry): string => (path === "" ? "the object" : code(path));

const fieldsOf = (entries: readonly RuleEntry[]): string => entries.map(fieldOf).join("<br>");

/** Rules of one kind as a table: one row for a rule that several fields have. */
export const rulesTable = (entries: readonly RuleEntry[]): string => {
  const words = (entry: RuleEntry): readonly string[] => [
    saidBy(entry),
    askedOf(entry),
    enforcedBy(entry),
    whyOf(entry),
  ];
  const rows = [...Map.groupBy(entries, (entry) => words(entry).join("\n")).values()];
  return table(
    ["Field", "Rule", "Only of", "Enforced by", "Why there"],
    rows.flatMap((same) => (same[0] === undefined ? [] : [[fieldsOf(same), ...words(same[0])]])),
  );
};
