/** Every leaf of a value by its path; empty texts say nothing. */
export const leaves = (value: unknown, path = ""): readonly (readonly [string, unknown])[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => leaves(inner, `${path}/${name}`))
    : [[path, value] as const].filter(([, leaf]) => leaf !== "");
