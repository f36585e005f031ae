import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { foreignInputs } from "../../infra/build.ts";
import { startFunctionsHost } from "../../src/sim/functionsHost/functionsHost.ts";
import { startBroker } from "../../src/sim/serviceBus/startBroker.ts";

const repository = join(import.meta.dirname, "..", "..");

describe("the package of the function app", () => {
  let folder: string;
  let lines: readonly {
    readonly name: string;
    readonly value: unknown;
    readonly goal?: number;
    readonly ok?: boolean;
  }[];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "capstan-build-"));
    const script = join(repository, "infra", "build.ts");
    const { stdout } = await promisify(execFile)(process.execPath, [script, "--output", folder]);
    lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  }, 120_000);
  afterAll(() => rm(folder, { recursive: true }));

  it("is small enough", () =>
    expect(lines.find(({ name }) => name === "function app: bytes")).toMatchObject({ goal: 6_000_000, ok: true }));

  it("says how long it takes to load, and how much memory", () =>
    expect(lines.map(({ name }) => name)).toEqual([
      "function app: bytes",
      "function app: load time in ms",
      "function app: RSS after load in bytes",
      "function app: functions",
    ]));

  it("is an app of its own", async () => {
    expect(JSON.parse(await readFile(join(folder, "package.json"), "utf8"))).toMatchObject({
      type: "module",
      main: "main.js",
    });
    expect(await readFile(join(folder, "host.json"), "utf8")).toBe(
      await readFile(join(repository, "host.json"), "utf8"),
    );
    expect((await readdir(folder)).filter((name) => !/\.(js|json|txt)$/.test(name))).toEqual([]);
  });

  it("runs in a host that has nothing but this folder", async () => {
    const broker = await startBroker({ queues: [{ name: "reconcile" }] });
    const host = await startFunctionsHost({
      app: folder,
      timers: false,
      settings: { ServiceBusConnection: broker.connectionString, CAPSTAN_QUEUE: "reconcile" },
    });
    try {
      expect(host.functions.map(({ name }) => name).toSorted()).toEqual([
        "drift",
        "health",
        "reconcile",
        "replay",
        "resync",
      ]);
      expect((await host.fetch("/api/health")).status).toBe(200);
      expect((await host.fetch("/api/replay", { method: "POST", body: "{}" })).status).toBe(401);
    } finally {
      await host.stop();
      await broker.stop();
    }
  });
});

describe("foreignInputs", () => {
  it("finds what the package must not hold", () => {
    const paths = ["src/engine/turn.ts", "src/sim/arm/main.ts", "node_modules/azurite/a.js", "node_modules/rhea/a.js"];
    const inputs = Object.fromEntries(paths.map((path) => [path, { bytes: 1, imports: [] }]));
    expect(foreignInputs({ inputs })).toEqual(["src/sim/arm/main.ts", "node_modules/azurite/a.js"]);
  });
});
