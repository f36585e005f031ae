import { type Document, isAlias, isScalar, LineCounter, parseAllDocuments, visit, type YAMLMap } from "yaml";
import type { Json } from "../../core/types.ts";
import type { Filled } from "./fillTemplate.ts";
import { isMergeKey } from "./nodeAt.ts";
import { kubectlScalars } from "./scalars.ts";
import { type Part, splitDocuments } from "./splitDocuments.ts";
import { yamlWords } from "./yamlWords.ts";

/** A place in a file as editors count: from 1. */
export interface Location {
  readonly line: number;
  readonly column: number;
}

/** Something that is wrong at a place of a text. */
export interface TextProblem extends Location {
  /** A warning leaves the document a value. */
  readonly severity: "error" | "warning";
  readonly message: string;
}

/** One document that could be read. */
export interface ReadDocument {
  readonly value: Json;
  readonly document: Document;
  /** Where an offset of the document's nodes lies in the file. */
  readonly locate: (offset: number) => Location;
}

export interface ReadDocuments {
  readonly documents: readonly ReadDocument[];
  readonly problems: readonly TextProblem[];
}

interface Fault {
  readonly offset: number;
  readonly message: string;
  readonly severity: TextProblem["severity"];
}

const error = (offset: number, message: string): Fault => ({ offset, message, severity: "error" });

const duplicateKeys = (map: YAMLMap, lineOf: (offset: number) => number): readonly Fault[] => {
  const first = new Map<string, number>();
  return map.items.flatMap(({ key }) => {
    if (!isScalar(key) || isMergeKey(key)) return [];
    const name = String(key.value);
    const offset = key.range?.[0] ?? 0;
    const before = first.get(name);
    if (before === undefined) first.set(name, offset);
    if (before === undefined) return [];
    const message = `the key ${name} stands here again, first in line ${lineOf(before)}: kubectl takes the last`;
    return [{ offset, message, severity: "warning" }];
  });
};

const badKey = (key: unknown): boolean => !isScalar(key) || key.value === null;

/** What YAML can say and JSON cannot. */
const faultsOf = (document: Document, lineOf: (offset: number) => number): readonly Fault[] => {
  const faults: Fault[] = [];
  const say = (node: { readonly range?: readonly number[] | null | undefined }, message: string): void => {
    faults.push(error(node.range?.[0] ?? 0, message));
  };
  visit(document, {
    Map: (_, map) => {
      faults.push(...duplicateKeys(map, lineOf));
      if (map.items.some(({ key }) => badKey(key) && !isAlias(key))) say(map, "a key must be a text");
    },
    Scalar: (_, scalar) => {
      if (typeof scalar.value === "number" && !Number.isFinite(scalar.value)) say(scalar, "not a number of JSON");
    },
    Alias: (_, alias, path) => {
      const meant = alias.resolve(document);
      const { source } = alias;
      if (meant === undefined) say(alias, `no anchor &${source} before this alias`);
      else if (path.includes(meant))
        say(alias, `the alias *${source} stands within its own anchor &${source}: a value cannot contain itself`);
    },
  });
  return faults;
};

/** The value, or why there is none. */
const jsonOf = (document: Document): { readonly value: Json } | { readonly fault: Fault } => {
  const start = document.contents?.range?.[0] ?? 0;
  try {
    // The cast: JSON is JSON.
    return { value: JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 100 })) ?? "null") as Json };
  } catch (thrown) {
    if (thrown instanceof ReferenceError) return { fault: error(start, "its aliases multiply to more than is read") };
    const said = thrown instanceof Error ? thrown.message.split("\n")[0] : String(thrown);
    return { fault: error(start, `not YAML that JSON can say: ${said}`) };
  }
};

interface ReadPart {
  readonly documents: readonly ReadDocument[];
  readonly faults: readonly Fault[];
}

const readDocument = (document: Document, locate: ReadDocument["locate"]): ReadPart => {
  const [said] = document.errors;
  if (said !== undefined) return { documents: [], faults: [error(said.pos[0], yamlWords(said))] };
  const faults = faultsOf(document, (offset) => locate(offset).line);
  if (faults.some(({ severity }) => severity === "error")) return { documents: [], faults };
  const read = jsonOf(document);
  if ("fault" in read) return { documents: [], faults: [...faults, read.fault] };
  return { documents: read.value === null ? [] : [{ value: read.value, document, locate }], faults };
};

const readPart = ({ text, offset }: Part, at: ReadDocument["locate"]): ReadPart => {
  const parsed: readonly Document[] = parseAllDocuments(text, parsing);
  // Only directives make a part that is not empty, but no document.
  if (parsed.length === 0)
    return {
      documents: [],
      faults: [error(offset + text.search(/\S/), "not valid YAML: kubectl takes no directives")],
    };
  const read = parsed.map((document) => readDocument(document, (inPart) => at(offset + inPart)));
  return {
    documents: read.flatMap(({ documents }) => documents),
    faults: read.flatMap(({ faults }) => faults).map((fault) => ({ ...fault, offset: offset + fault.offset })),
  };
};

const parsing = {
  schema: "core",
  merge: true,
  customTags: kubectlScalars,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: "error",
} as const;

const tooDeep = (offset: number): Fault => error(offset, "not valid YAML: nested too deeply to be read");

const tryPart = (part: Part, at: ReadDocument["locate"]): ReadPart => {
  try {
    return readPart(part, at);
  } catch (thrown) {
    if (thrown instanceof RangeError) return { documents: [], faults: [tooDeep(part.offset)] };
    throw thrown;
  }
};

/** Line and column in the file of an offset in the filled text. */
const locator = (template: string, { origin }: Filled): ((offset: number) => Location) => {
  const counter = new LineCounter();
  counter.addNewLine(0);
  for (const { index } of template.matchAll(/\n/g)) counter.addNewLine(index + 1);
  return (offset) => {
    const { line, col } = counter.linePos(Math.min(origin(offset), template.length));
    return { line, column: col };
  };
};

/** All documents of a text, as `kubectl` reads them; empty ones are left out, broken ones are problems. */
export const readDocuments = (template: string, filled: Filled): ReadDocuments => {
  const at = locator(template, filled);
  const inTemplate = locator(template, { ...filled, origin: (offset) => offset });
  const parts = splitDocuments(filled.text).map((part) => tryPart(part, at));
  return {
    documents: parts.flatMap(({ documents }) => documents),
    problems: [
      ...filled.problems.map(({ offset, message }) => ({ ...inTemplate(offset), severity: "error" as const, message })),
      ...parts.flatMap(({ faults }) => faults).map(({ offset, ...said }) => ({ ...at(offset), ...said })),
    ],
  };
};
