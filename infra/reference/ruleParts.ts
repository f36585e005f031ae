import type { RuleEntry } from "../../src/api/definition/rules.ts";
import { allRulesOf } from "./allRules.ts";
import { linkTo, wordsOf } from "./kindWords.ts";
import { prose } from "./markdown.ts";
import { rulesTable } from "./rulesTable.ts";

const sameAs = (path: string): string => path.replace(/^spec\.template\.spec\b/, "spec");
const key = ({ path, says, about }: RuleEntry): string => `${sameAs(path)}: ${says} (${about})`;

/** Rules with words of their own; limits stand beside their fields. */
const worded = (kind: string): readonly RuleEntry[] => allRulesOf(kind).filter(({ form }) => form === "rule");

/** The rules of a kind; of a template only those that what it makes does not have. */
export const rulePart = (kind: string): string => {
  const { makes } = wordsOf(kind);
  const shared = new Set(makes === undefined ? [] : worded(makes).map(key));
  const rules = worded(kind);
  const own = rules.filter((entry) => !shared.has(key(entry)));
  const inherited = rules.length - own.length;
  const parts = [
    inherited > 0 && makes !== undefined
      ? prose(
          `${inherited} rules of ${linkTo(makes, "#rules")} hold here too, for \`spec.template.spec\` in the place of \`spec\`.`,
        )
      : "",
    own.length > 0 ? rulesTable(own) : "",
  ].filter((part) => part !== "");
  const text = parts.length > 0 ? parts.join("\n\n") : "Beyond types and limits there are none.";
  return `## Rules\n\n${text}`;
};
