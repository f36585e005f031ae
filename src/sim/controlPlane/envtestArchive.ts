import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { runCommand } from "./runCommand.ts";
import { cacheRoot } from "./toolCache.ts";
import type { Progress, ToolName } from "./tools.ts";

/** One official archive of test binaries. */
export interface EnvtestArchive {
  readonly url: string;
  readonly sha512: string;
}

/** What such an archive holds. */
export const archivedTools: ReadonlySet<ToolName> = new Set(["etcd", "kube-apiserver", "kubectl"]);

/** The newest archive of the 1.36 line. Checksums: https://github.com/kubernetes-sigs/controller-tools/blob/main/envtest-releases.yaml */
const version = "v1.36.2";
const checksums: Readonly<Record<string, string>> = {
  "darwin-amd64":
    "b4fe9f973cd1992e3880f8b230ed32c0c243b83371591e3e3315f4404df2cdbef8ee94eeb9bb245b7e5feb987d5c4a76c43e0877654ab73f00d7bbc2b9984514",
  "darwin-arm64":
    "9278f9e5af556b2f1f2d139769c1f0d717c7b4426917fdebdba898bcb725a916e4910d6160886194ff9be9589ea7c5c32c2b8ae0754703874b7c8ba8ddfc41ce",
  "linux-amd64":
    "ea743186c8a799f5cf8faf16969f86189d003cb7d130e0ac4b58789f1e5748dcf30ebe91c837a10d5ac415383da3e10b9e64d65785c938c23e739781cfb76f08",
  "linux-arm64":
    "2d72ee985a8e262a3c57dc9f7f0fd891f6a8c7bf7ebaa2db6dc6d8eac8ae28181afe51c1f368b67756cdb40b10de9b205609e1726e5f27f7c6d824dd9c6649ac",
};
const downloadTimeoutMs = 600_000;

/** The archive for a platform in Node's words; `undefined` where none is published. */
export const envtestArchive = (platform: string, arch: string): EnvtestArchive | undefined => {
  const name = `${platform}-${arch === "x64" ? "amd64" : arch}`;
  const sha512 = checksums[name];
  if (sha512 === undefined) return undefined;
  const releases = "https://github.com/kubernetes-sigs/controller-tools/releases/download";
  return { url: `${releases}/envtest-${version}/envtest-${version}-${name}.tar.gz`, sha512 };
};

/** Where the programs of an archive are kept; the name holds its checksum. */
export const archiveFolder = (archive: EnvtestArchive, env: NodeJS.ProcessEnv): string =>
  join(cacheRoot(env), `envtest-${archive.sha512.slice(0, 16)}`);

const download = async (archive: EnvtestArchive): Promise<Buffer> => {
  const response = await fetch(archive.url, { signal: AbortSignal.timeout(downloadTimeoutMs) });
  if (!response.ok) throw new Error(`HTTP status ${response.status}`);
  const body = Buffer.from(await response.arrayBuffer());
  if (createHash("sha512").update(body).digest("hex") !== archive.sha512)
    throw new Error("its checksum is not the pinned one");
  return body;
};

/**
 * Downloads the archive, checks it and puts its programs into the cache folder. Fails, without leaving a program
 * behind, when it cannot be had or is not what was pinned.
 */
export const downloadEnvtest = async (
  archive: EnvtestArchive,
  env: NodeJS.ProcessEnv,
  progress: Progress,
): Promise<void> => {
  progress(`downloading ${archive.url}`);
  const body = await download(archive);
  const folder = archiveFolder(archive, env);
  await mkdir(folder, { recursive: true });
  const unpacked = await mkdtemp(join(folder, "partial-"));
  try {
    const tarball = join(unpacked, "archive.tar.gz");
    await writeFile(tarball, body);
    await runCommand("tar", ["-xzf", tarball, "-C", unpacked], { env });
    for (const file of await readdir(unpacked, { recursive: true }))
      if (archivedTools.has(basename(file) as ToolName))
        await rename(join(unpacked, file), join(folder, basename(file)));
  } finally {
    await rm(unpacked, { recursive: true, force: true });
  }
};
