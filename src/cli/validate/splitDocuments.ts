/** A part of a text that is one YAML or JSON document. */
export interface Part {
  readonly text: string;
  /** Where it begins. */
  readonly offset: number;
}

const separator = /^---[ \t]*\r?$/gm;
const emptyLine = /^\s*(?:#.*)?$/;
const isEmpty = (text: string): boolean => text.split("\n").every((line) => emptyLine.test(line));

const betweenSeparators = (text: string): readonly Part[] => {
  const cuts = [...text.matchAll(separator)];
  const begins = [0, ...cuts.map(({ 0: found, index }) => index + found.length)];
  const ends = [...cuts.map(({ index }) => index), text.length];
  return begins.map((offset, index) => ({ text: text.slice(offset, ends[index]), offset }));
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const tokens = /"(?:[^"\\]|\\.)*"|[{}]/g;

/** Objects one after the other, as `kubectl` reads them too; undefined when the text is not that. */
const jsonObjects = ({ text, offset }: Part): readonly Part[] | undefined => {
  if (!text.trimStart().startsWith("{")) return undefined;
  const parts: Part[] = [];
  let [depth, since] = [0, 0];
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === "{") depth += 1;
    if (token === "}") depth -= 1;
    if (depth === 0) {
      parts.push({ text: text.slice(since, index + 1), offset: offset + since });
      since = index + 1;
    }
  }
  const complete = parts.length > 1 && text.slice(since).trim() === "";
  return complete && parts.every((part) => isJson(part.text)) ? parts : undefined;
};

/** The documents of a text, split where `kubectl` splits it, so that an error in one leaves the others alone. */
export const splitDocuments = (text: string): readonly Part[] =>
  betweenSeparators(text)
    .filter((part) => !isEmpty(part.text))
    .flatMap((part) => jsonObjects(part) ?? [part]);
