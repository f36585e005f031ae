import { ServiceBusClient } from "@azure/service-bus";
import type { JsonObject } from "../../src/core/types.ts";
import { parseWorkItem } from "../../src/core/workItem.ts";
import type { Stack } from "../../src/sim/stack/stack.ts";
import type { Bench } from "./bench.ts";
import { loneCluster } from "./defaultCluster.ts";
import { eventually } from "./eventually.ts";
import type { Values } from "./figures.ts";
import { patchCluster } from "./patchCluster.ts";
import { quantile } from "./quantile.ts";

const changes = 300;
const warmUp = 20;
const name = "doorbell";

/** The three ways in which a person says something: by the spec, a label, an annotation. */
const patchOf = (at: number): JsonObject => {
  switch (at % 3) {
    case 0:
      return { spec: { additionalTags: { at: String(at) } } };
    case 1:
      return { metadata: { labels: { "cluster.x-k8s.io/watch-filter": String(at) } } };
    default:
      return { metadata: { annotations: { "cluster.x-k8s.io/paused": at % 2 === 0 ? "" : null } } };
  }
};

/** When each doorbell of the object came into the queue, by the broker's clock, which is this machine's. */
const listen = (client: ServiceBusClient): readonly number[] => {
  const arrivals: number[] = [];
  client.createReceiver("reconcile", { receiveMode: "receiveAndDelete" }).subscribe({
    processMessage: async ({ body, enqueuedTimeUtc }) => {
      const item = parseWorkItem(body);
      if (item.ok && item.value.name === name) arrivals.push(enqueuedTimeUtc?.getTime() ?? Number.NaN);
    },
    processError: async ({ error }) => {
      throw error;
    },
  });
  return arrivals;
};

const sample = async (stack: Stack, arrivals: readonly number[], at: number): Promise<number> => {
  const before = arrivals.length;
  const startMs = Date.now();
  await patchCluster(stack, name, patchOf(at));
  return (await eventually("the doorbell rings", async () => arrivals[before], 10_000)) - startMs;
};

const measure = async (stack: Stack, client: ServiceBusClient): Promise<readonly number[]> => {
  const arrivals = listen(client);
  await stack.kubectl(["create", "-f", "-"], JSON.stringify(loneCluster(name)));
  await eventually("the first doorbell rings", async () => arrivals[0]);
  const samples: number[] = [];
  for (let at = 0; at < warmUp + changes; at += 1) samples.push(await sample(stack, arrivals, at));
  await stack.kubectl(["delete", "azurecluster", name]);
  await eventually("the last doorbell rings", async () => arrivals[warmUp + changes + 1]);
  return samples.slice(warmUp);
};

/** From a change's request to the API server until its message is on the broker; nobody else listens meanwhile. */
export const doorbell = async (bench: Bench): Promise<Values> => {
  const stack = await bench.stack();
  bench.progress(`${changes} changes of an AzureCluster, and their doorbells`);
  await stack.functions.stop();
  const client = new ServiceBusClient(stack.settings["ServiceBusConnection"] ?? "");
  // The next figure needs the function app, whatever becomes of this one.
  const samples = await measure(stack, client)
    .finally(() => client.close())
    .finally(() => stack.functions.start());
  return { doorbellP50Ms: quantile(samples, 0.5), doorbellP99Ms: quantile(samples, 0.99) };
};
