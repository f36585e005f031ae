/** A value, or all that is wrong with what it should be made of. */
export type Parsed<T> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "problems"; readonly problems: readonly string[] };

export const ok = <T>(value: T): Parsed<T> => ({ kind: "ok", value });
export const problem = (...problems: readonly string[]): Parsed<never> => ({ kind: "problems", problems });

export const problemsOf = (...parts: readonly Parsed<unknown>[]): readonly string[] =>
  parts.flatMap((part) => (part.kind === "problems" ? part.problems : []));
