import { setTimeout as sleep } from "node:timers/promises";
import { textAt, valueAt } from "../../src/api/json.ts";
import type { JsonObject, ObjectKey } from "../../src/core/types.ts";
import type { Stack } from "../../src/sim/stack/stack.ts";
import type { Bench } from "./bench.ts";
import { chainOf } from "./chain.ts";
import { defaultCluster } from "./defaultCluster.ts";
import type { Values } from "./figures.ts";

/** The default cluster and what it took to make it. */
export interface Creation {
  readonly key: ObjectKey;
  readonly writes: number;
  readonly readsAndPolls: number;
  /** In Azure afterwards, subnets too, which are written by requests of their own. */
  readonly resources: number;
}

const name = "bench";
const quietMs = 3_000;

/** Azure lists a subnet only inside its network. */
const subnetsIn = (resource: JsonObject): number => {
  const subnets = valueAt(resource, "properties", "subnets");
  return Array.isArray(subnets) ? subnets.filter((subnet) => textAt(subnet, "etag") !== undefined).length : 0;
};

/** Applies the default cluster, as `kubectl` does, and waits until nothing is left to do. */
export const createCluster = async (stack: Stack, progress: Bench["progress"]): Promise<Creation> => {
  const key: ObjectKey = { kind: "AzureCluster", namespace: "default", name };
  const before = (await stack.azure.requests()).length;
  const list = { apiVersion: "v1", kind: "List", items: defaultCluster(name) };
  progress("creating the default cluster");
  await stack.kubectl(["apply", "-f", "-"], JSON.stringify(list));
  await stack.kubectl(["wait", `azurecluster/${name}`, "--for=condition=Ready", "--timeout=120s"]);
  await stack.kubectl(["wait", `cluster/${name}`, "--for=jsonpath={.status.phase}=Provisioned", "--timeout=60s"]);
  // Cluster API answers our status with changes of the Cluster, each of which is news.
  await sleep(quietMs);
  await chainOf(stack, key).settled();
  const requests = await stack.azure.requests(before);
  const writes = requests.filter(({ method }) => method !== "GET").length;
  const resources = await stack.azure.resources("/subscriptions/");
  const existing = resources.length + resources.reduce((sum, resource) => sum + subnetsIn(resource), 0);
  return { key, writes, readsAndPolls: requests.length - writes, resources: existing };
};

/** Calls to Azure that it takes to create the default cluster, at zero latency. */
export const creation = async (bench: Bench): Promise<Values> => {
  const { writes, readsAndPolls, resources } = await bench.cluster();
  bench.progress(`creation: ${writes} writes, ${readsAndPolls} reads and polls, ${resources} resources`);
  return { createWritesPerResource: writes / resources, createReadsAndPollsPerWrite: readsAndPolls / writes };
};
