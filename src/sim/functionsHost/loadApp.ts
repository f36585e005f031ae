import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { FunctionsCore, RegisteredFunction } from "./functionsCore.ts";
import type { ProgrammingModel } from "./rpc.ts";

export interface LoadedApp {
  readonly functions: readonly RegisteredFunction[];
  readonly model: ProgrammingModel;
}

const isGlob = (pattern: string): boolean => /[*?{[]/.test(pattern);

const mainOf = (folder: string): string => {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const main = typeof manifest === "object" && manifest !== null && "main" in manifest ? manifest.main : undefined;
  if (typeof main !== "string") throw new Error(`${join(folder, "package.json")} has no "main"`);
  return main;
};

const filesOf = (folder: string, main: string): readonly string[] => {
  const names = isGlob(main) ? globSync(main, { cwd: folder }).toSorted() : [main];
  const files = names.map((name) => join(folder, name)).filter((file) => existsSync(file));
  if (files.length === 0) throw new Error(`No file in ${folder} matches "${main}"`);
  return files;
};

/**
 * Imports the modules of an app folder, in the order of their names, and ends registration.
 *
 * `main` overrides the `main` of the folder's package.json; both may be a glob. Fails when a module fails, and, where
 * Azure would start silently without functions, when none was registered.
 */
export const loadApp = async (folder: string, core: FunctionsCore, main = mainOf(folder)): Promise<LoadedApp> => {
  for (const file of filesOf(folder, main)) await import(pathToFileURL(file).href);
  const model = core.model();
  const functions = core.functions();
  if (model === undefined || functions.length === 0) throw new Error(`"${main}" registers no function`);
  await model.getCapabilities?.({});
  for (const hook of core.hooks("appStart"))
    await hook({ functionAppDirectory: folder, hookData: {}, appHookData: {} });
  core.lock();
  return { functions, model };
};
