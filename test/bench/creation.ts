import { setTimeout as sleep } from "node:timers/promises";
import { textAt, valueAt } from "../../src/api/json.ts";
import type { JsonObject, ObjectKey } from "../../src/core/types.ts";
import type { Stack } from "../../src/sim/stack/stack.ts";
import { type ArmCosts, armCosts } from "./armCosts.ts";
import type { Bench } from "./bench.ts";
import { chainOf } from "./chain.ts";
import { defaultCluster } from "./defaultCluster.ts";
import type { Values } from "./figures.ts";

/** A cluster and what it took to make it. */
export interface Creation extends ArmCosts {
  readonly key: ObjectKey;
  /** In Azure afterwards, subnets too, which are written by requests of their own. */
  readonly resources: number;
}

/** Which cluster: its name and that of its resource group, and what its network is beyond the default one. */
interface Wanted {
  readonly name: string;
  readonly networkSpec?: JsonObject;
}

const quietMs = 3_000;

/** Azure lists a subnet only inside its network. */
const subnetsIn = (resource: JsonObject): number => {
  const subnets = valueAt(resource, "properties", "subnets");
  return Array.isArray(subnets) ? subnets.filter((subnet) => textAt(subnet, "etag") !== undefined).length : 0;
};

/** Applies a cluster, as `kubectl` does, and waits until nothing is left to do. */
export const createCluster = async (
  stack: Stack,
  progress: Bench["progress"],
  { name, networkSpec }: Wanted = { name: "bench" },
): Promise<Creation> => {
  const key: ObjectKey = { kind: "AzureCluster", namespace: "default", name };
  const before = (await stack.azure.requests()).length;
  const list = { apiVersion: "v1", kind: "List", items: defaultCluster(name, networkSpec) };
  progress(`creating the cluster ${name}`);
  await stack.kubectl(["apply", "-f", "-"], JSON.stringify(list));
  await stack.kubectl(["wait", `azurecluster/${name}`, "--for=condition=Ready", "--timeout=120s"]);
  await stack.kubectl(["wait", `cluster/${name}`, "--for=jsonpath={.status.phase}=Provisioned", "--timeout=60s"]);
  // Cluster API answers our status with changes of the Cluster, each of which is news.
  await sleep(quietMs);
  await chainOf(stack, key).settled();
  const requests = await stack.azure.requests(before);
  const inGroup = new RegExp(`/resourceGroups/${name}(/|$)`, "i");
  const resources = (await stack.azure.resources("/subscriptions/")).filter((one) =>
    inGroup.test(textAt(one, "id") ?? ""),
  );
  const existing = resources.length + resources.reduce((sum, resource) => sum + subnetsIn(resource), 0);
  return { key, ...armCosts(requests), resources: existing };
};

/** Calls to Azure that it takes to create the default cluster, at zero latency. */
export const creation = async (bench: Bench): Promise<Values> => {
  const { writes, reads, polls, resources } = await bench.cluster();
  bench.progress(`creation: ${writes} writes, ${reads} reads, ${polls} polls, ${resources} resources`);
  return { createWritesPerResource: writes / resources, createReadsAndPollsPerWrite: (reads + polls) / writes };
};
