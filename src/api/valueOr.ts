/** `self.a.b.c` is there when each field on the way is; the first word always is. */
const isThere = (path: string): string =>
  path
    .split(".")
    .map((_, index, words) => words.slice(0, index + 1).join("."))
    .slice(1)
    .map((part) => `has(${part})`)
    .join(" && ");

/**
 * The value of a field of optional fields in CEL, such as `self.a.b`, or another one. Optionals (`self.?a.?b`) would say
 * it shorter, but the API server then takes the value for as long as can be and refuses the rule for its cost.
 */
export const valueOr = (path: string, fallback: string): string => `(${isThere(path)} ? ${path} : ${fallback})`;

/** Whether a field has one value in two objects, or is in neither, in CEL. */
export const isSameAt = (now: string, before: string, field: string): string =>
  `(has(${now}.${field}) ? has(${before}.${field}) && ${now}.${field} == ${before}.${field} : !has(${before}.${field}))`;
