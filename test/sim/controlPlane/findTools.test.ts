import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { envtestArchive } from "../../../src/sim/controlPlane/envtestArchive.ts";
import { type FindToolsOptions, findTools } from "../../../src/sim/controlPlane/findTools.ts";
import { runCommand } from "../../../src/sim/controlPlane/runCommand.ts";
import { cacheFolder } from "../../../src/sim/controlPlane/toolCache.ts";
import { moduleOf } from "../../../src/sim/controlPlane/tools.ts";

const program = async (path: string, text = "#!/bin/sh\n"): Promise<string> => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await chmod(path, 0o755);
  return path;
};

/** A stand-in for the compiler: writes what it was asked to build to the file named after `-o`. */
const compiler = `#!/bin/sh
[ "$1" = version ] && exit 0
echo some/package >&2
while [ "$1" != -o ]; do shift; done
echo "$3" > "$2"; chmod +x "$2"
`;

let home: string;
let lines: string[];
let options: FindToolsOptions & { readonly env: Record<string, string> };
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "capstan-tools-"));
  lines = [];
  const env = { CAPSTAN_CACHE: join(home, "cache"), PATH: "" };
  options = { env, progress: (line) => lines.push(line), archive: undefined };
});
afterEach(() => rm(home, { recursive: true, force: true }));

const cached = async (tool: "etcd" | "kubectl" | "capi-core"): Promise<string> =>
  join(await cacheFolder(moduleOf(tool), options.env), "bin", tool);

describe("the order in which programs are looked for", () => {
  it("takes the folder of KUBEBUILDER_ASSETS first, and what it lacks from the cache", async () => {
    const assets = join(home, "assets");
    await program(join(assets, "etcd"));
    await program(await cached("etcd"));
    await program(await cached("kubectl"));
    const found = await findTools(["etcd", "kubectl"], {
      ...options,
      env: { ...options.env, KUBEBUILDER_ASSETS: assets },
    });
    expect(found).toEqual({ etcd: join(assets, "etcd"), kubectl: await cached("kubectl") });
    expect(lines).toEqual([]);
  });

  it("does not take a file that cannot be run", async () => {
    const assets = join(home, "assets");
    await chmod(await program(join(assets, "etcd")), 0o644);
    await program(await cached("etcd"));
    const found = await findTools(["etcd"], { ...options, env: { ...options.env, KUBEBUILDER_ASSETS: assets } });
    expect(found.etcd).toBe(await cached("etcd"));
  });

  it("does not take from KUBEBUILDER_ASSETS what such a folder never holds", async () => {
    const assets = join(home, "assets");
    await program(join(assets, "capi-core"));
    await program(await cached("capi-core"));
    const found = await findTools(["capi-core"], { ...options, env: { ...options.env, KUBEBUILDER_ASSETS: assets } });
    expect(found["capi-core"]).toBe(await cached("capi-core"));
  });

  it("builds what is nowhere, once, and leaves no half-built file", async () => {
    await program(join(home, "bin", "go"), compiler);
    const building = { ...options, env: { ...options.env, PATH: `${join(home, "bin")}:/usr/bin:/bin` } };
    await program(await cached("etcd"));
    const [found] = await Promise.all([
      findTools(["etcd", "kubectl"], building),
      findTools(["etcd", "kubectl"], building),
    ]);
    expect(await readFile(found.kubectl, "utf8")).toBe("k8s.io/kubernetes/cmd/kubectl\n");
    expect(await readdir(dirname(found.kubectl))).toEqual(["etcd", "kubectl"]);
    expect(lines.filter((line) => line.startsWith("kubectl: building"))).toHaveLength(1);
  });

  it("says what to install when there is neither cache nor Go nor network", async () => {
    const archive = { url: "http://127.0.0.1:1/archive.tar.gz", sha512: "00" };
    await expect(findTools(["etcd", "kube-apiserver"], { ...options, archive })).rejects.toThrow(
      /lacks etcd, kube-apiserver\. Install Go 1\.26 or newer \(https:\/\/go\.dev\/dl\), or set KUBEBUILDER_ASSETS .*`go` is not on the PATH; http:\/\/127\.0\.0\.1:1\/archive\.tar\.gz could not be used/,
    );
  });

  it("does not offer KUBEBUILDER_ASSETS for what only Go can give", async () => {
    await expect(findTools(["capi-core"], options)).rejects.toThrow(
      "lacks capi-core. Install Go 1.26 or newer (https://go.dev/dl). (`go` is not on the PATH; no archive holds capi-core)",
    );
  });

  it("passes on why a build failed", async () => {
    await program(
      join(home, "bin", "go"),
      '#!/bin/sh\n[ "$1" = version ] && exit 0\necho "module proxy: gone" >&2; exit 1\n',
    );
    const building = { ...options, env: { ...options.env, PATH: `${join(home, "bin")}:/usr/bin:/bin` } };
    await expect(findTools(["kubectl"], building)).rejects.toThrow(
      "building with Go failed: go build ended with 1: module proxy: gone",
    );
    expect(await readdir(dirname(await cached("kubectl")))).toEqual([]);
  });
});

describe("the official archive", () => {
  const serve = async (): Promise<{ readonly url: string; readonly sha512: string; readonly close: () => void }> => {
    await program(join(home, "archive", "controller-tools", "envtest", "etcd"));
    const tarball = join(home, "archive.tar.gz");
    await runCommand("tar", ["-czf", tarball, "-C", join(home, "archive"), "controller-tools"]);
    const body = await readFile(tarball);
    const server = createServer((_, response) => response.end(body)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/archive.tar.gz`;
    return { url, sha512: createHash("sha512").update(body).digest("hex"), close: () => server.close() };
  };
  const withTar = () => ({ ...options, env: { ...options.env, PATH: "/usr/bin:/bin" } });

  it("is used where there is no Go, and only once", async () => {
    const archive = await serve();
    const { env } = withTar();
    await program(join(home, "no-go", "go"), "#!/bin/sh\nexit 1\n");
    const noGo = { ...options, env: { ...env, PATH: `${join(home, "no-go")}:${env.PATH}` }, archive };
    const found = await findTools(["etcd"], noGo);
    archive.close();
    expect(await findTools(["etcd"], noGo)).toEqual(found);
    expect(await readdir(dirname(found.etcd))).toEqual(["etcd"]);
    expect(lines).toEqual([`downloading ${archive.url}`]);
  });

  it("is refused when its checksum is another", async () => {
    const archive = await serve();
    await expect(findTools(["etcd"], { ...options, archive: { ...archive, sha512: "ab".repeat(64) } })).rejects.toThrow(
      "its checksum is not the pinned one",
    );
    archive.close();
    expect(existsSync(join(home, "cache", `envtest-${"ab".repeat(8)}`))).toBe(false);
  });

  it("is pinned for the usual platforms", () => {
    expect(envtestArchive("linux", "x64")?.url).toMatch(/-linux-amd64\.tar\.gz$/);
    expect(envtestArchive("darwin", "arm64")?.sha512).toMatch(/^[0-9a-f]{128}$/);
    expect(envtestArchive("win32", "x64")).toBeUndefined();
  });
});
