import type { Rule } from "../schema.ts";
import { same, sameAt } from "./change.ts";
import type { Part } from "./parts.ts";

/**
 * The rules, asked when an object is made and whenever something that they read has changed: a field by its path, or what
 * a part makes of the value. By itself the API server repeats a rule whenever anything below its field changes, and would
 * then refuse every change of an object that an earlier provider let pass: it could no longer be finalized or be given
 * its id.
 */
export const unlessUnchanged = (read: readonly (string | Part)[], ...rules: readonly Rule[]): readonly Rule[] => {
  const unchanged = read
    .map((it) => (typeof it === "string" ? sameAt(it) : same(it))("self", "oldSelf.value()"))
    .join(" && ");
  return rules.map((rule) => ({
    ...rule,
    rule: `oldSelf.hasValue() && ${unchanged} || (${rule.rule})`,
    optionalOldSelf: true,
  }));
};
