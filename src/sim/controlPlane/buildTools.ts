import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeManifests } from "./clusterApiManifests.ts";
import { withFileLock } from "./fileLock.ts";
import { runCommand } from "./runCommand.ts";
import { cacheFolder, isExecutable } from "./toolCache.ts";
import type { Progress, ToolModule, ToolName } from "./tools.ts";

const reportEveryMs = 10_000;

/** Whether `go` can be run with this environment. */
export const hasGo = (env: NodeJS.ProcessEnv): Promise<boolean> =>
  runCommand("go", ["version"], { env }).then(
    () => true,
    () => false,
  );

/** Compiles one tool under a name of its own and moves it into place, so that a half-written program is never found. */
const buildTool = async (
  module: ToolModule,
  tool: ToolName,
  target: string,
  env: NodeJS.ProcessEnv,
  progress: Progress,
): Promise<void> => {
  const partial = `${target}.${process.pid}.partial`;
  const startedMs = Date.now();
  let packages = 0;
  const report = setInterval(() => {
    progress(`${tool}: ${packages} packages compiled, ${Math.round((Date.now() - startedMs) / 1000)} s`);
  }, reportEveryMs);
  try {
    const args = ["build", "-v", "-trimpath", "-buildvcs=false", "-ldflags", module.ldflags, "-o", partial];
    await runCommand("go", [...args, module.packages[tool]!], {
      cwd: module.folder,
      // Without cgo no C compiler is needed; a workspace file of the user's must not change the versions.
      env: { ...env, CGO_ENABLED: "0", GOWORK: "off" },
      onStderrLine: (line) => {
        if (!line.startsWith("go: ")) packages += 1;
      },
    });
    await rename(partial, target);
  } finally {
    clearInterval(report);
    await rm(partial, { force: true });
  }
  progress(`${tool}: built in ${Math.round((Date.now() - startedMs) / 1000)} s`);
};

/**
 * Builds tools of one module into its cache folder and skips those that are there already; a second process waits.
 * Fails with the compiler's or the module proxy's last words.
 */
export const buildTools = async (
  module: ToolModule,
  tools: readonly ToolName[],
  env: NodeJS.ProcessEnv,
  progress: Progress,
): Promise<void> => {
  const folder = await cacheFolder(module, env);
  const waiting = (): void => progress(`waiting for another process that builds into ${folder}`);
  await withFileLock(`${folder}.lock`, waiting, async () => {
    await mkdir(join(folder, "bin"), { recursive: true });
    // First: a manager that is found then always has its manifests beside it.
    if (module.name === "clusterapi") await writeManifests(module, folder, env);
    for (const [index, tool] of tools.entries()) {
      const target = join(folder, "bin", tool);
      if (await isExecutable(target)) continue;
      progress(`${tool}: building (${index + 1} of ${tools.length}; needed once, takes minutes)`);
      await buildTool(module, tool, target, env, progress);
    }
  });
};
