import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "capstan-cli-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const groupId = "/subscriptions/00000000-0000-4000-8000-000000000001/resourceGroups/a";
const repository = join(import.meta.dirname, "..", "..");
const main = join(repository, "src", "cli", "main.ts");
const capstan = (args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
  const { npm_lifecycle_event: _event, INIT_CWD: _folder, ...own } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    encoding: "utf8",
    cwd: repository,
    env: { ...own, NO_COLOR: "1", ...env },
  });
  return { status, stdout, stderr };
};

describe("the command line", () => {
  it.each([["--help"], ["demo", "--help"], ["crds", "--help"], ["validate", "--help"], ["help", "demo"]])(
    "explains itself: %s %s",
    (...args) => {
      expect(capstan(args)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Usage: capstan/), stderr: "" });
    },
  );

  it.each([
    { args: [], says: /Usage: capstan/ },
    { args: ["bogus"], says: /unknown command 'bogus'/ },
    { args: ["demo", "--bogus"], says: /unknown option '--bogus'/ },
    { args: ["demo", "--timeout", "soon"], says: /'soon' is invalid. It must be a number of seconds/ },
    { args: ["demo", "--azure-port", "99999"], says: /It must be 1 to 65535/ },
    { args: ["demo", "--latency", "slow"], says: /milliseconds, sync or realistic/ },
    { args: ["abandon", "azurecluster/a", "--none", "--id", groupId], says: /--none takes all ids back/ },
    { args: ["adopt", "azurecluster/a", "--id", groupId, "--none"], says: /--none takes all ids back/ },
  ])("ends with 2 when it is called wrongly: $args", ({ args, says }) => {
    const { status, stderr } = capstan(args);
    expect(status).toBe(2);
    expect(stderr).toMatch(says);
  });

  it.each([
    { what: "no file", args: ["--manifest", join(folder, "none.yaml")], says: "none.yaml: no such file" },
    { what: "no YAML", args: ["--manifest", file("broken.yaml", "a: [1\nb: 2\n")], says: /broken\.yaml:\d: not YAML/ },
    {
      what: "no value",
      args: ["--manifest", file("open.yaml", ["a: $", "{OPEN_B} $", "{OPEN_A}"].join(""))],
      says: "open.yaml: no value for OPEN_A, OPEN_B",
    },
    {
      what: "nothing to wait for",
      args: ["--once", "--manifest", file("map.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n")],
      says: "holds nothing of a kind that this build reconciles",
    },
    {
      what: "a file in a folder that is not there",
      args: ["--requests", join(folder, "no", "such", "file")],
      says: /--requests .*file: cannot be written: its folder does not exist/,
    },
    { what: "a folder as file", args: ["--requests", folder], says: /cannot be written: it is a folder/ },
    {
      what: "a file as folder",
      args: ["--data", file("file", "")],
      says: /--data .*file: cannot be written: it is a file/,
    },
  ])("ends with 1 and one sentence: $what", ({ args, says }) => {
    const { status, stdout, stderr } = capstan(["demo", ...args]);
    expect(status).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
    expect(stderr).toMatch(says);
  });

  it.each([
    {
      what: "a file that is not there",
      more: ["--kubeconfig", "none.conf"],
      says: /none\.conf cannot be used: no such file/,
    },
    { what: "a folder", more: ["--kubeconfig", folder], says: /cannot be used: it is a folder/ },
    {
      what: "a file of something else",
      more: ["--kubeconfig", file("other.conf", "a: 1\n"), "--context", "elsewhere"],
      says: /it is none, or has no context "elsewhere"/,
    },
  ])("names the kubeconfig that cannot be used: $what", ({ more, says }) => {
    const { status, stderr } = capstan(["hold", "azurecluster/a", ...more]);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(says) });
  });

  it("says where a kubeconfig that nobody named comes from", () => {
    const { stderr } = capstan(["retry", "azurecluster/a"], { KUBECONFIG: join(folder, "gone.conf") });
    expect(stderr).toMatch(/gone\.conf \(of KUBECONFIG\) cannot be used: no such file/);
  });

  it("names a port that is in use", async () => {
    const squatter = createServer().listen(0, "127.0.0.1");
    await once(squatter, "listening");
    const address = squatter.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { status, stderr } = capstan(["demo", "--azure-port", String(port)]);
    squatter.close();
    expect({ status, stderr }).toEqual({ status: 1, stderr: `error: port ${port} (azure) on 127.0.0.1 is in use\n` });
  });

  it("names a folder that another demo is using", () => {
    const data = join(folder, "used");
    mkdirSync(data);
    writeFileSync(join(data, "demo.lock"), `${process.pid} ${hostname()}\n`);
    const { status, stderr } = capstan(["demo", "--data", data]);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `error: --data ${data}: another demo is using this folder\n`,
    });
  });

  it("says what to install when there are no Kubernetes tools and no Go", () => {
    const nothing = { PATH: folder, HOME: folder, CAPSTAN_CACHE: join(folder, "cache"), KUBEBUILDER_ASSETS: "" };
    const { status, stderr } = capstan(["demo"], nothing);
    expect(status).toBe(1);
    expect(stderr).toMatch(/Install Go/);
  });

  describe("finds files from where npm was called", () => {
    const called = (script: string) => ({ npm_lifecycle_event: script, INIT_CWD: folder });
    file("near.yaml", "a: $".concat("{NEAR}\n"));
    file("near-values.yaml", "NEAR: 1\n");

    it("in validate", () => {
      const args = ["validate", "-f", "near.yaml", "--against", "near.yaml", "--variables", "near-values.yaml"];
      const { status, stdout } = capstan(args, called("capstan"));
      expect({ status, stdout }).toEqual({
        status: 1,
        stdout: "near.yaml:1:1: not a Kubernetes object: it has no apiVersion and no kind\n",
      });
      expect(capstan(args)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining("near-values.yaml: no such file"),
      });
    });

    it("in demo", () => {
      const read = capstan(["demo", "--manifest", "near.yaml"], { ...called("demo"), NEAR: "1" });
      expect(read.stderr).toMatch(/^error: near\.yaml:1: the object has no/);
      const written = capstan(["demo", "--requests", "near.yaml/x"], called("capstan"));
      expect(written.stderr).toMatch(
        /--requests near\.yaml\/x: cannot be written: what should be its folder is a file/,
      );
      const data = capstan(["demo", "--data", "near.yaml"], called("demo"));
      expect(data.stderr).toMatch(/--data near\.yaml: cannot be written: it is a file/);
    });

    it("in crds, but not where a script names the folder itself", () => {
      expect(capstan(["crds", "-o", "out"], called("capstan")).status).toBe(0);
      expect(readdirSync(join(folder, "out"))).toEqual(["crds", "policies", "roles"]);
      expect(capstan(["crds", "--check", "-o", "infra/cluster"], called("crds")).status).toBe(0);
      expect(capstan(["crds", "--check", "-o", "infra/cluster"], called("capstan")).status).toBe(1);
    });
  });

  it("checks the definitions", () => {
    expect(capstan(["crds", "--check"]).status).toBe(0);
    const { status, stderr } = capstan(["crds", "--check", "--output", folder]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: not up to date/);
  });
});
