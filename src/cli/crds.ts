import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type ClusterFile, clusterFiles, clusterFolders, separator } from "./clusterFiles.ts";
import { UserError } from "./userError.ts";

/** Where the files stand in the repository. */
export const clusterFolder = join(import.meta.dirname, "..", "..", "infra", "cluster");

const yamlFiles = async (folder: string): Promise<readonly string[]> => {
  const names = clusterFolders.map(async (inner) =>
    (await readdir(join(folder, inner)).catch(() => [])).map((name) => `${inner}/${name}`),
  );
  return (await Promise.all(names)).flat().filter((name) => name.endsWith(".yaml"));
};

const isSame = async (folder: string, { name, text }: ClusterFile): Promise<boolean> =>
  (await readFile(join(folder, name), "utf8").catch(() => undefined)) === text;

/** Names of the files of a folder that say something else than the code, or are missing, or too many. */
export const staleFiles = async (folder: string): Promise<readonly string[]> => {
  const files = clusterFiles();
  const same = await Promise.all(files.map((file) => isSame(folder, file)));
  const known = new Set(files.map(({ name }) => name));
  return [
    ...files.filter((_, index) => same[index] === false).map(({ name }) => name),
    ...(await yamlFiles(folder)).filter((name) => !known.has(name)),
  ];
};

const write = async (folder: string, stale: readonly string[]): Promise<void> => {
  const texts = new Map(clusterFiles().map(({ name, text }) => [name, text]));
  for (const inner of clusterFolders) await mkdir(join(folder, inner), { recursive: true });
  for (const name of stale) {
    const text = texts.get(name);
    await (text === undefined ? rm(join(folder, name)) : writeFile(join(folder, name), text));
  }
};

const inWords = (files: readonly { readonly name: string }[]): string =>
  clusterFolders.map((folder) => `${files.filter(({ name }) => dirname(name) === folder).length} ${folder}`).join(", ");

export interface CrdsOptions {
  /** Folder to write to; printed when there is none. */
  readonly output?: string;
  /** Write and print nothing; fail when something would have to be written. */
  readonly check: boolean;
}

/**
 * `capstan crds`: prints the definitions, roles and policies as one YAML stream, or writes them, one file each, and takes
 * away what is no longer one.
 */
export const crds = async ({ output, check }: CrdsOptions, print: (line: string) => void): Promise<void> => {
  const files = clusterFiles();
  if (output === undefined && !check) {
    print(files.map(({ text }) => text.trimEnd()).join(`\n${separator}`));
    return;
  }
  const folder = output ?? clusterFolder;
  const stale = await staleFiles(folder);
  if (check && stale.length > 0) throw new UserError(`not up to date in ${folder}: ${stale.join(", ")}`);
  if (!check) await write(folder, stale);
  print(`${inWords(files)} in ${folder}, ${stale.length} changed`);
};
