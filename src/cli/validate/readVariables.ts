import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { isObject } from "../../api/json.ts";
import type { Json } from "../../core/types.ts";
import type { Variables } from "../fillVariables.ts";
import { UserError } from "../userError.ts";
import { usageStatus } from "./validateOptions.ts";

const bad = (message: string): never => {
  throw new UserError(message, usageStatus);
};

/** `NAME=VALUE`, as `--set` takes it. */
const assigned = (text: string): readonly [string, string] => {
  const [, name, value] = /^(\w+)=(.*)$/s.exec(text) ?? [];
  return name === undefined || value === undefined ? bad(`--set ${text}: must be NAME=VALUE`) : [name, value];
};

const inFile = async (file: string): Promise<readonly (readonly [string, string])[]> => {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    return bad(code === "ENOENT" ? `${file}: no such file` : `${file}: cannot be read: ${code}`);
  });
  try {
    // The cast: what YAML gives with its core schema is JSON, keys of texts.
    const values = parse(text, { schema: "failsafe", prettyErrors: false }) as Json;
    const entries = isObject(values) ? Object.entries(values) : undefined;
    const texts = entries?.filter((entry): entry is [string, string] => typeof entry[1] === "string");
    if (texts !== undefined && texts.length === entries?.length) return texts;
  } catch {
    // Its words might hold a value.
  }
  return bad(`${file}: must be YAML of lines such as NAME: value`);
};

/** Values of variables: those of `--set` before those of the file, these before the environment. */
export const readVariables = async (
  env: Variables,
  file: string | undefined,
  set: readonly string[],
): Promise<Variables> =>
  Object.assign(
    // Without a prototype, or a variable could be called `constructor`.
    Object.create(null) as Variables,
    env,
    Object.fromEntries(file === undefined ? [] : await inFile(file)),
    Object.fromEntries(set.map(assigned)),
  );
