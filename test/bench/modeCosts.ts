import { randomUUID } from "node:crypto";
import { serviceBus } from "../../src/adapters/serviceBus.ts";
import { serviceBusConnection } from "../../src/adapters/serviceBusClient.ts";
import { resync } from "../../src/core/chain/messages.ts";
import type { ObjectKey } from "../../src/core/types.ts";
import type { Stack } from "../../src/sim/stack/stack.ts";
import { armCosts } from "./armCosts.ts";
import type { Bench } from "./bench.ts";
import { chainOf } from "./chain.ts";
import { createCluster } from "./creation.ts";
import { eventually } from "./eventually.ts";
import type { Values } from "./figures.ts";
import { type ModeName, modeClusters, modeNames } from "./modeClusters.ts";

/** Requests that something takes. */
const costsOf = async (stack: Stack, run: () => Promise<unknown>) => {
  const before = (await stack.azure.requests()).length;
  await run();
  return armCosts(await stack.azure.requests(before));
};

/** One message of the hourly listing, as the timer's function sends it to each object, and the turn that it brings. */
const lookAtIt = async (stack: Stack, key: ObjectKey): Promise<void> => {
  const chain = chainOf(stack, key);
  const { turn } = await chain.settled();
  const nowMs = Date.now();
  const times = { scheduledMs: nowMs, nowMs, dueMs: nowMs, listed: true };
  const { item } = resync({ address: { cluster: stack.cluster, ...key }, uid: "", ...times });
  const connectionString = stack.settings["ServiceBusConnection"] ?? "";
  const connection = serviceBusConnection({ kind: "connectionString", connectionString });
  const sent = await serviceBus(connection).send("reconcile", [{ messageId: randomUUID(), body: { ...item } }]);
  await connection.close();
  if (!sent.ok) throw new Error(sent.error.message);
  await eventually("the resync has run a turn", async () => ((await chain.settled()).turn > turn ? true : undefined));
};

/** As a person deletes a cluster, until Kubernetes has forgotten it. */
const deleteCluster = async (stack: Stack, { namespace, name }: ObjectKey): Promise<void> => {
  await stack.kubectl(["delete", "cluster", "-n", namespace, name, "--timeout=120s"]);
  await stack.kubectl(["wait", "azurecluster", "-n", namespace, name, "--for=delete", "--timeout=60s"]);
};

const valuesOf = async (bench: Bench, stack: Stack, mode: ModeName): Promise<Values> => {
  const created = await createCluster(stack, (line) => bench.progress(line), {
    name: mode.toLowerCase(),
    networkSpec: modeClusters[mode],
  });
  const { key, writes, reads, polls, resources } = created;
  bench.progress(`resync and deletion of the ${mode} cluster`);
  const resynced = await costsOf(stack, () => lookAtIt(stack, key));
  const deleted = await costsOf(stack, () => deleteCluster(stack, key));
  return {
    [`${mode}CreateWritesPerResource`]: writes / resources,
    [`${mode}CreateReadsAndPollsPerWrite`]: (reads + polls) / writes,
    [`${mode}CreateWrites`]: writes,
    [`${mode}CreateReads`]: reads,
    [`${mode}CreatePolls`]: polls,
    [`${mode}ResyncArmCalls`]: resynced.reads + resynced.writes + resynced.polls,
    [`${mode}DeleteWrites`]: deleted.writes,
    [`${mode}DeleteReads`]: deleted.reads,
    [`${mode}DeletePolls`]: deleted.polls,
  };
};

/** What public, private and dual-stack clusters take of Azure, from their creation to their end. */
export const modeCosts = async (bench: Bench): Promise<Values> => {
  const stack = await bench.stack();
  const all: Values[] = [];
  for (const mode of modeNames) all.push(await valuesOf(bench, stack, mode));
  return Object.assign({}, ...all) as Values;
};
