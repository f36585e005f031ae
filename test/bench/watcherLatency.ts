import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Launched, launch } from "../../src/sim/process/launch.ts";
import { type Broker, startBroker } from "../../src/sim/serviceBus/startBroker.ts";
import { sharedDir } from "../support/shared.ts";
import { type ManagementCluster, startManagementCluster } from "../watcher/support/managementCluster.ts";
import { watcherBundle } from "./watcherBundle.ts";

/** From the API server's answer to a change until the broker has the doorbell. */
export interface WatcherLatency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const spec = { location: "westeurope", subscriptionID: "00000000-0000-0000-0000-000000000000" };
const warmUp = 20;

const until = async (check: () => boolean): Promise<void> => {
  while (!check()) await sleep(1);
};

const measure = async (cluster: ManagementCluster, broker: Broker, changes: number): Promise<WatcherLatency> => {
  const latencies: number[] = [];
  for (let change = 1; change <= changes + warmUp; change += 1) {
    await cluster.patch("azureclusters", "demo", { spec: { additionalTags: { change: String(change) } } });
    const answeredMs = performance.now();
    await until(() => broker.counts("reconcile").active > change);
    if (change > warmUp) latencies.push(performance.now() - answeredMs);
    // Changes of people come one by one.
    await sleep(20);
  }
  const sorted = latencies.toSorted((left, right) => left - right);
  const quantile = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50Ms: quantile(0.5), p99Ms: quantile(0.99) };
};

/** Changes one AzureCluster so many times, with the bundled watcher between a real API server and the broker. */
export const watcherLatency = async (changes = 200): Promise<WatcherLatency> => {
  const folder = await mkdtemp(join(tmpdir(), "capstan-bench-"));
  const cluster = await startManagementCluster(join(sharedDir, "contract", "crds"));
  const broker = await startBroker({ queues: [{ name: "reconcile", duplicateDetectionSeconds: 600 }] });
  let child: Launched | undefined;
  try {
    child = await launch({
      entry: await watcherBundle(folder),
      env: {
        CAPSTAN_KUBECONFIG: cluster.controlPlane.kubeconfigPath,
        CAPSTAN_SERVICE_BUS_CONNECTION: broker.connectionString,
        CAPSTAN_HEALTH_PORT: "0",
      },
    });
    await cluster.create("azureclusters", "demo", { spec });
    await until(() => broker.counts("reconcile").active > 0);
    return await measure(cluster, broker, changes);
  } finally {
    await child?.stop();
    await broker.stop();
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
};
