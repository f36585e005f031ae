import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serviceBus } from "../../src/adapters/serviceBus.ts";
import { serviceBusConnection } from "../../src/adapters/serviceBusClient.ts";
import type { Seen } from "../../src/core/chain/chainRow.ts";
import { doorbell } from "../../src/core/chain/messages.ts";
import type { ObjectKey } from "../../src/core/types.ts";
import { startFunctionsHost } from "../../src/sim/functionsHost/functionsHost.ts";
import type { Stack } from "../../src/sim/stack/stack.ts";
import type { Bench } from "./bench.ts";
import { chainOf } from "./chain.ts";
import { type CountingProxy, startCountingProxy } from "./countingProxy.ts";
import { eventually } from "./eventually.ts";
import type { Values } from "./figures.ts";
import { processCpuMs } from "./processCpu.ts";

const warmUp = 500;
const turns = 3_000;
const repository = join(import.meta.dirname, "..", "..");

interface Proxies {
  readonly tables: CountingProxy;
  readonly kube: CountingProxy;
}

/** JSON is YAML too. The way to the proxy is plain HTTP, which clients take only when told not to look. */
const kubeconfigOf = (server: string, token: string): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "bench",
    contexts: [{ name: "bench", context: { cluster: "bench", user: "bench" } }],
    clusters: [{ name: "bench", cluster: { server, "insecure-skip-tls-verify": true } }],
    users: [{ name: "bench", user: { token } }],
  });

const settingsOf = async (stack: Stack, proxies: Proxies, folder: string): Promise<Stack["settings"]> => {
  const { url, connectionString } = stack.tables.current();
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, kubeconfigOf(proxies.kube.url, stack.controlPlane.token), { mode: 0o600 });
  return {
    ...stack.settings,
    CAPSTAN_TABLES_CONNECTION: connectionString.replace(new URL(url).origin, proxies.tables.url),
    CAPSTAN_CLUSTERS: JSON.stringify([{ uid: stack.cluster, kubeconfig }]),
  };
};

/** Sends messages that say what the last turn has already seen, and waits until all are handled. */
const handleKnown = async (stack: Stack, key: ObjectKey, news: Seen, count: number, batch: string): Promise<void> => {
  const connectionString = stack.settings["ServiceBusConnection"] ?? "";
  const connection = serviceBusConnection({ kind: "connectionString", connectionString });
  const messages = Array.from({ length: count }, (_, at) =>
    doorbell({
      cause: "change",
      address: { cluster: stack.cluster, ...key },
      news: { ...news, paused: false, deleting: false },
      versions: [`${batch}-${at}`],
      nowMs: Date.now(),
    }),
  );
  const sent = await serviceBus(connection).send(
    "reconcile",
    messages.map(({ messageId, item }) => ({ messageId, body: { ...item } })),
  );
  await connection.close();
  if (!sent.ok) throw new Error(sent.error.message);
  await eventually("all messages are handled", async () =>
    (await stack.queueCounts("reconcile")).active === 0 ? true : undefined,
  );
};

interface Calls {
  readonly tableReads: number;
  /** To the tables, the API server and Azure. */
  readonly others: number;
  /** Messages in the queue that are not due yet: what the function app sends itself. */
  readonly scheduled: number;
}

const callsSoFar = async (stack: Stack, { tables, kube }: Proxies): Promise<Calls> => {
  const tableReads = tables.requests.filter((line) => line.startsWith("GET ")).length;
  const { scheduled } = await stack.queueCounts("reconcile");
  const azure = (await stack.azure.requests()).length;
  return { tableReads, others: tables.requests.length - tableReads + kube.requests.length + azure, scheduled };
};

const measure = async (stack: Stack, key: ObjectKey, seen: Seen, proxies: Proxies, pid: number): Promise<Values> => {
  await handleKnown(stack, key, seen, warmUp, "warm-up");
  const [before, cpuBeforeMs, startMs] = [await callsSoFar(stack, proxies), await processCpuMs(pid), performance.now()];
  await handleKnown(stack, key, seen, turns, "measured");
  const [after, cpuAfterMs, endMs] = [await callsSoFar(stack, proxies), await processCpuMs(pid), performance.now()];
  // A wake that an earlier measure left behind may have come due among the messages.
  const handled = turns + Math.max(0, before.scheduled - after.scheduled);
  const sent = Math.max(0, after.scheduled - before.scheduled);
  return {
    settledTurnTableReads: (after.tableReads - before.tableReads) / handled,
    settledTurnOtherCalls: (after.others - before.others + sent) / handled,
    settledTurnCpuMs: (cpuAfterMs - cpuBeforeMs) / handled,
    settledTurnsPerSecond: handled / ((endMs - startMs) / 1000),
  };
};

/** What a message costs that brings no news: the function app runs behind proxies that count its calls. */
export const settledTurns = async (bench: Bench): Promise<Values> => {
  const stack = await bench.stack();
  const { key } = await bench.cluster();
  const chain = chainOf(stack, key);
  const { seen, turn } = await chain.settled();
  if (seen === undefined) throw new Error("the settled cluster was never seen");
  bench.progress(`${turns} settled turns`);
  await stack.functions.stop();
  const folder = await mkdtemp(join(tmpdir(), "capstan-bench-"));
  const proxies: Proxies = {
    tables: await startCountingProxy(stack.tables.current().url),
    kube: await startCountingProxy(stack.controlPlane.url, stack.controlPlane.caPem),
  };
  const settings = await settingsOf(stack, proxies, folder);
  const host = await startFunctionsHost({ app: repository, main: "functions/main.ts", settings, timers: false });
  try {
    const values = await measure(stack, key, seen, proxies, host.pid);
    if ((await chain.settled()).turn !== turn) throw new Error("the cluster changed meanwhile");
    return values;
  } finally {
    await host.stop();
    await Promise.all([proxies.tables.stop(), proxies.kube.stop()]);
    await rm(folder, { recursive: true, force: true });
    await stack.functions.start();
  }
};
