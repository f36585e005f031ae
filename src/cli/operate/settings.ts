import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { parseJson } from "../../core/parseJson.ts";
import { UserError } from "../userError.ts";

export type Env = Readonly<Record<string, string | undefined>>;

const read = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new UserError(`--settings ${file}: ${code === "ENOENT" ? "no such file" : `cannot be read (${code})`}`, 2);
  }
};

const valuesIn = (text: string): Env | undefined => {
  const json = parseJson(text);
  if (typeof json !== "object" || json === null || !("Values" in json)) return undefined;
  const { Values: values } = json;
  return typeof values === "object" && values !== null
    ? Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
    : undefined;
};

/**
 * Settings of the function app: those of a file, if one is named (NAME=value lines, or a `local.settings.json`), over
 * those of the environment.
 */
export const settingsOf = (file: string | undefined, env: Env): Env => {
  if (file === undefined) return env;
  const text = read(file);
  return { ...env, ...(valuesIn(text) ?? parseEnv(text)) };
};
