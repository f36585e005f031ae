import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { note } from "./markdown.ts";

/** Text by file name. */
type Pages = ReadonlyMap<string, string>;

/** Names of the pages of a folder that are missing, say something else, or are too many; what somebody wrote by hand stays. */
export const stalePages = (folder: string, pages: Pages): readonly string[] => {
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return [
    ...[...pages].filter(([name, text]) => !names.includes(name) || read(name) !== text).map(([name]) => name),
    ...names.filter((name) => !pages.has(name) && read(name).includes(note)),
  ];
};

/** Makes the folder hold the pages, and tells which files it changed. */
export const writePages = (folder: string, pages: Pages): readonly string[] => {
  const stale = stalePages(folder, pages);
  mkdirSync(folder, { recursive: true });
  for (const name of stale) {
    const text = pages.get(name);
    if (text === undefined) rmSync(join(folder, name));
    else writeFileSync(join(folder, name), text);
  }
  return stale;
};
