import { afterEach, describe, expect, it } from "vitest";
import { type Launched, type LaunchOptions, launch } from "../../../src/sim/process/launch.ts";

const entry = new URL("fixtures/child.ts", import.meta.url);
const started: Launched[] = [];
const start = async (mode: string, options: Partial<LaunchOptions> = {}): Promise<Launched> => {
  const child = await launch({ entry, args: [mode], ...options });
  started.push(child);
  return child;
};
afterEach(async () => {
  await Promise.all(started.splice(0).map((child) => child.stop(0)));
});

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe("launch", () => {
  it("gives the ready line and passes every other line on", async () => {
    const lines: string[] = [];
    const later = Promise.withResolvers<void>();
    const child = await start("chatty", {
      env: { FIXTURE: "yes" },
      isReady: (value) => "port" in value,
      onLine: (line, stream) => {
        lines.push(`${stream}: ${line}`);
        if (line.includes("later")) later.resolve();
      },
    });
    await later.promise;
    expect(child.ready).toEqual({ port: 7, set: "yes" });
    expect(lines.filter((line) => line.startsWith("stderr"))).toEqual(["stderr: starting"]);
    expect(lines.filter((line) => line.startsWith("stdout"))).toEqual([
      "stdout: not json",
      "stdout: {broken",
      'stdout: {"level":"info"}',
      'stdout: {"level":"later"}',
    ]);
  });

  it("rejects with the last lines of a child that ends first", () =>
    expect(start("fail")).rejects.toThrow(/ended before it was ready, with code 3\n(.*\n)*the reason/));

  it("rejects and kills a child that never gets ready", () =>
    expect(start("silent", { readyTimeoutMs: 1_500 })).rejects.toThrow("was not ready after 1500 ms"));

  it("stops with SIGTERM", async () => {
    const child = await start("ready");
    expect(await child.stop()).toEqual({ code: null, signal: "SIGTERM" });
    expect(child.kill("SIGKILL")).toBe(false);
    expect(await child.stop()).toEqual({ code: null, signal: "SIGTERM" });
  });

  it("kills a child that does not listen", async () => {
    const child = await start("deaf");
    expect(await child.stop(200)).toEqual({ code: null, signal: "SIGKILL" });
  });

  it("reports a child killed from outside", async () => {
    const child = await start("ready");
    process.kill(child.pid, "SIGKILL");
    expect(await child.exited).toEqual({ code: null, signal: "SIGKILL" });
  });

  it("leaves no child behind when the parent is killed", async () => {
    const parent = await start("", { entry: new URL("fixtures/parent.ts", import.meta.url), args: [] });
    const { child } = parent.ready as { readonly child: number };
    expect(isAlive(child)).toBe(true);
    parent.kill("SIGKILL");
    await parent.exited;
    await expect.poll(() => isAlive(child), { timeout: 20_000 }).toBe(false);
  });
});
