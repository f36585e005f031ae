import { spawn } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { annotations } from "../../src/core/annotations.ts";
import { canaries, traces } from "../support/canaries.ts";
import { requestCount, writesOf } from "../support/e2e/azureLog.ts";
import { eventually } from "../support/e2e/eventually.ts";
import {
  aCluster,
  aNamespace,
  anAzureCluster,
  anIdentity,
  type Place,
  subscription,
} from "../support/e2e/manifests.ts";
import { apply, azureCluster, editSpec, gone, settled, startDeleting } from "../support/e2e/objects.ts";
import { idle, send } from "../support/e2e/queue.ts";
import { useScene } from "../support/e2e/scene.ts";
import { turnsOf } from "../support/e2e/turns.ts";

const place: Place = { namespace: "ops", name: "demo" };
const group = `/subscriptions/${subscription}/resourceGroups/ops-demo`;
const main = join(import.meta.dirname, "..", "..", "src", "cli", "main.ts");

interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

describe("what operators do, on the full local stack", () => {
  const scene = useScene({ azure: { retryAfterSeconds: 1 }, settings: { CAPSTAN_LOG_LEVEL: "debug" } });
  let settings = "";
  const said: string[] = [];

  const capstan = async (...args: readonly string[]): Promise<Ended> => {
    const { kubeconfigPath } = scene().stack.controlPlane;
    const child = spawn(process.execPath, [main, ...args], {
      env: { ...process.env, KUBECONFIG: kubeconfigPath, NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const closed = new Promise<number | null>((done) => child.on("close", done));
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    said.push(out, err);
    return { status: await closed, out, err };
  };
  const ops = (...args: readonly string[]): Promise<Ended> => capstan(...args, "-n", "ops");
  const annotationOf = async (name: keyof typeof annotations): Promise<string | undefined> =>
    (await azureCluster(scene(), place)).metadata.annotations[annotations[name]];

  beforeAll(async () => {
    const { stack } = scene();
    const { port, masterKey } = stack.functions.current();
    settings = join(stack.logs, "..", "operator.env");
    const all = { ...stack.settings, CAPSTAN_APP_URL: `http://127.0.0.1:${port}`, CAPSTAN_APP_KEY: masterKey };
    await writeFile(
      settings,
      Object.entries(all)
        .map(([name, value]) => `${name}='${value}'\n`)
        .join(""),
    );
    const { clientSecret, bootstrap, sshPrivateKey, proxyCredentials } = canaries;
    const echo = `the request had '${clientSecret}' and '${JSON.stringify(JSON.stringify({ bootstrap }))}'`;
    const refused = { kind: "respond", status: 400, code: "InvalidParameter", message: echo } as const;
    await stack.azure.setFaults(
      (["PUT", "GET", "DELETE"] as const).map((method) => ({
        match: { method, nth: method === "DELETE" ? 1 : 2, path: "ops-demo" },
        fault: refused,
      })),
    );
    await apply(scene(), [
      aNamespace("ops"),
      anIdentity(place, { type: "ServicePrincipal", clientSecret: { name: "sp", namespace: "ops" } }),
      {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: "sp", namespace: "ops" },
        stringData: { clientSecret, bootstrap, sshPrivateKey, proxyCredentials },
      },
      aCluster(place),
      anAzureCluster(place),
    ]);
    await eventually("Azure has refused something", async () =>
      (await writesOf(scene(), "ops-demo")).some(({ status }) => status === 400),
    );
    await ops("retry", "azurecluster/demo", "--reason", "it was the fault of the test");
    await settled(scene(), place);
  }, 600_000);

  it("retry: says who and when, and ends the wait", async () => {
    expect(await annotationOf("retry")).toMatch(/^by .+ at 20\d\d-.*Z: it was the fault of the test$/);
  });

  it("a dry run asks the API server and stores nothing; one wrong object spoils only itself", async () => {
    const { resourceVersion } = (await azureCluster(scene(), place)).metadata;
    const dry = await ops("release", "azurecluster", "demo", "absent", "--dry-run");
    expect(dry).toMatchObject({ status: 1, out: expect.stringMatching(/demo: goes on now.*\(dry run\)/) });
    expect(dry.err).toContain("azurecluster.infrastructure.cluster.x-k8s.io/absent: not found");
    expect((await azureCluster(scene(), place)).metadata.resourceVersion).toBe(resourceVersion);
  });

  it("hold stops writes to Azure, unhold lets them go on", async () => {
    expect((await ops("hold", "AzureCluster/demo", "--reason", "looking into it")).status).toBe(0);
    await eventually(
      "the hold was seen",
      async () => (await turnsOf(scene(), place)).length > 0 && (await annotationOf("hold")) !== undefined,
    );
    await idle(scene());
    const before = await requestCount(scene());
    await editSpec(scene(), place, { additionalTags: { team: "blue" } });
    await eventually("the edit had its turn", async () =>
      (await turnsOf(scene(), place)).some(({ cause }) => cause === "change"),
    );
    await idle(scene());
    expect(await writesOf(scene(), "ops-demo", before)).toEqual([]);
    const unheld = await ops("unhold", "azureclusters/demo");
    expect(unheld.out).toContain("writes to Azure are allowed again");
    expect(await annotationOf("hold")).toBeUndefined();
    await settled(scene(), place);
    await eventually("the tags are written", async () => (await writesOf(scene(), "ops-demo", before)).length > 0);
  });

  it("adopt and abandon keep the ids, add to them, and take them back", async () => {
    expect((await ops("abandon", "azurecluster/demo", "--id", "ops-demo")).err).toContain('"ops-demo" is no id');
    await ops("abandon", "azurecluster/demo", "--id", `${group}/providers/Microsoft.Network/routeTables/a`);
    const { out } = await ops(
      "abandon",
      "azurecluster/demo",
      "--id",
      `${group}/providers/Microsoft.Network/routeTables/b`,
    );
    expect(out).toContain("stays in Azure when the object is deleted");
    expect((await annotationOf("abandon"))?.split(",")).toHaveLength(3);
    await ops("abandon", "azurecluster/demo", "--none");
    expect(await annotationOf("abandon")).toBeUndefined();
    await ops("adopt", "azurecluster/demo", "--id", group);
    expect(await annotationOf("adopt")).toContain(`${group},by `);
    await ops("adopt", "azurecluster/demo", "--none");
  });

  it("replay: a dry run first, then it is done, and history says who asked and why", async () => {
    const dry = await capstan("replay", "azurecluster/demo", "-n", "ops", "--settings", settings);
    expect(dry).toMatchObject({ status: 0, out: expect.stringContaining("wouldEnqueue") });
    const doorbell = { item: { v: 1 }, reason: "UnknownCluster", message: "" };
    await send(scene(), "reconcile-failed", [doorbell]);
    const parked = await capstan("replay", "--because", "unknowncluster", "--settings", settings);
    expect(parked.out).toMatch(/unreadable +20\d\d-/);
    const done = await ops("replay", "azurecluster/demo", "--yes", "--reason", "by hand", "--settings", settings);
    expect(done).toMatchObject({ status: 0, out: expect.stringMatching(/AzureCluster ops\/demo +enqueued/) });
    await eventually("the replay has its turn", async () =>
      (await turnsOf(scene(), place)).some(({ cause }) => cause === "replay"),
    );
    const told = await ops("history", "azurecluster/demo", "--settings", settings);
    expect(told.out).toMatch(/replay by function key .*by hand/);
  });

  it("history: each write with its outcome and Azure's ids", async () => {
    const wide = await ops("history", "azurecluster", "demo", "-o", "wide", "--since", "1h", "--settings", settings);
    expect(wide).toMatchObject({ status: 0, err: "" });
    expect(wide.out).toMatch(/InvalidParameter: the request had '\*\*\*' and/);
    expect(wide.out).toMatch(/PUT .*20[01] request [0-9a-f-]{36} correlation [0-9a-f-]{36}/);
    expect(wide.out).toMatch(/tags\.team: null -> "blue"/);
    const json = JSON.parse((await ops("history", "azurecluster/demo", "-o", "json", "--settings", settings)).out);
    expect(json.at(-1)).toMatchObject({ at: expect.any(String), writes: expect.any(Array) });
    expect((await ops("history", "azurecluster/demo", "-o", "yaml", "--settings", settings)).out).toMatch(/^- at: /);
    expect((await capstan("history", "azurecluster/demo", "-n", "ops")).err).toContain("CAPSTAN_TABLES_ENDPOINT");
    expect((await capstan("orphans", "--settings", settings)).out).toBe("no orphans\n");
  });

  it("a secret turns up in no table, message, log or answer, deletion included", async () => {
    await startDeleting(scene(), "cluster", place);
    await eventually("Azure has refused the deletion once", async () =>
      (await writesOf(scene(), "ops-demo")).some(({ method, status }) => method === "DELETE" && status === 400),
    );
    await ops("retry", "azurecluster/demo");
    await gone(scene(), "Cluster", place);
    const told = await ops("history", "azurecluster/demo", "-o", "wide", "--settings", settings);
    expect(told.out).toContain("DELETE");
    const { dir } = scene().stack.controlPlane;
    const found: string[] = [];
    let packed = 0;
    for (const part of ["tables", "service-bus", "logs"]) {
      for (const name of await readdir(join(dir, part), { recursive: true })) {
        const content = await readFile(join(dir, part, name), "utf8").catch(() => "");
        const unpacked = [...content.matchAll(/H4sI[A-Za-z0-9+/=]{20,}/g)].map(([coded]) => {
          packed += 1;
          return gunzipSync(Buffer.from(coded, "base64")).toString("utf8");
        });
        for (const trace of traces)
          if ([content, ...unpacked].some((one) => one.includes(trace))) found.push(`${part}/${name}: ${trace}`);
      }
    }
    expect(packed).toBeGreaterThan(5);
    expect(found).toEqual([]);
    expect(traces.filter((trace) => said.some((one) => one.includes(trace)))).toEqual([]);
  });
});
