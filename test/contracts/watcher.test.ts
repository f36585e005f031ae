import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { kubeReaderOver } from "../../src/adapters/kube.ts";
import type { KubeReader } from "../../src/adapters/kubeReader.ts";
import { openKubeTransport } from "../../src/adapters/kubeTransport.ts";
import { serviceBus } from "../../src/adapters/serviceBus.ts";
import { type ServiceBusConnection, serviceBusConnection } from "../../src/adapters/serviceBusClient.ts";
import { dependencyTable } from "../../src/core/dependencyTable.ts";
import type { WorkItem } from "../../src/core/workItem.ts";
import { type Launched, launch } from "../../src/sim/process/launch.ts";
import { startWatcher, type Watcher, type WatcherSettings } from "../../src/watcher/startWatcher.ts";
import type { WatcherStatus } from "../../src/watcher/watcherStatus.ts";
import { describeWithShared, sharedDir } from "../support/shared.ts";
import { type ManagementCluster, startManagementCluster } from "../watcher/support/managementCluster.ts";
import { type ReconcileQueue, startReconcileQueue } from "../watcher/support/reconcileQueue.ts";

const entry = new URL("../../src/watcher/main.ts", import.meta.url);
const rbac = join(import.meta.dirname, "../../infra/cluster/rbac.yaml");
const spec = { location: "westeurope", subscriptionID: "00000000-0000-0000-0000-000000000000" };
const poll = { timeout: 30_000, interval: 50 };
/** Quick to try again, so that outages in tests are short. */
const quick: Pick<WatcherSettings, "watch" | "outbox"> = {
  watch: { missingMs: 200, mostBackoffMs: 500 },
  outbox: { mostBackoffMs: 500 },
};

describeWithShared("the watcher on a real API server and broker", () => {
  let cluster: ManagementCluster;
  let reader: KubeReader;
  let queue: ReconcileQueue;
  let watchers: Watcher[] = [];
  let children: Launched[] = [];
  let connections: ServiceBusConnection[] = [];
  let cases = 0;
  let name = "";

  beforeAll(async () => {
    cluster = await startManagementCluster(join(sharedDir, "contract", "crds"));
    await cluster.installForeignKind("Cluster", "clusters");
    reader = kubeReaderOver(await openKubeTransport({ kind: "file", path: cluster.controlPlane.kubeconfigPath }));
  });
  afterAll(() => cluster?.stop());
  beforeEach(async () => {
    cases += 1;
    name = `demo-${cases}`;
    queue = await startReconcileQueue();
  });
  afterEach(async () => {
    await Promise.all(children.map((child) => child.stop()));
    await Promise.all(watchers.map((watcher) => watcher.stop(0)));
    await Promise.all(connections.map((connection) => connection.close()));
    [watchers, children, connections] = [[], [], []];
    await queue.stop();
  });

  const start = async (
    from: KubeReader = reader,
    settings: Partial<WatcherSettings> = {},
    to: ReconcileQueue = queue,
  ): Promise<Watcher> => {
    const connection = serviceBusConnection({ kind: "connectionString", connectionString: to.connectionString });
    connections.push(connection);
    const deps = {
      reader: from,
      queue: serviceBus(connection),
      clock: { monotonicMs: () => performance.now(), sleep: (ms: number) => sleep(ms) },
      nowMs: Date.now,
      random: Math.random,
      log: () => undefined,
    };
    const watcher = startWatcher(deps, {
      cluster: await cluster.uid(),
      kinds: ["AzureCluster"],
      ...quick,
      ...settings,
    });
    watchers.push(watcher);
    await expect.poll(() => watcher.status().opened, poll).toBe(true);
    return watcher;
  };
  const settled = (watcher: Watcher): Promise<void> => expect.poll(() => watcher.status().outbox.size, poll).toBe(0);
  const mine = async (of = name): Promise<readonly WorkItem[]> =>
    (await queue.received()).filter((item) => item.name === of);
  /** Waits for so many doorbells of an object, and tells them. */
  const rung = async (count: number, of = name): Promise<readonly WorkItem[]> => {
    await expect.poll(async () => (await mine(of)).length, poll).toBe(count);
    return mine(of);
  };
  /** What came before a doorbell that comes for sure, and nothing else. */
  const silentUntil = async (name: string, rest: readonly WorkItem[]): Promise<void> => {
    await cluster.create("azureclusters", name, { spec });
    await rung(1, name);
    expect(await mine()).toEqual(rest);
  };
  const kindStatus = (watcher: Watcher, kind = "AzureCluster"): WatcherStatus["kinds"][number] =>
    watcher.status().kinds.find((one) => one.kind === kind)!;
  /** An AzureCluster that its Cluster owns, watched by Capstan, with all doorbells of its making taken. */
  const owned = async (): Promise<void> => {
    const known = watchers.map((watcher) => kindStatus(watcher, "Cluster").objects);
    const { metadata } = await cluster.create("clusters", name, { spec: {} });
    const { uid } = metadata as { readonly uid: string };
    // Two kinds have two watches: whoever sees the AzureCluster first rings for it without its Cluster.
    for (const [at, watcher] of watchers.entries())
      await expect.poll(() => kindStatus(watcher, "Cluster").objects, poll).toBe((known[at] ?? 0) + 1);
    const ownerReferences = [{ apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", name, uid }];
    await cluster.create("azureclusters", name, { metadata: { ownerReferences, finalizers: ["test/hold"] }, spec });
  };

  it("goes on without a kind that is not installed, and takes it up when it is", async () => {
    const watcher = await start(reader, { kinds: ["AzureCluster", "AzureMachine"] });
    expect(kindStatus(watcher, "Machine")).toMatchObject({ phase: "missing", synced: false });
    await cluster.create("azureclusters", name, { spec });
    expect(await rung(1)).toMatchObject([
      { v: 1, cluster: await cluster.uid(), kind: "AzureCluster", namespace: "default", name, cause: "change" },
    ]);
    await cluster.installForeignKind("Machine", "machines");
    await expect.poll(() => kindStatus(watcher, "Machine").synced, poll).toBe(true);
  });

  it("rings for creation, change, label, pause of the Cluster, deletion and end", async () => {
    const watcher = await start();
    await owned();
    await cluster.patch("azureclusters", name, { spec: { additionalTags: { a: "b" } } });
    await rung(2);
    await cluster.patch("azureclusters", name, { metadata: { labels: { "cluster.x-k8s.io/watch-filter": "x" } } });
    await rung(3);
    await cluster.patch("clusters", name, { spec: { paused: true } });
    await rung(4);
    await cluster.remove("azureclusters", name);
    await rung(5);
    await cluster.patch("azureclusters", name, { metadata: { finalizers: null } });
    const all = await rung(6);
    expect(all.map(({ cause, generation, paused, deleting }) => ({ cause, generation, paused, deleting }))).toEqual([
      { cause: "change", generation: 1, paused: false, deleting: false },
      { cause: "change", generation: 2, paused: false, deleting: false },
      { cause: "change", generation: 2, paused: false, deleting: false },
      { cause: "dependency", generation: 2, paused: true, deleting: false },
      { cause: "change", generation: 3, paused: true, deleting: true },
      { cause: "change", generation: 3, paused: true, deleting: true },
    ]);
    expect(new Set(all.map(({ inputs }) => inputs)).size).toBe(5);
    await settled(watcher);
  });

  it("is silent about writes to the status, of the object and of its Cluster", async () => {
    await start();
    await owned();
    const before = await rung(1);
    await cluster.patch("azureclusters", name, { status: { ready: true } }, "status");
    await cluster.patch("clusters", name, { status: { phase: "Provisioned" } }, "status");
    await cluster.patch("azureclusters", name, { metadata: { annotations: { note: "nobody reads it" } } });
    await silentUntil(`${name}-fence`, before);
  });

  it("rings once for two replicas", async () => {
    const [one, other] = [await start(), await start()];
    await owned();
    // Else both of them may see creation and pause as one.
    await rung(1);
    await cluster.patch("clusters", name, { spec: { paused: true } });
    for (const watcher of [one, other]) await settled(watcher);
    await rung(2);
    await cluster.patch("azureclusters", name, { spec: { additionalTags: { a: "b" } } });
    const before = await rung(3);
    await silentUntil(`${name}-fence`, before);
    expect(other.status().outbox.sent).toBe(one.status().outbox.sent);
  });

  it("announces all after a restart, also what is being deleted by then", async () => {
    await owned();
    await cluster.remove("azureclusters", name);
    const first = await start();
    await rung(1);
    await settled(first);
    await first.stop(1_000);
    // Within its time a broker knows the ids of a restarted watcher: this one has no memory.
    const fresh = await startReconcileQueue();
    const again = await start(reader, {}, fresh);
    await settled(again);
    const all = await fresh.received();
    expect(all.filter((item) => item.name === name)).toMatchObject([{ deleting: true, cause: "change" }]);
    expect(all).toHaveLength(kindStatus(again).objects);
    await fresh.stop();
  });

  it("goes on after an API server's restart, and learns what changed meanwhile", async () => {
    let gate: Promise<void> = Promise.resolve();
    const gated: KubeReader = {
      listPage: async (options) => gate.then(() => reader.listPage(options)),
      watchKind: async (options) => gate.then(() => reader.watchKind(options)),
    };
    await owned();
    await cluster.create("azureclusters", `${name}-gone`, { spec });
    const watcher = await start(gated);
    await rung(1);
    await rung(1, `${name}-gone`);
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    await cluster.controlPlane.stopApiServer();
    await cluster.controlPlane.startApiServer();
    await cluster.patch("azureclusters", name, { spec: { additionalTags: { a: "b" } } });
    await cluster.patch("clusters", name, { spec: { paused: true } });
    await cluster.remove("azureclusters", `${name}-gone`);
    await cluster.create("azureclusters", `${name}-new`, { spec });
    resolve();
    await expect.poll(async () => (await mine()).at(-1), poll).toMatchObject({ generation: 2, paused: true });
    expect(await rung(2, `${name}-gone`)).toMatchObject([{ deleting: false }, { deleting: true, inputs: "" }]);
    await rung(1, `${name}-new`);
    expect(kindStatus(watcher).ends).not.toEqual({});
  });

  it("lists anew when its version is too old", async () => {
    let old = true;
    const forgetful: KubeReader = {
      listPage: (options) => reader.listPage(options),
      watchKind: (options) => {
        const resourceVersion = old && options.kind === "AzureCluster" ? "1" : options.resourceVersion;
        if (options.kind === "AzureCluster") old = false;
        return reader.watchKind({ ...options, resourceVersion });
      },
    };
    const watcher = await start(forgetful);
    await expect.poll(() => kindStatus(watcher).lists, poll).toBe(2);
    expect(kindStatus(watcher).ends).toEqual({ expired: 1 });
    await cluster.create("azureclusters", name, { spec });
    await rung(1);
  });

  it("misses nothing and repeats nothing over time-outs and relists", async () => {
    const watch = { ...quick.watch, watchSeconds: { least: 1, most: 1 }, relistMs: 2_500 };
    const watcher = await start(reader, { watch });
    await owned();
    for (let count = 1; count <= 12; count += 1) {
      await rung(count);
      await cluster.patch("azureclusters", name, { spec: { additionalTags: { a: String(count) } } });
      await sleep(300);
    }
    const all = await rung(13);
    expect(all.map(({ generation }) => generation)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
    expect(kindStatus(watcher).lists).toBeGreaterThan(1);
    expect(kindStatus(watcher).ends.closed).toBeGreaterThan(1);
  });

  it("heeds namespace and watch filter", async () => {
    const elsewhere = await start(reader, { namespace: "kube-public" });
    expect(kindStatus(elsewhere)).toMatchObject({ synced: true, objects: 0 });
    const filtered = await start(reader, { watchFilter: "mine" });
    await settled(filtered);
    await queue.forget();
    await cluster.create("azureclusters", `${name}-other`, { spec });
    const labels = { "cluster.x-k8s.io/watch-filter": "mine" };
    await cluster.create("azureclusters", name, { metadata: { labels }, spec });
    await rung(1);
    expect(await mine(`${name}-other`)).toEqual([]);
  });

  it("delivers after a broker's restart", async () => {
    const watcher = await start();
    await settled(watcher);
    await queue.stopBroker();
    await owned();
    await expect.poll(() => watcher.status().outbox, poll).toMatchObject({ size: 1, failed: expect.any(Number) });
    await cluster.patch("azureclusters", name, { spec: { additionalTags: { a: "b" } } });
    await expect.poll(() => watcher.status().outbox.failed, poll).toBeGreaterThan(1);
    await queue.startBroker();
    await settled(watcher);
    expect((await mine()).at(-1)).toMatchObject({ generation: 2 });
  });

  it("runs as a program under its own role: says where it is, shows its health, and ends with all sent", async () => {
    await cluster.create("azureclusters", name, { spec });
    const lines: string[] = [];
    const child = await launch({
      entry,
      env: {
        CAPSTAN_KUBECONFIG: await cluster.kubeconfigOf("capstan-watcher", rbac),
        CAPSTAN_SERVICE_BUS_CONNECTION: queue.connectionString,
        CAPSTAN_KINDS: Object.keys(dependencyTable).join(),
        CAPSTAN_HEALTH_PORT: "0",
      },
      onLine: (line) => lines.push(line),
    });
    children.push(child);
    const { healthPort } = child.ready as { readonly healthPort: number };
    expect(child.ready).toEqual({ healthPort: expect.any(Number), cluster: await cluster.uid() });
    const ask = async (path: string): Promise<Response> => fetch(`http://127.0.0.1:${healthPort}${path}`);
    await expect.poll(async () => (await ask("/readyz")).status, poll).toBe(200);
    expect((await ask("/healthz")).status).toBe(200);
    await rung(1);
    expect(await (await ask("/metrics")).text()).toMatch(/^capstan_watcher_doorbells_total\{result="sent"\} [1-9]/m);
    child.kill("SIGTERM");
    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect(lines.at(-1)).toMatch(/"the watcher has stopped","doorbellsLeft":0/);
    expect(lines.join()).not.toMatch(/SharedAccessKey|Bearer/);
  });
});
