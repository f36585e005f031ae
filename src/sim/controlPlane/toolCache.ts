import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { ToolModule } from "./tools.ts";

/** Raised when the layout of a cache folder changes, so that older folders are left alone and built anew. */
const layout = 1;

/** The folder that keeps what was built: `CAPSTAN_CACHE`, or `~/.cache/capstan`. */
export const cacheRoot = (env: NodeJS.ProcessEnv): string =>
  env["CAPSTAN_CACHE"] || join(env["HOME"] ?? homedir(), ".cache", "capstan");

/** The folder of one module: named after everything that decides what the build gives. */
export const cacheFolder = async (module: ToolModule, env: NodeJS.ProcessEnv): Promise<string> => {
  const hash = createHash("sha256");
  for (const file of ["go.mod", "go.sum"]) hash.update(await readFile(join(module.folder, file))).update("\0");
  hash.update(`${module.ldflags}\0${process.platform}\0${process.arch}\0${layout}`);
  return join(cacheRoot(env), `${module.name}-${hash.digest("hex").slice(0, 16)}`);
};

/** Whether a program stands at this path and may be run. */
export const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
