import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { quickstart } from "../../src/cli/demoOptions.ts";
import { readManifest } from "../../src/cli/manifest.ts";
import { plansFromNothing } from "../../src/cli/plan/plansFromNothing.ts";
import type { LoggedRequest } from "../../src/sim/arm/requestLog.ts";
import type { Stack } from "../../src/sim/stack/stack.ts";
import { startStack } from "../../src/sim/stack/startStack.ts";
import { describeWithShared, sharedDir } from "../support/shared.ts";

const main = join(import.meta.dirname, "..", "..", "src", "cli", "main.ts");
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "capstan-demo-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Ended {
  readonly status: number | null;
  readonly output: string;
}

const start = (args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn(process.execPath, [main, "demo", ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });

const collect = (child: ChildProcess): { readonly text: () => string } => {
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  return { text: () => text };
};

const demo = async (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> => {
  const child = start(args, env);
  const output = collect(child);
  await once(child, "close");
  return { status: child.exitCode, output: output.text() };
};

/** Ids of all processes below one. */
const descendants = async (pid: number): Promise<readonly number[]> => {
  const { stdout } = await promisify(execFile)("ps", ["-axo", "pid=,ppid="]);
  const pairs = stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  const below = (parent: number): readonly number[] =>
    pairs.filter(([, ppid]) => ppid === parent).flatMap(([child]) => [child, ...below(child)]);
  return below(pid);
};

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe("capstan demo", () => {
  it("brings the quickstart to readiness, with exactly the requests that were planned", async () => {
    const requests = join(folder, "requests.ndjson");
    const { status, output } = await demo(["--once", "--plan", "--requests", requests]);
    expect(output).toMatch(/\n +\d+s {2}1 of 1 ready(, \d+ not in this build)?\nready\n$/);
    expect(status).toBe(0);
    const [planned] = await plansFromNothing(await readManifest(quickstart, {}), undefined, () => undefined);
    const { plan } = planned!;
    for (const { id } of plan.steps) expect(output).toContain(`create  ${id}\n`);
    const lines = (await readFile(requests, "utf8")).trim().split("\n");
    const logged = lines.map((line): LoggedRequest => JSON.parse(line));
    const writes = logged.filter(({ method, status: answer }) => method !== "GET" && answer < 300);
    expect(writes.map(({ method, path, apiVersion }) => ({ method, id: path, apiVersion })).toSorted(byId)).toEqual(
      plan.steps.map(({ method, id, apiVersion }) => ({ method, id, apiVersion })).toSorted(byId),
    );
    for (const write of writes) expect(write.body, write.path).toBeTypeOf("object");
  });

  it("ends with the server's words when it does not take the manifest", async () => {
    const file = join(folder, "wrong.yaml");
    const group = "infrastructure.cluster.x-k8s.io";
    const wrongType = `apiVersion: ${group}/v1beta1\nkind: AzureCluster\nmetadata: { name: wrong }\nspec: { location: 7 }\n`;
    const unknownKind = `apiVersion: ${group}/v1beta1\nkind: AzureBalloon\nmetadata: { name: b }\nspec: {}\n`;
    await writeFile(file, `${wrongType}---\n${unknownKind}`);
    const { status, output } = await demo(["--manifest", file]);
    expect(output).toContain('spec.location: Invalid value: "integer"');
    expect(output).toContain('no matches for kind "AzureBalloon"');
    expect(output).not.toMatch(/^ +at /m);
    expect(status).toBe(1);
  });

  it.each(["SIGINT", "SIGKILL"] as const)("leaves no process behind when it gets %s", async (signal) => {
    const child = start([]);
    const output = collect(child);
    while (!output.text().includes("Ctrl-C ends it.")) {
      if (child.exitCode !== null) throw new Error(output.text());
      await sleep(200);
    }
    const pids = await descendants(child.pid!);
    // Supervisor, etcd, API server, controller manager, three managers, tables, broker, Azure, functions, watcher.
    expect(pids.length).toBeGreaterThanOrEqual(12);
    child.kill(signal);
    await once(child, "exit");
    if (signal === "SIGINT") expect(child.exitCode).toBe(0);
    for (let tries = 0; tries < 150 && pids.some(isRunning); tries += 1) await sleep(100);
    expect(pids.filter(isRunning)).toEqual([]);
  });
});

const byId = (one: { readonly id: string }, other: { readonly id: string }): number => one.id.localeCompare(other.id);

describeWithShared("capstan demo with the contract's default template", () => {
  const template = join(sharedDir, "contract", "templates", "cluster-template.yaml");
  const variables = {
    CLUSTER_NAME: "from-template",
    CLUSTER_IDENTITY_NAME: "cluster-identity",
    CLUSTER_IDENTITY_TYPE: "WorkloadIdentity",
    AZURE_CLIENT_ID_USER_ASSIGNED_IDENTITY: "00000000-0000-4000-8000-000000000012",
    AZURE_TENANT_ID: "00000000-0000-4000-8000-000000000013",
    AZURE_SUBSCRIPTION_ID: "00000000-0000-4000-8000-000000000014",
    AZURE_LOCATION: "northeurope",
    AZURE_CONTROL_PLANE_MACHINE_TYPE: "Standard_D2s_v3",
    AZURE_NODE_MACHINE_TYPE: "Standard_D2s_v3",
    KUBERNETES_VERSION: "v1.36.3",
  };

  it("applies it unchanged and becomes ready", async () => {
    const { status, output } = await demo(["--once", "--manifest", template], variables);
    expect(output).toContain("azuremachinetemplate.infrastructure.cluster.x-k8s.io/from-template-md-0 created");
    expect(output).toMatch(/1 of 1 ready(, \d+ not in this build)?\nready\n$/);
    expect(status).toBe(0);
  });

  it("says what is missing when the time is over", async () => {
    const { status, output } = await demo(["--once", "--timeout", "1", "--manifest", template], variables);
    expect(output).toMatch(/\nnot ready after 1 s:\n {2}AzureCluster default\/from-template: /);
    expect(status).toBe(1);
  });
});

/** What whoever reads a failure wants to see first. */
const diagnosis = async (stack: Stack): Promise<string> => {
  const seen = await Promise.all(
    [
      stack.queueCounts("reconcile").then((counts) => JSON.stringify(counts)),
      stack.kubectl([
        "get",
        "azurecluster",
        "-A",
        "-o",
        "jsonpath={.items[*].spec.additionalTags} {.items[*].status.conditions}",
      ]),
      ...["functions", "watcher"].map(async (part) => {
        const lines = (await readFile(join(stack.controlPlane.dir, "logs", `${part}.log`), "utf8")).trim().split("\n");
        return [part, ...lines.slice(-25)].join("\n");
      }),
    ].map((text) => text.catch((error: unknown) => String(error))),
  );
  return seen.join("\n");
};

describe("the local stack", () => {
  let stack: Stack;
  const group = "/subscriptions/00000000-0000-4000-8000-000000000001/resourceGroups/quickstart";
  beforeAll(async () => {
    stack = await startStack({ progress: (line) => console.error(line) });
    await stack.kubectl(["apply", "-f", quickstart]);
  });
  afterAll(() => stack.stop());

  const eventually = async (what: string, check: () => Promise<boolean>): Promise<void> => {
    for (let tries = 0; tries < 900; tries += 1) {
      if (await check().catch(() => false)) return;
      await sleep(100);
    }
    throw new Error(`not within 90 s: ${what}\n${await diagnosis(stack)}`);
  };
  const isReady = async (): Promise<boolean> =>
    (await stack.kubectl(["get", "azurecluster", "quickstart", "-o", "jsonpath={.status.ready}"])) === "true";
  const askForTag = (value: string): Promise<string> =>
    stack.kubectl([
      "patch",
      "azurecluster",
      "quickstart",
      "--type=merge",
      "-p",
      JSON.stringify({ spec: { additionalTags: { asked: value } } }),
    ]);
  const hasTag = async (value: string): Promise<boolean> => {
    const [found] = await stack.azure.resources(group);
    return (found?.["tags"] as Readonly<Record<string, string>> | undefined)?.["asked"] === value;
  };

  it("reconciles what is applied", () => eventually("the quickstart is ready", isReady));

  it("brings a dead function app and a dead watcher back", async () => {
    process.kill(stack.functions.current().pid, "SIGKILL");
    process.kill(stack.watcher!.current().pid, "SIGKILL");
    await askForTag("after a crash");
    await eventually("the tag is there", () => hasTag("after a crash"));
  });

  it("keeps messages while the function app is held down and the broker is started again", async () => {
    // A turn that is killed keeps its lease for most of a minute, which is not what this is about.
    await eventually("no turn runs", async () => (await stack.queueCounts("reconcile")).locked === 0);
    await stack.functions.kill("SIGKILL");
    const before = await stack.queueCounts("reconcile");
    await askForTag("after a restart");
    const waiting = async (): Promise<boolean> => (await stack.queueCounts("reconcile")).active > before.active;
    await eventually("a message waits", waiting);
    await stack.broker.restart();
    expect(await waiting()).toBe(true);
    expect(await hasTag("after a restart")).toBe(false);
    await stack.functions.start();
    await eventually("the tag is there", () => hasTag("after a restart"));
  });

  it("goes on after an outage of the API server", async () => {
    await stack.controlPlane.stopApiServer();
    await stack.controlPlane.startApiServer();
    await askForTag("after an outage");
    await eventually("the tag is there", () => hasTag("after an outage"));
  });

  it("replays by hand, and lets another writer at Azure", async () => {
    await stack.azure.mutate(group, { tags: { asked: "by another writer" } });
    expect(await hasTag("by another writer")).toBe(true);
    const since = (await stack.azure.requests()).length;
    const object = { cluster: stack.cluster, kind: "AzureCluster", namespace: "default", name: "quickstart" };
    expect(await stack.replay({ object })).toMatchObject({ status: 200, body: { dryRun: true } });
    expect(await stack.replay({ object, dryRun: false })).toMatchObject({ status: 200, body: { dryRun: false } });
    await eventually("the tag is as asked again", () => hasTag("after an outage"));
    const later = await stack.azure.requests(since);
    expect(later.some(({ method, path }) => method !== "GET" && path.startsWith(group))).toBe(true);
  });
});
