import { isUtf8 } from "node:buffer";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** A text to check. */
export interface Source {
  /** As problems name it: the path as it was given, `-` for standard input. */
  readonly name: string;
  readonly text: string;
}

export interface Sources {
  readonly sources: readonly Source[];
  /** Files that could not be read, a sentence each. */
  readonly unreadable: readonly string[];
}

/** As `kubectl apply -f FOLDER` has them. */
const manifestFile = /\.(?:json|ya?ml)$/;
const standardInput = "-";

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "no such file or folder",
  EACCES: "not allowed to read it",
  EISDIR: "is a folder",
};

const sentence = (name: string, error: unknown): string => {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  return `${name}: ${reasons[code] ?? `cannot be read: ${code}`}`;
};

const notText = "not text in UTF-8, as YAML and JSON have to be";

/** The files that a path stands for. */
const filesOf = async (path: string, recursive: boolean): Promise<readonly string[]> => {
  if (path === standardInput || !(await stat(path)).isDirectory()) return [path];
  const entries = (await readdir(path, { withFileTypes: true })).toSorted((one, other) =>
    one.name < other.name ? -1 : 1,
  );
  const found = await Promise.all(
    entries.map(async (entry) => {
      const inner = join(path, entry.name);
      if (entry.isDirectory()) return recursive ? filesOf(inner, true) : [];
      return manifestFile.test(entry.name) ? [inner] : [];
    }),
  );
  return found.flat();
};

// An editor's mark at the beginning is no content, and no column.
const withoutMark = (text: string): string => (text.startsWith("\uFEFF") ? text.slice(1) : text);

/** The text of a file, or why there is none. */
const readOne = async (name: string, stdin: () => Promise<string>): Promise<Source | string> => {
  try {
    if (name === standardInput) return { name, text: withoutMark(await stdin()) };
    const bytes = await readFile(name);
    return isUtf8(bytes) ? { name, text: withoutMark(bytes.toString("utf8")) } : `${name}: ${notText}`;
  } catch (error) {
    return sentence(name, error);
  }
};

/** Reads files, folders and, for `-`, standard input, each once. */
export const readSources = async (
  paths: readonly string[],
  recursive: boolean,
  stdin: () => Promise<string>,
): Promise<Sources> => {
  const read = new Map<string, Source | string>();
  const without: string[] = [];
  for (const path of paths) {
    try {
      const files = await filesOf(path, recursive);
      if (files.length === 0) without.push(`${path}: holds no .json, .yaml or .yml file`);
      for (const file of files) if (!read.has(file)) read.set(file, await readOne(file, stdin));
    } catch (error) {
      without.push(sentence(path, error));
    }
  }
  const all = [...read.values()];
  return {
    sources: all.filter((one) => typeof one !== "string"),
    unreadable: [...without, ...all.filter((one) => typeof one === "string")],
  };
};
