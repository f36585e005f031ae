import { infrastructureKinds } from "../../src/api/registry.ts";
import { reasons } from "../../src/core/reasons.ts";
import { conditionTypesOf } from "./conditionTypes.ts";
import { linkTo } from "./kindWords.ts";
import { code, inline, note, page, prose, table } from "./markdown.ts";

/** The conditions of a kind, for its page. */
export const conditionPart = (kind: string): string | undefined => {
  const types = conditionTypesOf(kind);
  if (types.length === 0) return undefined;
  const rows = types.map(({ type, meaning, reasons: why }) => [code(type), meaning, why.map(code).join(", ")]);
  return [
    "## Conditions",
    prose(`What the reasons mean: [conditions.md](conditions.md#reasons).`),
    table(["Condition", "True when", "Reasons when not"], rows),
  ].join("\n\n");
};

const typeRows = (): readonly (readonly string[])[] => {
  const all = infrastructureKinds.flatMap(({ kind }) => conditionTypesOf(kind).map((type) => ({ kind, ...type })));
  return [...Map.groupBy(all, ({ type }) => type)].map(([type, found]) => [
    code(type),
    found.map(({ kind }) => linkTo(kind, "#conditions")).join(", "),
    found[0]?.meaning ?? "",
  ]);
};

/** All condition types and reasons. */
export const conditionsPage = (): string =>
  page(
    "# Conditions and reasons",
    note,
    prose(
      "Conditions stand in `status.conditions` in the shape of Cluster API's v1beta1 contract: `type`, `status`, and, where " +
        "the status is `False`, `severity`, `reason` and `message`. An `Error` mostly needs a person, a `Warning` stops only " +
        "its own part, `Info` is progress. Nothing is failed for ever: it is tried again, more slowly each time.",
    ),
    `## Types\n\n${table(["Condition", "Kinds", "True when"], typeRows())}`,
    [
      "## Reasons",
      prose(
        "A reason stands in `reason` of a condition, or, where a call failed, as the code in its message. Codes of Azure's " +
          "own appear there too, with Azure's words.",
      ),
      table(
        ["Reason", "Meaning"],
        Object.entries(reasons)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([reason, meaning]) => [code(reason), inline(meaning)]),
      ),
    ].join("\n\n"),
  );
