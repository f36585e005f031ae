import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CrdFile, crdFiles } from "./crdFiles.ts";
import { UserError } from "./userError.ts";

/** Where the definitions stand in the repository. */
export const crdFolder = join(import.meta.dirname, "..", "..", "infra", "cluster", "crds");

const yamlFiles = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".yaml"));

const isSame = async (folder: string, { name, text }: CrdFile): Promise<boolean> =>
  (await readFile(join(folder, name), "utf8").catch(() => undefined)) === text;

/** Names of the files of a folder that say something else than the code, or are missing, or too many. */
export const staleCrds = async (folder: string): Promise<readonly string[]> => {
  const files = crdFiles();
  const same = await Promise.all(files.map((file) => isSame(folder, file)));
  const known = new Set(files.map(({ name }) => name));
  return [
    ...files.filter((_, index) => same[index] === false).map(({ name }) => name),
    ...(await yamlFiles(folder)).filter((name) => !known.has(name)),
  ];
};

export interface CrdsOptions {
  readonly output: string;
  /** Write nothing; fail when something would have to be written. */
  readonly check: boolean;
}

/** `capstan crds`: writes the CustomResourceDefinitions, one file each, and takes away what is no longer one. */
export const crds = async ({ output, check }: CrdsOptions, print: (line: string) => void): Promise<void> => {
  const stale = await staleCrds(output);
  if (check && stale.length > 0) throw new UserError(`not up to date in ${output}: ${stale.join(", ")}`);
  if (!check) {
    await mkdir(output, { recursive: true });
    const files = new Map(crdFiles().map(({ name, text }) => [name, text]));
    for (const name of stale) {
      const text = files.get(name);
      await (text === undefined ? rm(join(output, name)) : writeFile(join(output, name), text));
    }
  }
  print(`${crdFiles().length} definitions in ${output}, ${check ? 0 : stale.length} changed`);
};
