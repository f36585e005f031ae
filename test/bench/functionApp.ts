import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { launch } from "../../src/sim/process/launch.ts";
import type { Bench } from "./bench.ts";
import type { Values } from "./figures.ts";
import { quantile } from "./quantile.ts";

const infra = join(import.meta.dirname, "..", "..", "infra");
const megabyte = 1_000_000;
/** Of memory, as the system and Kubernetes count it. */
const mebibyte = 2 ** 20;
const loads = 5;

interface Loaded {
  readonly loadMs: number;
  readonly rssBytes: number;
}

/** Loads the package as the local host does, in a process of its own. */
const load = async (folder: string): Promise<Loaded> => {
  const child = await launch({ entry: join(infra, "measureLoad.ts"), args: [folder] });
  await child.exited;
  // The one cast: a program of this repository.
  return child.ready as Loaded;
};

const bytesOf = async (folder: string): Promise<number> => {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    files.filter((file) => file.isFile()).map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
};

const measure = async (folder: string): Promise<Values> => {
  await promisify(execFile)(process.execPath, [join(infra, "build.ts"), "--output", folder]);
  const loaded: Loaded[] = [];
  for (let at = 0; at < loads; at += 1) loaded.push(await load(folder));
  const half = (of: (one: Loaded) => number): number => quantile(loaded.map(of), 0.5);
  return {
    functionAppPackageMb: (await bytesOf(folder)) / megabyte,
    functionAppLoadMs: half(({ loadMs }) => loadMs),
    functionAppRssMb: half(({ rssBytes }) => rssBytes) / mebibyte,
  };
};

/** The package that `npm run build` makes: its size, and what it takes to load it (median of five processes). */
export const functionApp = async (bench: Bench): Promise<Values> => {
  bench.progress("building and loading the function app");
  const folder = await mkdtemp(join(tmpdir(), "capstan-bench-"));
  return measure(join(folder, "app")).finally(() => rm(folder, { recursive: true, force: true }));
};
