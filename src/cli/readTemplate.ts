/** One piece of a template, with its offset: text as it is, or a variable with what stands in when it is not set. */
export type Piece =
  | { readonly kind: "text"; readonly text: string; readonly offset: number }
  | {
      readonly kind: "variable";
      readonly name: string;
      readonly otherwise: readonly Piece[] | undefined;
      readonly offset: number;
    };

/** A place in a template that cannot be read. */
export interface TemplateProblem {
  readonly offset: number;
  readonly message: string;
}

/** A template in pieces. What cannot be read is text. */
export interface Template {
  readonly pieces: readonly Piece[];
  readonly problems: readonly TemplateProblem[];
}

interface Read<T> {
  readonly value: T;
  /** Where reading goes on. */
  readonly end: number;
}

/** Ends the reading of one variable; never leaves this file. */
class Unreadable extends Error {
  override readonly name = "Unreadable";
  readonly offset: number;
  /** Whether the template ended before the variable did. */
  readonly unended: boolean;
  constructor(offset: number, unended: boolean, message: string) {
    super(message);
    this.offset = offset;
    this.unended = unended;
  }
}

const opening = /\$\{\s*([A-Za-z0-9_]+)\s*/y;
/** As `clusterctl`: all of them take what follows when the variable is empty or not set. */
const operator = /:=|:-|=/y;

const match = (pattern: RegExp, template: string, offset: number): RegExpExecArray | null => {
  pattern.lastIndex = offset;
  return pattern.exec(template);
};

/** Defaults in defaults, more than anybody writes. */
const deepest = 50;

const readVariable = (template: string, offset: number, depth: number): Read<Piece> => {
  const opened = match(opening, template, offset);
  const name = opened?.[1];
  const bad = (at: number): never => {
    const shown = template.slice(offset, offset + 40).split("\n")[0];
    throw new Unreadable(offset, at >= template.length, `cannot read ${shown}`);
  };
  if (depth > deepest) return bad(template.length);
  if (opened === null || name === undefined) return bad(offset);
  const after = offset + opened[0].length;
  if (template[after] === "}")
    return { value: { kind: "variable", name, otherwise: undefined, offset }, end: after + 1 };
  const operation = match(operator, template, after);
  if (operation === null) return bad(after);
  const { value: otherwise, end } = readDefault(template, after + operation[0].length, depth);
  if (template[end] !== "}") return bad(end);
  return { value: { kind: "variable", name, otherwise, offset }, end: end + 1 };
};

const textBetween = (template: string, from: number, to: number): readonly Piece[] =>
  from === to ? [] : [{ kind: "text", text: template.slice(from, to), offset: from }];

/** Two dollar signs are two in a default, as `clusterctl` has it. */
const readDefault = (template: string, from: number, depth: number): Read<readonly Piece[]> => {
  const pieces: Piece[] = [];
  let since = from;
  let at = from;
  while (at < template.length && template[at] !== "}") {
    if (template.startsWith("${", at)) {
      const { value, end } = readVariable(template, at, depth + 1);
      pieces.push(...textBetween(template, since, at), value);
      at = end;
      since = end;
    } else at += 1;
  }
  return { value: [...pieces, ...textBetween(template, since, at)], end: at };
};

const tryVariable = (template: string, offset: number): Read<Piece> | Unreadable => {
  try {
    return readVariable(template, offset, 0);
  } catch (error) {
    if (error instanceof Unreadable) return error;
    throw error;
  }
};

/**
 * Reads a template with `${NAME}`, `${NAME:=default}`, `${NAME:-default}` and `${NAME=default}` as `clusterctl` does; a
 * default may hold variables itself, `$$` outside of one is a dollar sign.
 */
export const readTemplate = (template: string): Template => {
  const pieces: Piece[] = [];
  const problems: TemplateProblem[] = [];
  let since = 0;
  let at = template.indexOf("$");
  while (at !== -1) {
    if (template.startsWith("$$", at)) {
      pieces.push(...textBetween(template, since, at + 1));
      since = at + 2;
      at = since;
    } else if (template.startsWith("${", at)) {
      const read = tryVariable(template, at);
      if (read instanceof Unreadable) {
        problems.push({ offset: read.offset, message: read.message });
        // Nothing after it could be told from its default.
        at = read.unended ? template.length : at + 2;
      } else {
        pieces.push(...textBetween(template, since, at), read.value);
        at = read.end;
        since = read.end;
      }
    } else at += 1;
    at = template.indexOf("$", at);
  }
  return { pieces: [...pieces, ...textBetween(template, since, template.length)], problems };
};
