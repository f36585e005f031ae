import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import { validate } from "../../../src/cli/validate/validate.ts";
import type { ValidateOptions } from "../../../src/cli/validate/validateOptions.ts";

/** What the command printed, and how it ended. */
export interface Said {
  readonly status: number;
  /** The result, with file names as they were written. */
  readonly lines: readonly string[];
  readonly notes: readonly string[];
}

type Asked = Partial<Omit<ValidateOptions, "filename">> & { readonly env?: Readonly<Record<string, string>> };

/** Runs `capstan validate` in this process on a text that comes by standard input, or on files. */
export const validated = async (from: string | readonly string[], asked: Asked = {}): Promise<Said> => {
  const { env = {}, ...options } = asked;
  const lines: string[] = [];
  const notes: string[] = [];
  const status = await validate(
    { output: "text", fill: true, ...options, filename: typeof from === "string" ? ["-"] : from },
    {
      env,
      stdin: () => Promise.resolve(typeof from === "string" ? from : ""),
      print: (line) => lines.push(line),
      note: (line) => notes.push(line),
    },
  );
  return { status, lines, notes };
};

/** A folder with files for one test file, removed at its end. */
export const aFolder = (): ((name: string, text: string) => string) => {
  const folder = mkdtempSync(join(tmpdir(), "capstan-validate-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  return (name, text) => {
    const file = join(folder, name);
    if (dirname(file) === folder) writeFileSync(file, text);
    return file;
  };
};

/** What a manifest says of itself: the lines that end in `# <- words`, with these words. */
export const marked = (manifest: string): readonly string[] =>
  manifest.split("\n").flatMap((line, index) => {
    const [, words] = /# <- (.*)$/.exec(line) ?? [];
    return words === undefined ? [] : words.split(" & ").map((one) => `${index + 1}: ${one}`);
  });

/** Line and message of each problem, without file, column and object. */
export const found = ({ lines }: Said): readonly string[] =>
  lines.map((line) => line.replace(/^[^:]*:(\d+):\d+: (warning: )?(?:\w+\/[\w-]+\/[\w-]*: )?/, "$1: $2"));

/** An object of ours whose spec is given as lines of YAML. */
export const object = (kind: string, name: string, spec: string): string =>
  `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nkind: ${kind}\nmetadata: { name: ${name} }\nspec:\n${spec}\n`;

export const identityRef = "  identityRef: { kind: AzureClusterIdentity, name: identity }";
export const azureCluster = (more = ""): string =>
  object(
    "AzureCluster",
    "demo",
    `  location: westeurope\n  subscriptionID: 00000000-0000-4000-8000-000000000001\n${identityRef}\n${more}`,
  );
