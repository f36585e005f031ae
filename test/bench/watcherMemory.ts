import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { launch } from "../../src/sim/process/launch.ts";
import { startBroker } from "../../src/sim/serviceBus/startBroker.ts";
import type { JsonObject } from "../../src/wire/json.ts";
import { type ManagementCluster, type Plural, startManagementCluster } from "../watcher/support/managementCluster.ts";
import { watcherBundle } from "./watcherBundle.ts";

/** What the watcher needs for a large cluster. */
export interface WatcherMemory {
  /** Most resident memory from the start to the last announcement and after, in MB. */
  readonly rssMb: number;
  /** From the start of the process until the broker had the last doorbell. */
  readonly announceSeconds: number;
}

const clusters = 200;
const crds = join(import.meta.dirname, "..", "..", "infra", "cluster", "crds");
const announceTimeoutMs = 180_000;

const everyKind = (objects: number): readonly (readonly [Plural, string, JsonObject])[] => {
  const labels = (at: number) => ({ "cluster.x-k8s.io/cluster-name": `cluster-${at % clusters}` });
  const range = (count: number): readonly number[] => [...Array(count).keys()];
  return [
    ...range(clusters).map((at) => ["clusters", `cluster-${at}`, { spec: { infrastructureRef: ref(at) } }] as const),
    ...range(clusters).map((at) => ["azureclusters", `cluster-${at}`, azureCluster] as const),
    ...range(objects - clusters).map(
      (at) => ["azuremachines", `machine-${at}`, { metadata: { labels: labels(at) }, spec: machineSpec(at) }] as const,
    ),
  ];
};
const ref = (at: number): JsonObject => ({
  apiGroup: "infrastructure.cluster.x-k8s.io",
  kind: "AzureCluster",
  name: `cluster-${at}`,
});
const azureCluster: JsonObject = {
  spec: {
    location: "westeurope",
    subscriptionID: "00000000-0000-0000-0000-000000000000",
    identityRef: { kind: "AzureClusterIdentity", name: "sp" },
  },
};
const machineSpec = (at: number): JsonObject => ({
  vmSize: "Standard_D4s_v5",
  osDisk: { osType: "Linux", diskSizeGB: 128, managedDisk: { storageAccountType: "Premium_LRS" } },
  sshPublicKey: "c3NoLXJzYSBBQUFB".repeat(20),
  dataDisks: [1, 2, 3, 4].map((lun) => ({ nameSuffix: `disk-${lun}`, diskSizeGB: 64, lun })),
  additionalTags: { team: "a", index: String(at) },
});

/** A field of /proc/<pid>/status in MB. */
const procMb = async (pid: number, field: string): Promise<number> => {
  const text = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(text)?.[1] ?? 0) / 1024;
};

const createAll = async (cluster: ManagementCluster, objects: number): Promise<void> => {
  const queue = everyKind(objects)[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); !next.done; next = queue.next()) await cluster.create(...next.value);
  };
  await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(worker));
};

const measure = async (cluster: ManagementCluster, objects: number, folder: string): Promise<WatcherMemory> => {
  const broker = await startBroker({ queues: [{ name: "reconcile", duplicateDetectionSeconds: 600 }] });
  const entry = await watcherBundle(folder);
  const startMs = performance.now();
  const child = await launch({
    entry,
    env: {
      CAPSTAN_KUBECONFIG: cluster.controlPlane.kubeconfigPath,
      CAPSTAN_SERVICE_BUS_CONNECTION: broker.connectionString,
      CAPSTAN_KINDS: "AzureCluster,AzureMachine",
      CAPSTAN_HEALTH_PORT: "0",
    },
  });
  try {
    while (broker.counts("reconcile").active < objects) {
      if (performance.now() - startMs > announceTimeoutMs) throw new Error("the watcher did not announce all in time");
      await sleep(50);
    }
    const announceSeconds = (performance.now() - startMs) / 1000;
    await sleep(5_000);
    return { rssMb: await procMb(child.pid, "VmHWM"), announceSeconds };
  } finally {
    await child.stop();
    await broker.stop();
  }
};

/** Runs the bundled watcher against a real API server with so many AzureClusters and AzureMachines (Linux only). */
export const watcherMemory = async (objects = 10_000): Promise<WatcherMemory> => {
  const folder = await mkdtemp(join(tmpdir(), "capstan-bench-"));
  const cluster = await startManagementCluster(crds);
  try {
    await cluster.installForeignKind("Cluster", "clusters");
    await createAll(cluster, objects);
    return await measure(cluster, objects, folder);
  } finally {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
};
