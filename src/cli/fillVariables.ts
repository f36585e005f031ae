import type { Result } from "../core/types.ts";
import { type Piece, readTemplate } from "./readTemplate.ts";

/** What gives variables their values. */
export type Variables = Readonly<Record<string, string | undefined>>;

type Variable = Extract<Piece, { readonly kind: "variable" }>;

/** The variables that have neither a value nor a default, in their order. An empty default is none, as for `clusterctl`. */
export const unsetVariables = (pieces: readonly Piece[], variables: Variables): readonly Variable[] =>
  pieces.flatMap((piece) => {
    if (piece.kind === "text") return [];
    const { name, otherwise = [] } = piece;
    if (otherwise.length === 0) return variables[name] === undefined ? [piece] : [];
    return variables[name] ? [] : unsetVariables(otherwise, variables);
  });

const fill = (pieces: readonly Piece[], variables: Variables): string =>
  pieces
    .map((piece) => {
      if (piece.kind === "text") return piece.text;
      return variables[piece.name] || fill(piece.otherwise ?? [], variables);
    })
    .join("");

const lineOf = (template: string, at: number): number => template.slice(0, at).split("\n").length;

/**
 * A template filled from the environment, as `clusterctl generate cluster` does. The error is one sentence that names all
 * variables without a value, or the line that cannot be read.
 */
export const fillVariables = (template: string, variables: Variables): Result<string, string> => {
  const { pieces, problems } = readTemplate(template);
  const [bad] = problems;
  if (bad !== undefined) return { ok: false, error: `line ${lineOf(template, bad.offset)}: ${bad.message}` };
  const names = [...new Set(unsetVariables(pieces, variables).map(({ name }) => name))].toSorted();
  return names.length > 0
    ? { ok: false, error: `no value for ${names.join(", ")}: set them in the environment` }
    : { ok: true, value: fill(pieces, variables) };
};
