import type { YAMLError } from "yaml";

/** By what the parser says; the first that fits. */
const ofMessage: readonly (readonly [RegExp, string])[] = [
  [/^A block sequence may not/, "the items of a list must begin in the same column"],
  [/^Implicit map keys/, 'a key must have a colon and a value ("name: value"): is a colon missing, or indentation?'],
  [/^Flow \w+ in block/, "brackets opened before are not closed, or this line within them is indented too little"],
  [/^All mapping items/, "the keys of a mapping must begin in the same column"],
  [/^All sequence items/, "the items of a list must begin in the same column"],
  [/^Sequence item without/, 'an item of a list must begin with "- "'],
  [/^Unexpected block-seq-ind/, "a list must begin in a line of its own, below its key"],
  [/^Missing closing/, "a quote is opened and not closed"],
  [/^Missing space after :/, "a colon must have a space after it"],
  [/^Missing , /, "a comma is missing between items in brackets"],
  [/^Not a YAML token|^Block scalar/, "after | or > a text must begin in the next line, with all its lines indented"],
  [/^Unexpected flow-/, "a bracket is closed that is not open"],
  [/ at node end$/, "something follows a value that has ended: is a quote, a comma or a colon missing?"],
];

/** By the parser's code for it. */
const ofCode: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: "YAML is indented with spaces, not tabs",
  BLOCK_AS_IMPLICIT_KEY:
    'a second ": " in the same line: put the value in quotes, or check the indentation of what follows',
  MULTILINE_IMPLICIT_KEY: "a key must have its colon in its own line: is a colon missing, or indentation?",
  BLOCK_IN_FLOW: 'a second ": " within brackets: is a bracket or a quote not closed?',
  BAD_ALIAS: "a text that begins with * or & must be in quotes",
  BAD_SCALAR_START: "a text that begins with this character must be in quotes",
  BAD_DQ_ESCAPE: "no such escape: write a backslash twice, or the text in single quotes",
};

/** What is wrong with YAML, in the words of whoever wrote the file rather than of whoever wrote the parser. */
export const yamlWords = ({ code, message }: Pick<YAMLError, "code" | "message">): string => {
  const words = ofMessage.find(([pattern]) => pattern.test(message))?.[1] ?? ofCode[code] ?? message;
  return `not valid YAML: ${words}`;
};
