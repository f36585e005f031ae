import { join } from "node:path";
import { build } from "esbuild";

/** Bundles the watcher as it is shipped and returns the file to run. */
export const watcherBundle = async (folder: string): Promise<string> => {
  await build({
    entryPoints: { watcher: join(import.meta.dirname, "..", "..", "src", "watcher", "main.ts") },
    outdir: folder,
    bundle: true,
    splitting: true,
    minify: true,
    platform: "node",
    target: "node24",
    format: "esm",
    // The CommonJS form of a package loses its names behind `import()` when the bundle is split.
    mainFields: ["module", "main"],
    outExtension: { ".js": ".mjs" },
    // Packages in CommonJS form call for `require`.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "error",
  });
  return join(folder, "watcher.mjs");
};
