import type { Input } from "./effective.ts";
import type { Rule } from "./schema.ts";

/**
 * The rule, not asked again of an object in which nothing that it reads has changed. By itself the API server repeats a
 * rule whenever anything below its field changes, and would then refuse every change of an object that was there before
 * the rule.
 */
export const unlessUnchanged = (rule: Rule, ...inputs: readonly Input[]): Rule => ({
  ...rule,
  rule: `oldSelf.hasValue() && ${inputs.map((input) => `${input("self")} == ${input("oldSelf.value()")}`).join(" && ")} || (${rule.rule})`,
  optionalOldSelf: true,
});
