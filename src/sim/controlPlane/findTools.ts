import { join } from "node:path";
import { buildTools, hasGo } from "./buildTools.ts";
import {
  archivedTools,
  archiveFolder,
  downloadEnvtest,
  type EnvtestArchive,
  envtestArchive,
} from "./envtestArchive.ts";
import { cacheFolder, isExecutable } from "./toolCache.ts";
import { moduleOf, type Progress, type ToolName, toolModules } from "./tools.ts";

export interface FindToolsOptions {
  /** Read: `KUBEBUILDER_ASSETS`, `CAPSTAN_CACHE`, `HOME`, `PATH` and what `go` itself reads. */
  readonly env: NodeJS.ProcessEnv;
  readonly progress: Progress;
  /** Default: the official archive for this platform. */
  readonly archive?: EnvtestArchive | undefined;
}

/** The folders in which a tool may stand, best first. */
const foldersOf = async (tool: ToolName, options: FindToolsOptions): Promise<readonly string[]> => {
  const assets = options.env["KUBEBUILDER_ASSETS"];
  const built = join(await cacheFolder(moduleOf(tool), options.env), "bin");
  if (!archivedTools.has(tool)) return [built];
  const downloaded = options.archive === undefined ? [] : [archiveFolder(options.archive, options.env)];
  return [...(assets ? [assets] : []), built, ...downloaded];
};

const locate = async (tool: ToolName, options: FindToolsOptions): Promise<string | undefined> => {
  for (const folder of await foldersOf(tool, options))
    if (await isExecutable(join(folder, tool))) return join(folder, tool);
  return undefined;
};

const missingOf = async (tools: readonly ToolName[], options: FindToolsOptions): Promise<readonly ToolName[]> => {
  const found = await Promise.all(tools.map((tool) => locate(tool, options)));
  return tools.filter((_, index) => found[index] === undefined);
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Returns why it did not work, or nothing. */
const tryBuild = async (missing: readonly ToolName[], options: FindToolsOptions): Promise<string | undefined> => {
  if (!(await hasGo(options.env))) return "`go` is not on the PATH";
  try {
    for (const module of toolModules) {
      const wanted = missing.filter((tool) => tool in module.packages);
      if (wanted.length > 0) await buildTools(module, wanted, options.env, options.progress);
    }
    return undefined;
  } catch (error) {
    return `building with Go failed: ${messageOf(error)}`;
  }
};

const tryDownload = async (missing: readonly ToolName[], options: FindToolsOptions): Promise<string | undefined> => {
  const beyond = missing.filter((tool) => !archivedTools.has(tool));
  if (beyond.length > 0) return `no archive holds ${beyond.join(", ")}`;
  if (options.archive === undefined) return `no archive is published for ${process.platform} ${process.arch}`;
  try {
    await downloadEnvtest(options.archive, options.env, options.progress);
    return undefined;
  } catch (error) {
    return `${options.archive.url} could not be used: ${messageOf(error)}`;
  }
};

const advice = (missing: readonly ToolName[]): string =>
  missing.every((tool) => archivedTools.has(tool))
    ? "Install Go 1.26 or newer (https://go.dev/dl), or set KUBEBUILDER_ASSETS to a folder with etcd, kube-apiserver and kubectl of Kubernetes 1.36."
    : "Install Go 1.26 or newer (https://go.dev/dl).";

/**
 * The paths of the programs asked for: from the folder `KUBEBUILDER_ASSETS`, from the cache folder, built with Go into it,
 * or from the official archive, in this order and each program by itself. Fails with one message that says what to install.
 */
export const findTools = async <Name extends ToolName>(
  tools: readonly Name[],
  given: FindToolsOptions,
): Promise<Readonly<Record<Name, string>>> => {
  const options = { archive: envtestArchive(process.platform, process.arch), ...given };
  const reasons: string[] = [];
  for (const attempt of [tryBuild, tryDownload]) {
    const missing = await missingOf(tools, options);
    if (missing.length === 0) break;
    const reason = await attempt(missing, options);
    if (reason !== undefined) reasons.push(reason);
  }
  const missing = await missingOf(tools, options);
  if (missing.length > 0)
    throw new Error(`The local control plane lacks ${missing.join(", ")}. ${advice(missing)} (${reasons.join("; ")})`);
  const paths = await Promise.all(tools.map(async (tool) => [tool, await locate(tool, options)] as const));
  // The one cast: every tool asked for was found above, and Object.fromEntries forgets the names.
  return Object.fromEntries(paths) as Record<Name, string>;
};
