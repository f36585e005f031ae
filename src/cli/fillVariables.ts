import type { Result } from "../core/types.ts";

/** One piece of a template: text as it is, or a variable with what stands in when it is not set. */
type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "variable"; readonly name: string; readonly otherwise: readonly Piece[] | undefined };

interface Read<T> {
  readonly value: T;
  /** Where reading goes on. */
  readonly end: number;
}

/** A template that cannot be read. */
class TemplateError extends Error {
  override readonly name = "TemplateError";
}

const lineOf = (template: string, at: number): number => template.slice(0, at).split("\n").length;

const opening = /\$\{\s*([A-Za-z0-9_]+)\s*/y;
/** As `clusterctl`: all of them take what follows when the variable is empty or not set. */
const operator = /:=|:-|=/y;

const match = (pattern: RegExp, template: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(template);
};

const readVariable = (template: string, at: number): Read<Piece> => {
  const opened = match(opening, template, at);
  const name = opened?.[1];
  const bad = (): never => {
    const shown = template.slice(at, at + 40).split("\n")[0];
    throw new TemplateError(`line ${lineOf(template, at)}: cannot read ${shown}`);
  };
  if (opened === null || name === undefined) return bad();
  const after = at + opened[0].length;
  if (template[after] === "}") return { value: { kind: "variable", name, otherwise: undefined }, end: after + 1 };
  const operation = match(operator, template, after);
  if (operation === null) return bad();
  const { value: otherwise, end } = readPieces(template, after + operation[0].length, true);
  if (template[end] !== "}") return bad();
  return { value: { kind: "variable", name, otherwise }, end: end + 1 };
};

/** `$$` is a dollar sign outside of a default; inside one it is two, as `clusterctl` has it. */
const readPieces = (template: string, from: number, inDefault: boolean): Read<readonly Piece[]> => {
  const pieces: Piece[] = [];
  let text = "";
  let at = from;
  while (at < template.length && !(inDefault && template[at] === "}")) {
    if (!inDefault && template.startsWith("$$", at)) {
      text += "$";
      at += 2;
    } else if (template.startsWith("${", at)) {
      const variable = readVariable(template, at);
      pieces.push({ kind: "text", text }, variable.value);
      text = "";
      at = variable.end;
    } else {
      text += template[at];
      at += 1;
    }
  }
  return { value: [...pieces, { kind: "text", text }], end: at };
};

type Environment = Readonly<Record<string, string | undefined>>;

/** The names that neither the environment nor a default gives a value for. An empty default is none, as for `clusterctl`. */
const missing = (pieces: readonly Piece[], env: Environment): readonly string[] =>
  pieces.flatMap((piece) => {
    if (piece.kind === "text") return [];
    const { name, otherwise = [] } = piece;
    const given = otherwise.some((inner) => inner.kind === "variable" || inner.text !== "");
    if (!given) return env[name] === undefined ? [name] : [];
    return env[name] ? [] : missing(otherwise, env);
  });

const fill = (pieces: readonly Piece[], env: Environment): string =>
  pieces
    .map((piece) => {
      if (piece.kind === "text") return piece.text;
      return env[piece.name] || fill(piece.otherwise ?? [], env);
    })
    .join("");

/**
 * A template with `${NAME}`, `${NAME:=default}`, `${NAME:-default}` and `${NAME=default}` filled from the environment, as
 * `clusterctl generate cluster` does; a default may hold variables itself. The error is one sentence that names all
 * variables without a value, or the line that cannot be read.
 */
export const fillVariables = (template: string, env: Environment): Result<string, string> => {
  try {
    const pieces = readPieces(template, 0, false).value;
    const names = [...new Set(missing(pieces, env))].toSorted();
    if (names.length > 0) return { ok: false, error: `no value for ${names.join(", ")}: set them in the environment` };
    return { ok: true, value: fill(pieces, env) };
  } catch (error) {
    if (error instanceof TemplateError) return { ok: false, error: error.message };
    throw error;
  }
};
