import type { Rule } from "./schema.ts";

/**
 * Parts of CEL rules. Paths go through `has()` and never through optionals: of a field that is reached by its path the API
 * server knows the longest value, of anything else it assumes the worst and refuses the rule as too dear.
 */

/** CEL below a value that is given by name: `self`, `oldSelf`. */
export type Input = (self: string) => string;

/** Whether there is a value at a path: `spec.networkSpec.vnet`. */
export const present =
  (path: string): Input =>
  (self) => {
    const steps = path.split(".");
    return steps.map((_, index) => `has(${self}.${steps.slice(0, index + 1).join(".")})`).join(" && ");
  };

/** Whether a text is there and says something: Go clients write the empty one for what is not set. */
export const given =
  (path: string): Input =>
  (self) =>
    `(${present(path)(self)} && ${self}.${path} != '')`;

/** A text, and what it means when it is absent or empty: CEL. */
export const textOr =
  (path: string, fallback: Input): Input =>
  (self) =>
    `(${given(path)(self)} ? ${self}.${path} : ${fallback(self)})`;

/** A text as it is. */
export const textAt = (path: string): Input => textOr(path, () => "''");

/** Any other value, and what it means when it is absent: CEL. */
export const valueOr =
  (path: string, fallback: string): Input =>
  (self) =>
    `(${present(path)(self)} ? ${self}.${path} : ${fallback})`;

/** Whether all items of a list that may be absent, or some of them, are as said of `item`. */
export const everyOf =
  (path: string, item: string, condition: string): Input =>
  (self) =>
    `(!(${present(path)(self)}) || ${self}.${path}.all(${item}, ${condition}))`;
export const someOf =
  (path: string, item: string, condition: string): Input =>
  (self) =>
    `(${present(path)(self)} && ${self}.${path}.exists(${item}, ${condition}))`;

/** The new and the old object mean the same. */
export const same = (value: Input): string => `${value("self")} == ${value("oldSelf")}`;

/** The new and the old object have the same items, in any order. */
export const sameSet = (value: Input): string => {
  const [now, before] = [value("self"), value("oldSelf")];
  return `${now}.all(x, x in ${before}) && ${before}.all(x, x in ${now})`;
};

export const both = (condition: Input): string => `(${condition("self")} && ${condition("oldSelf")})`;

/**
 * A rule that a field stays as it is, by what it means: from absent to its default and back is no change. Earlier
 * providers stored the defaults in the spec; a user who applies a manifest without them takes them out again, and means
 * the same. `unless` is when it may change all the same.
 */
export const stays = (fieldPath: string, condition: string, message: string, unless?: string): Rule => ({
  rule: unless === undefined ? condition : `${unless} || ${condition}`,
  message,
  fieldPath: `.${fieldPath}`,
});
