import { given, present, textOr } from "./effective.ts";
import type { Rule } from "./schema.ts";

/**
 * Rules about change, said once for two places: in a definition they compare `self` with `oldSelf`, in the policy of a
 * template the same fields of two whole objects. `now` and `was` are CEL for the two values.
 */
export interface ChangeRule {
  /** The field at fault, below the value. */
  readonly field: string;
  readonly holds: (now: string, was: string) => string;
  readonly message: string;
  readonly messageExpression?: (now: string, was: string) => string;
}

/** Whether a field is there that may be several levels down. */
export const isThere = (value: string, path: string): string =>
  path.includes(".") ? `(${present(path)(value)})` : present(path)(value);

/** Whether a text is there and says something: Go clients write "" for what is not set. */
export const isGiven = (value: string, path: string): string => given(path)(value);

/** The text of a field, or another one where it is not given. */
export const givenOr = (value: string, path: string, otherwise: string): string => textOr(path, () => otherwise)(value);

/** Equal, or absent on both sides. */
export const same = (now: string, was: string, path: string): string =>
  `(${isThere(now, path)} ? ${isThere(was, path)} && ${now}.${path} == ${was}.${path} : !${isThere(was, path)})`;

/** Equal texts, or given on neither side. */
const sameText = (now: string, was: string, path: string): string =>
  `(${isGiven(now, path)} ? ${isGiven(was, path)} && ${now}.${path} == ${was}.${path} : !${isGiven(was, path)})`;

/** Equal lists, where absent and empty are one. */
export const sameList = (now: string, was: string, path: string): string => {
  const full = (value: string): string => `(${isThere(value, path)} && size(${value}.${path}) > 0)`;
  return `(${full(now)} ? ${full(was)} && ${now}.${path} == ${was}.${path} : !${full(was)})`;
};

/** A text that never changes; absent and empty are one. */
export const textStays = (field: string, why: string): ChangeRule => ({
  field,
  holds: (now, was) => sameText(now, was, field),
  message: `must stay as it is, absent included: ${why}`,
});

/** A flag that never changes; absent means false. */
export const flagStays = (field: string, why: string): ChangeRule => ({
  field,
  holds: (now, was) =>
    `${now}.?${field.replaceAll(".", ".?")}.orValue(false) == ${was}.?${field.replaceAll(".", ".?")}.orValue(false)`,
  message: `must stay as it is: ${why}`,
});

/** A number that never changes; absent and 0 are one. */
export const numberStays = (field: string, why: string): ChangeRule => ({
  field,
  holds: (now, was) => `${now}.?${field}.orValue(0) == ${was}.?${field}.orValue(0)`,
  message: `must stay as it is, absent included: ${why}`,
});

/** A value that never changes. */
export const valueStays = (field: string, why: string): ChangeRule => ({
  field,
  holds: (now, was) => same(now, was, field),
  message: `must stay as it is, absent included: ${why}`,
});

/** A value of one level that never changes once it is there. */
export const valueStaysOnceSet = (field: string, why: string): ChangeRule => ({
  field,
  holds: (now, was) => `!has(${was}.${field}) || has(${now}.${field}) && ${now}.${field} == ${was}.${field}`,
  message: `must stay once it is set: ${why}`,
});

/** A part that may change and come, but not go. */
export const partStays = (field: string, instead: string): ChangeRule => ({
  field,
  holds: (now, was) => `!${isThere(was, field)} || ${isThere(now, field)}`,
  message: `must not be taken away: ${instead}`,
});

/** The rule for the definition of the value, as a transition from `oldSelf` to `self`. */
export const transition = ({ field, holds, message, messageExpression }: ChangeRule): Rule => ({
  rule: holds("self", "oldSelf"),
  message,
  ...(messageExpression !== undefined && { messageExpression: messageExpression("self", "oldSelf") }),
  fieldPath: `.${field}`,
});
