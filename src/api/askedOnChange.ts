import type { Rule } from "./schema.ts";
import { isSameAt } from "./valueOr.ts";

/**
 * Rules about several fields of one object, asked when it is made and whenever one of those fields changes. Without this
 * the API server would ask them again on every change of anything below, and an object that an earlier provider let pass
 * could no longer be finalized or be given its id.
 */
export const askedOnChange = (fields: readonly string[], ...rules: readonly Rule[]): readonly Rule[] => {
  const same = fields.map((field) => isSameAt("self", "oldSelf.value()", field)).join(" && ");
  return rules.map(({ rule, ...rest }) => ({
    ...rest,
    rule: `(oldSelf.hasValue() && ${same}) || (${rule})`,
    optionalOldSelf: true,
  }));
};
