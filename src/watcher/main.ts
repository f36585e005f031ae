import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { kubeOver, kubeReaderOver } from "../adapters/kube.ts";
import { openKubeTransport } from "../adapters/kubeTransport.ts";
import { jsonLog } from "../adapters/log.ts";
import { serviceBus } from "../adapters/serviceBus.ts";
import { type ServiceBusSource, serviceBusConnection } from "../adapters/serviceBusClient.ts";
import { platformCredential } from "../adapters/tokenCredential.ts";
import { clusterUid } from "./clusterUid.ts";
import { type BusAccess, readConfig, type WatcherConfig } from "./readConfig.ts";
import { startHealthServer } from "./server.ts";
import { startWatcher, type Watcher } from "./startWatcher.ts";

/** `main.ts [--exit-with-parent]`: the watcher until SIGTERM. Prints `{"healthPort":N,"cluster":"UID"}` when it has started. */

/** What is left is announced by the next start; no grace period is as short as this. */
const drainMs = 5_000;

/** Standard output is for the ready line. */
const log = jsonLog("info", (line) => process.stderr.write(line));

const stopSignal = (): AbortSignal => {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once("SIGTERM", stop).once("SIGINT", stop);
  // Whoever launched us holds the other end of standard input.
  if (process.argv.includes("--exit-with-parent")) process.stdin.resume().once("close", stop).once("end", stop);
  return stopping.signal;
};

const sourceOf = async (access: BusAccess): Promise<ServiceBusSource> =>
  access.kind === "connectionString"
    ? access
    : { kind: "namespace", namespace: access.namespace, credential: await platformCredential() };

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

const run = async ({ health, kube: kubeSource, bus, ...settings }: WatcherConfig): Promise<void> => {
  const signal = stopSignal();
  let watcher: Watcher | undefined;
  const server = await startHealthServer(health, () => watcher?.status());
  const transport = await openKubeTransport(kubeSource);
  const connection = serviceBusConnection(await sourceOf(bus));
  const cluster = await clusterUid(kubeOver(transport), { random: Math.random, log, signal });
  if (cluster !== undefined) {
    const deps = {
      reader: kubeReaderOver(transport),
      queue: serviceBus(connection),
      clock: { monotonicMs: () => performance.now(), sleep: (ms: number) => sleep(ms) },
      nowMs: Date.now,
      random: Math.random,
      log,
    };
    watcher = startWatcher(deps, { ...settings, cluster });
    process.stdout.write(`${JSON.stringify({ healthPort: server.port, cluster })}\n`);
    await aborted(signal);
    const left = await watcher.stop(drainMs);
    log("info", "the watcher has stopped", { doorbellsLeft: left });
  }
  await server.close();
  await connection.close();
};

// V8 trades memory for speed by default; a watcher has time. Saves a third with 10,000 objects.
setFlagsFromString("--optimize-for-size");
const config = readConfig(process.env);
if (config.ok) {
  await run(config.value).then(
    () => process.exit(0),
    (error: unknown) => {
      // The text of an error about a kubeconfig may quote the file.
      const code = error instanceof Error && "code" in error ? String(error.code) : "no code";
      log("error", "the watcher could not start", { error: error instanceof Error ? error.name : "unknown", code });
      process.exit(1);
    },
  );
}
if (!config.ok) {
  for (const problem of config.error) process.stderr.write(`${problem}\n`);
  process.exit(2);
}
