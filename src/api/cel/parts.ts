/**
 * Parts of rules in CEL. Paths go through `has()` and never through optionals (`self.?a.?b`), though these are shorter: of
 * a field that is reached by its path the API server knows the longest value, of anything else it assumes the worst and
 * refuses the rule as too dear.
 */

/** CEL about a value that is given by name: `self`, `oldSelf`, `object.spec`. */
export type Part = (self: string) => string;

const has = (self: string, path: string): string => {
  const steps = path.split(".");
  return steps.map((_, index) => `has(${self}.${steps.slice(0, index + 1).join(".")})`).join(" && ");
};

/** What stands in for a value that is not there: CEL, or a part of the same value. */
type Fallback = string | Part;
const or = (condition: string, path: string, fallback: Fallback, self: string): string =>
  `(${condition} ? ${self}.${path} : ${typeof fallback === "string" ? fallback : fallback(self)})`;

/** Whether there is a value at a path: `spec.networkSpec.vnet`. */
export const present =
  (path: string): Part =>
  (self) =>
    path.includes(".") ? `(${has(self, path)})` : has(self, path);

/** Whether a text is there and says something: Go clients write the empty one for what is not set. */
export const given =
  (path: string): Part =>
  (self) =>
    `(${has(self, path)} && ${self}.${path} != '')`;

/** Whether a list is there and has items. */
export const filled =
  (path: string): Part =>
  (self) =>
    `(${has(self, path)} && ${self}.${path}.size() > 0)`;

/** A text, and what it means when it is absent or empty. */
export const textOr =
  (path: string, fallback: Fallback): Part =>
  (self) =>
    or(`${has(self, path)} && ${self}.${path} != ''`, path, fallback, self);

/** A text as it is; absent and empty are one. */
export const textAt = (path: string): Part => textOr(path, "''");

/** A list, and what it means when it is absent or empty. */
export const listOr =
  (path: string, fallback: Fallback): Part =>
  (self) =>
    or(`${has(self, path)} && ${self}.${path}.size() > 0`, path, fallback, self);

/** Any other value, and what it means when it is absent. */
export const valueOr =
  (path: string, fallback: Fallback): Part =>
  (self) =>
    or(has(self, path), path, fallback, self);

/** Whether all items of a list that may be absent are as said of `item`. */
export const everyOf =
  (path: string, item: string, condition: string): Part =>
  (self) =>
    `(!${present(path)(self)} || ${self}.${path}.all(${item}, ${condition}))`;

/** Whether some item of a list that may be absent is as said of `item`. */
export const someOf =
  (path: string, item: string, condition: string): Part =>
  (self) =>
    `(${has(self, path)} && ${self}.${path}.exists(${item}, ${condition}))`;
