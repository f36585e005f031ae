import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build, type Metafile } from "esbuild";
import { launch } from "../src/sim/process/launch.ts";

/** `npm run build [-- --output FOLDER]`: the function app as one folder to deploy, with its size and load time as JSON lines. */

const repository = join(import.meta.dirname, "..");
const megabyte = 1_000_000;
/** What the package must not hold: the simulators, and what only they, the command line and the tests use. */
const foreign = /^(src\/(sim|cli|watcher)|test|infra)\/|^node_modules\/(azurite|commander|croner|vitest|esbuild)\//;
/** Packages of CommonJS that ask for Node's own modules need a `require`, which an ES module has not. */
const banner = 'import{createRequire as __require}from"node:module";const require=__require(import.meta.url);';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

const bundle = async (outdir: string): Promise<Metafile> => {
  const { metafile } = await build({
    absWorkingDir: repository,
    entryPoints: ["functions/main.ts"],
    outdir,
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node22",
    // The CommonJS form of some clients, bundled and imported lazily, would export nothing but a default.
    mainFields: ["module", "main"],
    // The host provides it.
    external: ["@azure/functions-core"],
    banner: { js: banner },
    legalComments: "external",
    metafile: true,
    logLevel: "warning",
  });
  return metafile;
};

/** Inputs of the bundle that do not belong into it. */
export const foreignInputs = ({ inputs }: Pick<Metafile, "inputs">): readonly string[] =>
  Object.keys(inputs).filter((input) => foreign.test(input));

const writeManifest = async (folder: string): Promise<void> => {
  // The one cast: our own package.json.
  const own = JSON.parse(await readFile(join(repository, "package.json"), "utf8")) as Manifest;
  const { name, version, license } = own;
  const manifest = { name, version, license, private: true, type: "module", main: "main.js" };
  await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  await writeFile(join(folder, "host.json"), await readFile(join(repository, "host.json")));
};

const sizeOf = async (folder: string): Promise<number> => {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    files.filter((file) => file.isFile()).map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
};

interface Loaded {
  readonly loadMs: number;
  readonly rssBytes: number;
  readonly functions: readonly string[];
}

/** Loads the app as the local host does, in a process of its own. */
const load = async (folder: string): Promise<Loaded> => {
  const child = await launch({ entry: new URL("measureLoad.ts", import.meta.url), args: [folder] });
  await child.exited;
  // The one cast: our own child.
  return child.ready as Loaded;
};

const report = (name: string, value: number, goal: number): boolean => {
  const ok = value <= goal;
  console.log(JSON.stringify({ name, value, goal, ok }));
  return ok;
};

/** Builds the app into a folder, which is emptied first. Fails when the package holds what it must not, or is too large. */
export const buildApp = async (folder: string): Promise<Loaded> => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const alien = foreignInputs(await bundle(folder));
  if (alien.length > 0) throw new Error(`the package must not hold ${alien.join(", ")}`);
  await writeManifest(folder);
  const loaded = await load(folder);
  const fits = report("function app: bytes", await sizeOf(folder), 6 * megabyte);
  report("function app: load time in ms", loaded.loadMs, 150);
  report("function app: RSS after load in bytes", loaded.rssBytes, 100 * megabyte);
  console.log(JSON.stringify({ name: "function app: functions", value: loaded.functions }));
  if (!fits) throw new Error("the package is larger than 6 MB");
  return loaded;
};

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { output: { type: "string", default: join(repository, "dist") } } });
  await buildApp(values.output);
}
