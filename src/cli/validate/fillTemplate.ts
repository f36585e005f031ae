import { unsetVariables, type Variables } from "../fillVariables.ts";
import { type Piece, readTemplate, type TemplateProblem } from "../readTemplate.ts";

/** A template with its variables filled that still knows where each part of it comes from. */
export interface Filled {
  readonly text: string;
  /** Offset in the template of what stands at an offset of the text. */
  readonly origin: (offset: number) => number;
  /** What cannot be read, and variables without a value, once each. In the text a word stands in for these. */
  readonly problems: readonly TemplateProblem[];
}

/** A part of the filled text. */
interface Chunk {
  readonly text: string;
  /** Where it comes from. */
  readonly offset: number;
  /** Whether it stands in the template as it is; a value comes from the variable as a whole. */
  readonly verbatim: boolean;
}

const standIn = (name: string): string => `unset-variable-${name}`;

/** Whether a value holds a variable that has no value, so that nothing can be said of it. */
export const isUnset = (written: string): boolean => written.includes(standIn(""));

const chunksOf = (pieces: readonly Piece[], variables: Variables): readonly Chunk[] =>
  pieces.flatMap((piece) => {
    if (piece.kind === "text") return [{ text: piece.text, offset: piece.offset, verbatim: true }];
    const { name, otherwise = [], offset } = piece;
    const value = variables[name];
    if (value) return [{ text: value, offset, verbatim: false }];
    if (otherwise.length > 0) return chunksOf(otherwise, variables);
    return [{ text: value ?? standIn(name), offset, verbatim: false }];
  });

/** The last of the starts that is not beyond the offset. */
const lastBefore = (starts: readonly number[], offset: number): number => {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
};

const originIn = (chunks: readonly Chunk[]): Filled["origin"] => {
  const starts: number[] = [];
  let length = 0;
  for (const { text } of chunks) {
    starts.push(length);
    length += text.length;
  }
  return (offset) => {
    const index = lastBefore(starts, offset);
    const chunk = chunks[index];
    if (chunk === undefined) return offset;
    return chunk.verbatim ? chunk.offset + offset - (starts[index] ?? 0) : chunk.offset;
  };
};

const firstOfEach = (unset: ReturnType<typeof unsetVariables>): readonly TemplateProblem[] =>
  [...Map.groupBy(unset, ({ name }) => name)].map(([name, [first]]) => ({
    offset: first?.offset ?? 0,
    message: `no value for the variable ${name}: give one in the environment or by --set ${name}=…`,
  }));

/** Fills a template as far as it goes. */
export const fillTemplate = (template: string, variables: Variables): Filled => {
  const { pieces, problems } = readTemplate(template);
  const chunks = chunksOf(pieces, variables).filter(({ text }) => text !== "");
  return {
    text: chunks.map(({ text }) => text).join(""),
    origin: originIn(chunks),
    problems: [...problems, ...firstOfEach(unsetVariables(pieces, variables))],
  };
};

/** A text that holds no variables. */
export const unfilled = (text: string): Filled => ({ text, origin: (offset) => offset, problems: [] });
