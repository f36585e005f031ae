import type { Rule } from "../schema.ts";
import { type Change, same, sameAt, sameText } from "./change.ts";
import { present, valueOr } from "./parts.ts";

/**
 * A rule about change, said once for two places: in a definition it compares `self` with `oldSelf`, in the policy of a
 * template the same fields of two whole objects.
 *
 * What counts is what a field means: from absent to its default and back is no change. Earlier providers stored the
 * defaults in the spec; a user who applies a manifest without them takes them out again, and means the same.
 */
export interface ChangeRule {
  /** The field at fault, below the value. */
  readonly field: string;
  readonly holds: Change;
  readonly message: string;
  readonly messageExpression?: Change;
  readonly reason?: NonNullable<Rule["reason"]>;
}

/** A field stays as it is; `unless` is when it may change all the same. */
export const stays = (field: string, holds: Change, message: string, unless?: Change): ChangeRule => ({
  field,
  holds: unless === undefined ? holds : (now, was) => `${unless(now, was)} || ${holds(now, was)}`,
  message,
});

const forGood = (why: string): string => `must stay as it is, absent included: ${why}`;

/** A text that never changes; absent and empty are one. */
export const textStays = (field: string, why: string): ChangeRule => stays(field, sameText(field), forGood(why));

/** A flag that never changes; absent means false. */
export const flagStays = (field: string, why: string): ChangeRule =>
  stays(field, same(valueOr(field, "false")), `must stay as it is: ${why}`);

/** A number that never changes; absent and 0 are one. */
export const numberStays = (field: string, why: string): ChangeRule =>
  stays(field, same(valueOr(field, "0")), forGood(why));

/** A value that never changes. */
export const valueStays = (field: string, why: string): ChangeRule => stays(field, sameAt(field), forGood(why));

/** A value of one level that never changes once it is there. */
export const valueStaysOnceSet = (field: string, why: string): ChangeRule => ({
  field,
  holds: (now, was) => `!has(${was}.${field}) || has(${now}.${field}) && ${now}.${field} == ${was}.${field}`,
  message: `must stay once it is set: ${why}`,
});

/** A part that may change and come, but not go. */
export const partStays = (field: string, instead: string): ChangeRule => ({
  field,
  holds: (now, was) => `!${present(field)(was)} || ${present(field)(now)}`,
  message: `must not be taken away: ${instead}`,
});

/** The rule for the definition of the value, as a transition from `oldSelf` to `self`. */
export const transition = ({ field, holds, message, messageExpression, reason }: ChangeRule): Rule => ({
  rule: holds("self", "oldSelf"),
  message,
  ...(messageExpression !== undefined && { messageExpression: messageExpression("self", "oldSelf") }),
  fieldPath: `.${field}`,
  ...(reason !== undefined && { reason }),
});
