import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

const entry = fileURLToPath(new URL("../../src/watcher/main.ts", import.meta.url));
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "capstan-watcher-main-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A port on which nobody listens. */
const deadPort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
};
const kubeconfig = async (text: string): Promise<string> => {
  const file = join(folder, "kubeconfig");
  await writeFile(file, text);
  return file;
};
const start = (env: Readonly<Record<string, string>>, ...args: readonly string[]) => {
  const child = spawn(process.execPath, [entry, ...args], { env, stdio: ["pipe", "ignore", "pipe"] });
  const exited = once(child, "close") as Promise<[number | null]>;
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  let text = "";
  child.stderr.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
  });
  return { child, stderr: () => text, code: async () => (await exited)[0] };
};
const bus = {
  CAPSTAN_SERVICE_BUS_CONNECTION: "Endpoint=sb://127.0.0.1:1;SharedAccessKeyName=k;SharedAccessKey=hidden",
};

describe("the watcher as a program", { timeout: 120_000 }, () => {
  it("does not start with half a configuration, and names all that is missing", async () => {
    const { code, stderr } = start({ CAPSTAN_HEALTH_PORT: "no" });
    expect(await code()).toBe(2);
    expect(stderr()).toMatch(/CAPSTAN_KUBECONFIG[\s\S]*CAPSTAN_SERVICE_BUS[\s\S]*CAPSTAN_HEALTH_PORT/);
  });
  it("ends when the kubeconfig is none, and does not quote it", async () => {
    const CAPSTAN_KUBECONFIG = await kubeconfig("users: [{ name: secret-token");
    const { code, stderr } = start({ ...bus, CAPSTAN_KUBECONFIG, CAPSTAN_HEALTH_PORT: "0" });
    expect(await code()).toBe(1);
    expect(stderr()).toMatch(/"the watcher could not start"/);
    expect(stderr()).not.toMatch(/secret-token|hidden/);
  });
  it("waits for an API server that is away, and ends with its parent", async () => {
    const server = `http://127.0.0.1:${await deadPort()}`;
    const CAPSTAN_KUBECONFIG = await kubeconfig(
      JSON.stringify({
        clusters: [{ name: "c", cluster: { server, "insecure-skip-tls-verify": true } }],
        users: [{ name: "u", user: { token: "secret-token" } }],
        contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
        "current-context": "x",
      }),
    );
    const { child, code, stderr } = start(
      { ...bus, CAPSTAN_KUBECONFIG, CAPSTAN_HEALTH_PORT: "0" },
      "--exit-with-parent",
    );
    await expect.poll(stderr, { timeout: 100_000 }).toMatch(/"failures":2/);
    child.stdin.end();
    expect(await code()).toBe(0);
    expect(stderr()).not.toMatch(/secret-token|hidden/);
  });
});
