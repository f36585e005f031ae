import type { Rule } from "../../schema.ts";
import type { Step } from "../finding.ts";
import { lazy } from "../lazy.ts";
import { type CelEnvironment, celEnvironment, type Expression } from "./celEnvironment.ts";

/** A rule of a definition, ready to be asked. */
export interface CelRule {
  readonly message: string;
  /** Whether it compares with the former value; such rules are asked of changes only, and see to old mistakes themselves. */
  readonly aboutChange: boolean;
  /** Whether it is also asked of a value that was not there before. */
  readonly optionalOldSelf: boolean;
  /** The field at fault below the value. */
  readonly below: readonly Step[];
  readonly holds: Expression;
  readonly words?: Expression;
}

const environment = lazy((): CelEnvironment => celEnvironment(["self", "oldSelf"]));

/** Parsed when first asked: most objects use few parts of a definition. */
const later = (source: string): Expression => {
  const expression = lazy(() => environment().expression(source));
  return (variables) => expression()(variables);
};

/** `.a.b` or `['a.b']`. */
const stepsOf = (fieldPath: string): readonly Step[] =>
  [...fieldPath.matchAll(/\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]/g)].map(
    ([, name, quoted]) => name ?? (quoted ?? "").replaceAll(/\\(.)/g, "$1"),
  );

export const celRule = (rule: Rule): CelRule => ({
  message: rule.message.trim(),
  aboutChange: /\boldSelf\b/.test(rule.rule),
  optionalOldSelf: rule.optionalOldSelf === true,
  below: stepsOf(rule.fieldPath ?? ""),
  holds: later(rule.rule),
  ...(rule.messageExpression !== undefined && { words: later(rule.messageExpression) }),
});

/** The former value as a rule with `optionalOldSelf` sees it. */
export const optionalOldSelf = (value: unknown): unknown => environment().optional(value);
