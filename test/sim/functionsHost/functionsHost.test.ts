import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  type FunctionsHost,
  type FunctionsHostOptions,
  startFunctionsHost,
} from "../../../src/sim/functionsHost/functionsHost.ts";

const apps = join(import.meta.dirname, "apps");
const modules = join(apps, "modules");
const settings = { TICK_SCHEDULE: "0 0 0 1 1 *" };

type Line = Readonly<Record<string, unknown>>;
const running: FunctionsHost[] = [];
const lines: string[] = [];
const start = async (app: string, options: Partial<FunctionsHostOptions> = {}): Promise<FunctionsHost> => {
  const host = await startFunctionsHost({ app, settings, log: (line) => lines.push(line), ...options });
  running.push(host);
  return host;
};
const logged = (): readonly Line[] =>
  lines.filter((line) => line.startsWith("{")).map((line): Line => JSON.parse(line));
afterEach(async () => {
  await Promise.all(running.splice(0).map((host) => host.stop()));
  lines.length = 0;
});

describe("HTTP functions", () => {
  it("get parameters, query, headers and body, and answer with status, headers and body", async () => {
    const host = await start(modules);
    const posted = await host.fetch("/v1/Things/42?q=a%20b", {
      method: "POST",
      body: "hi",
      headers: { "user-agent": "me" },
    });
    expect(posted.status).toBe(201);
    expect(posted.headers.get("x-agent")).toBe("me");
    expect(await posted.json()).toEqual({ id: "42", q: "a b", body: "hi" });
    expect(await (await host.fetch("/v1/things")).json()).toEqual({ q: null });
    expect(await (await host.fetch("/v1/things/special")).text()).toBe("special");
    expect(await (await host.fetch("/v1/files/a/b.txt")).text()).toBe("a/b.txt");
    const statusOf = async (path: string, method = "GET"): Promise<number> =>
      (await host.fetch(path, { method })).status;
    expect(await statusOf("/v1/things/x")).toBe(404);
    expect(await statusOf("/api/things/1")).toBe(404);
    expect(await statusOf("/v1/things/1", "DELETE")).toBe(404);
    expect(await statusOf("/v1/%E0%A4%A")).toBe(400);
    expect(await statusOf("/v1/broken")).toBe(500);
    expect(logged()).toContainEqual(
      expect.objectContaining({ level: "information", message: "looked at 42", function: "things", category: "user" }),
    );
    expect(logged()).toContainEqual(
      expect.objectContaining({ function: "broken", result: "failure", error: "this went wrong" }),
    );
  });

  it("are opened by the key of their level", async () => {
    const host = await start(modules);
    const { masterKey, functionKey } = host;
    const statusOf = async (path: string, key?: string): Promise<number> =>
      (await host.fetch(path, key === undefined ? {} : { headers: { "x-functions-key": key } })).status;
    expect(await statusOf("/v1/keyed")).toBe(401);
    expect(await statusOf("/v1/keyed", "wrong")).toBe(401);
    expect(await statusOf("/v1/keyed", functionKey)).toBe(200);
    expect(await statusOf(`/v1/keyed?code=${functionKey}`)).toBe(200);
    expect(await statusOf("/v1/locked", functionKey)).toBe(401);
    expect(await statusOf("/v1/locked", masterKey)).toBe(200);
    expect(await statusOf(`/v1/locked?code=${masterKey}`)).toBe(200);
    expect(lines.join("\n")).not.toContain(masterKey);
  });
});

describe("admin", () => {
  it("is closed without the master key", async () => {
    const host = await start(modules);
    const key = { "x-functions-key": host.functionKey };
    expect((await host.fetch("/admin/functions/tick", { method: "POST" })).status).toBe(401);
    expect((await host.fetch("/admin/functions/tick", { method: "POST", headers: key })).status).toBe(401);
    expect((await host.fetch("/admin/host/status")).status).toBe(401);
  });

  it("runs a timer by hand and lists functions and status", async () => {
    const host = await start(modules, { timers: false });
    const key = { headers: { "x-functions-key": host.masterKey } };
    const answer = await host.invokeAdmin("tick");
    expect(answer.status).toBe(202);
    await expect
      .poll(logged)
      .toContainEqual(
        expect.objectContaining({ message: "invocation ended", invocationId: answer.invocationId, result: "success" }),
      );
    expect(lines.join("\n")).toMatch(/tick, past due: false, next: \d{4}-01-01T00:00:00.000Z/);
    expect((await host.invokeAdmin("none")).status).toBe(404);
    expect((await host.invokeAdmin("things")).status).toBe(400);
    const listed: unknown = await (await host.fetch("/admin/functions", key)).json();
    expect(listed).toContainEqual(expect.objectContaining({ name: "tick", kind: "timer", schedule: "0 0 0 1 1 *" }));
    expect(await (await host.fetch("/admin/host/status", key)).json()).toMatchObject({ state: "Running" });
    const bad = { ...key, method: "POST", body: "not json" };
    expect((await host.fetch("/admin/functions/tick", bad)).status).toBe(400);
  });
});

describe("timers", () => {
  it("run by their schedule, unless switched off", async () => {
    const often = { settings: { TICK_SCHEDULE: "* * * * * *" } };
    const silent = await start(modules, { ...often, timers: false });
    expect(silent.functions).toContainEqual({ name: "tick", kind: "timer", schedule: "* * * * * *" });
    const other: string[] = [];
    await start(modules, { ...often, log: (line) => other.push(line) });
    await expect.poll(() => other.filter((line) => line.includes("past due")).length, { timeout: 20_000 }).toBe(2);
    expect(lines.filter((line) => line.includes("past due"))).toEqual([]);
  });
});

describe("the process", () => {
  it("ends with 1 on a rejection that nobody handles", async () => {
    const host = await start(modules);
    await host.fetch("/v1/floating");
    expect(await host.exited).toEqual({ code: 1, signal: null });
    expect(lines.join("\n")).toContain("nobody waits for me");
  });

  it("fails a function that outruns functionTimeout and ends with 1", async () => {
    const host = await start(modules);
    expect((await host.fetch("/v1/endless")).status).toBe(500);
    expect(await host.exited).toEqual({ code: 1, signal: null });
    expect(logged()).toContainEqual(
      expect.objectContaining({ function: "endless", result: "failure", error: expect.stringContaining("1000 ms") }),
    );
  });

  it("lets running functions end before it stops", async () => {
    const host = await start(modules);
    const slow = host.fetch("/v1/slow");
    await expect.poll(() => lines.join("\n")).toContain("slow started");
    expect(await host.stop()).toEqual({ code: 0, signal: null });
    expect(await (await slow).text()).toBe("done");
  });

  it("starts again after a kill", async () => {
    const first = await start(modules);
    first.kill("SIGKILL");
    expect(await first.exited).toEqual({ code: null, signal: "SIGKILL" });
    const second = await start(modules, { port: first.port });
    expect(second.port).toBe(first.port);
    expect(second.masterKey).not.toBe(first.masterKey);
    expect((await second.fetch("/v1/things")).status).toBe(201);
  });

  it("keeps its keys in a file, over a kill too", async () => {
    const keysFile = join(await mkdtemp(join(tmpdir(), "capstan-host-")), "keys.json");
    const first = await start(modules, { keysFile });
    first.kill("SIGKILL");
    await first.exited;
    const second = await start(modules, { keysFile });
    expect([second.masterKey, second.functionKey]).toEqual([first.masterKey, first.functionKey]);
    await rm(dirname(keysFile), { recursive: true });
  });
});

describe("layouts", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "functions-host-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const writeApp = async (name: string, main: string, files: Readonly<Record<string, string>>): Promise<string> => {
    const app = join(folder, name);
    await mkdir(app);
    await writeFile(join(app, "host.json"), '{"version":"2.0"}');
    await writeFile(join(app, "package.json"), JSON.stringify({ type: "module", main }));
    for (const [file, text] of Object.entries(files)) await writeFile(join(app, file), text);
    return app;
  };

  it("CommonJS, with hooks", async () => {
    const host = await start(join(apps, "commonjs"));
    expect(await (await host.fetch("/api/hello?name=you")).text()).toBe("hello you");
    expect((await host.fetch("/api/empty")).status).toBe(204);
    await host.stop();
    expect(lines).toContain("terminated");
  });

  it("one bundle of ES modules with chunks", async () => {
    const app = join(folder, "bundle");
    await build({
      entryPoints: { main: join(modules, "functions/http.ts") },
      outdir: join(app, "dist"),
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      external: ["@azure/functions-core"],
      banner: {
        js: 'import { createRequire as bannerRequire } from "node:module"; const require = bannerRequire(import.meta.url);',
      },
    });
    await cp(join(modules, "host.json"), join(app, "host.json"));
    await writeFile(join(app, "package.json"), '{"type":"module","main":"dist/main.js"}');
    const host = await start(app);
    expect(await (await host.fetch("/v1/things/1")).json()).toEqual({ id: "1", q: null });
  });

  it("takes another main than that of package.json", async () => {
    const host = await start(modules, { main: "functions/t*.ts" });
    expect(host.functions.map(({ name }) => name)).toEqual(["tick"]);
  });

  it.each([
    {
      what: "a module that throws",
      main: "main.js",
      files: { "main.js": 'throw new Error("no good")' },
      reason: "no good",
    },
    {
      what: "no function",
      main: "main.js",
      files: { "main.js": "export {}" },
      reason: "registers no function",
    },
    { what: "no file", main: "none/*.js", files: {}, reason: "No file in" },
    {
      what: "a broken host.json",
      main: "main.js",
      files: { "host.json": '{"version":"1"}' },
      reason: "host.json: version",
    },
  ])("is refused with the reason: $what", async ({ what, main, files, reason }) => {
    const app = await writeApp(what.replaceAll(" ", "-"), main, files);
    await expect(startFunctionsHost({ app, settings })).rejects.toThrow(reason);
    await expect(startFunctionsHost({ app, settings })).rejects.toThrow("code 1");
  });

  it("is refused with the reason: a missing setting", () =>
    expect(startFunctionsHost({ app: modules, settings: {} })).rejects.toThrow("setting TICK_SCHEDULE"));
});
