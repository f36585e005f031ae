import type { ChangeRule } from "../cel/changeRule.ts";
import type { PolicyRule } from "../definition/policy.ts";

/** Where the spec of what a template makes stands. */
export const templateSpec = "spec.template.spec";

/** A rule about change for the policy of a template; `now` and `was` are CEL for its specs. */
export const changePolicyRule =
  (now: string, was: string) =>
  ({ field, holds, message, messageExpression }: ChangeRule): PolicyRule => ({
    field: `${templateSpec}.${field}`,
    expression: holds(now, was),
    message,
    ...(messageExpression !== undefined && {
      messageExpression: `'${templateSpec}.${field}: ' + ${messageExpression(now, was)}`,
    }),
  });
