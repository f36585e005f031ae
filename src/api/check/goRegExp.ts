/**
 * Regular expressions in the syntax of Go (https://github.com/google/re2/wiki/Syntax), which patterns and `matches` of
 * the API server are in. What patterns use is the same in both languages but for what stands here.
 */

const posix: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  blank: "\\t ",
  digit: "0-9",
  lower: "a-z",
  punct: "!-\\/:-@\\[-`{-~",
  space: "\\t\\n\\v\\f\\r ",
  upper: "A-Z",
  word: "0-9A-Za-z_",
  xdigit: "0-9A-Fa-f",
};

/** Go's white space is ASCII only and has no vertical tab. */
const blanks = "\\t\\n\\f\\r ";
const syntax = /[\^$\\.*+?()[\]{}|/-]/;
const counted = /^\{\d+(,\d*)?\}/;

interface Piece {
  readonly text: string;
  /** How many characters of the source it stands for. */
  readonly length: number;
}

const escaped = (rest: string, inClass: boolean): Piece => {
  const [, hex] = /^\\x\{([0-9A-Fa-f]+)\}/.exec(rest) ?? [];
  if (hex !== undefined) return { text: `\\u{${hex}}`, length: hex.length + 4 };
  const [quoted, body] = /^\\Q(.*?)(?:\\E|$)/s.exec(rest) ?? [];
  if (quoted !== undefined) return { text: Array.from(body ?? "", literal).join(""), length: quoted.length };
  const [property, sign, name] = /^\\([pP])([A-Z])/.exec(rest) ?? [];
  if (property !== undefined) return { text: `\\${sign}{${name}}`, length: property.length };
  const [named, letter, not, word = ""] = /^\\([pP])\{(\^?)(\w+)\}/.exec(rest) ?? [];
  if (named !== undefined && not === "")
    return { text: `\\${letter}{${word.length > 2 ? `Script=${word}` : word}}`, length: named.length };
  const next = rest[1] ?? "";
  if (next === "z") return { text: "$", length: 2 };
  if (next === "A") return { text: "^", length: 2 };
  if (next === "a") return { text: "\\x07", length: 2 };
  if (next === "s") return { text: inClass ? blanks : `[${blanks}]`, length: 2 };
  if (next === "S" && !inClass) return { text: `[^${blanks}]`, length: 2 };
  if (/[\p{L}\p{N}]/u.test(next)) return { text: `\\${next}`, length: 2 };
  return { text: literal(next), length: 1 + next.length };
};

// Strict syntax knows escapes of syntax characters only; a hyphen outside of a class is none.
const literal = (character: string): string =>
  character === "-" ? "\\x2d" : syntax.test(character) ? `\\${character}` : character;

const classPiece = (rest: string): Piece => {
  const [named, not, name] = /^\[:(\^?)([a-z]+):\]/.exec(rest) ?? [];
  const known = posix[name ?? ""];
  if (named !== undefined && not === "" && known !== undefined) return { text: known, length: named.length };
  if (rest.startsWith("\\")) return escaped(rest, true);
  return rest.startsWith("[") ? { text: "\\[", length: 1 } : { text: rest[0] ?? "", length: 1 };
};

const characterClass = (rest: string): Piece => {
  const [opening = "["] = /^\[\^?\]?/.exec(rest) ?? [];
  let text = opening.endsWith("]") ? `${opening.slice(0, -1)}\\]` : opening;
  let length = opening.length;
  while (length < rest.length && rest[length] !== "]") {
    const piece = classPiece(rest.slice(length));
    text += piece.text;
    length += piece.length;
  }
  return { text: `${text}]`, length: length + 1 };
};

const piece = (rest: string): Piece => {
  switch (rest[0]) {
    case "\\":
      return escaped(rest, false);
    case "[":
      return characterClass(rest);
    case ".":
      return { text: "[^\\n]", length: 1 };
    case "{":
      return { text: counted.test(rest) ? "{" : "\\{", length: 1 };
    case "]":
      return { text: "\\]", length: 1 };
    case "(":
      return rest.startsWith("(?P<") ? { text: "(?<", length: 4 } : { text: "(", length: 1 };
    default:
      return { text: rest[0] ?? "", length: 1 };
  }
};

/** A `}` that closes no count is a character of its own. */
const closed = (pattern: string, at: number): boolean => {
  const opening = pattern.lastIndexOf("{", at);
  return opening >= 0 && (counted.exec(pattern.slice(opening))?.[0].length ?? 0) === at - opening + 1;
};

/**
 * The expression that matches where Go's does. Flags are understood at the beginning: `(?i)`. Throws for what is no
 * expression.
 */
export const goRegExp = (pattern: string): RegExp => {
  const [flags = "", letters = ""] = /^\(\?([is]+)\)/.exec(pattern) ?? [];
  let text = "";
  for (let at = flags.length; at < pattern.length; ) {
    const next = pattern[at] === "}" && !closed(pattern, at) ? { text: "\\}", length: 1 } : piece(pattern.slice(at));
    text += letters.includes("s") && pattern[at] === "." ? "[^]" : next.text;
    at += next.length;
  }
  return new RegExp(text, letters.includes("i") ? "iu" : "u");
};
