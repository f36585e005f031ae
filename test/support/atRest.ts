import { expect } from "vitest";
import { resync } from "../../src/core/chain/messages.ts";
import type { KubeObject } from "../../src/core/types.ts";
import { parseWorkItem } from "../../src/core/workItem.ts";
import { objectRow, partitionOf } from "../../src/engine/ledger.ts";
import type { World } from "./world.ts";

/** Worlds made by the test that is running. */
const worlds = new Set<World>();

/** Every world comes here when it is made; what the test leaves of it is looked at afterwards. */
export const watchForRest = (world: World): World => {
  worlds.add(world);
  return world;
};

const hour = 3_600_000;
/** A fight that the test leaves behind, a back-off of an hour: all come to their end within so many hours. */
const mostHours = 24;

interface Traces {
  /** Writes to Azure that somebody asked for, also those that were refused. */
  readonly writes: number;
  readonly versions: readonly string[];
}

const versionOf = ({ kind, metadata }: KubeObject): string =>
  `${kind} ${metadata.namespace}/${metadata.name} at ${metadata.resourceVersion}`;

const tracesOf = (world: World): Traces => ({
  writes: world.writes().length,
  versions: world.objects.all().map(versionOf).toSorted(),
});

/** Lets time pass until a whole hour brings no write to Azure. */
const comeToRest = async (world: World): Promise<void> => {
  for (let hours = 0; hours < mostHours; hours += 1) {
    const { writes } = tracesOf(world);
    await world.run(hour);
    if (tracesOf(world).writes === writes) return;
  }
};

/** What a message is for; undefined when it has become void, because a later turn owes another one. */
const liveObjectOf = (world: World, body: unknown): string | undefined => {
  const item = parseWorkItem(body);
  if (!item.ok) return "unreadable";
  const { cluster, kind, namespace, name, turn } = item.value;
  const partition = partitionOf(cluster, item.value);
  const row = world.tables.rows("state").find((one) => one.partition === partition && one.row === objectRow);
  const isVoid = turn !== undefined && (row === undefined || row.values["turn"] !== turn);
  return isVoid ? undefined : `${kind} ${namespace}/${name}`;
};

const waitingFor = (world: World): readonly string[] =>
  world.queue.reconcile
    .peek(world.clock.nowMs(), 0, Number.POSITIVE_INFINITY)
    .flatMap(({ body }) => liveObjectOf(world, body) ?? [])
    .toSorted();

/** One more message of the hourly listing for every object that is reconciled here. */
const resyncAll = async (world: World): Promise<void> => {
  const nowMs = world.clock.nowMs();
  const [cluster = ""] = world.deps.settings.clusters;
  for (const { kind, metadata } of world.objects.all().filter((one) => world.deps.kinds.has(one.kind))) {
    const address = { cluster, kind, namespace: metadata.namespace, name: metadata.name };
    const times = { scheduledMs: nowMs, nowMs, dueMs: nowMs, listed: true };
    const { item, messageId } = resync({ address, uid: metadata.uid, ...times });
    await world.queue.send("reconcile", [{ messageId, body: { ...item } }]);
  }
  while (await world.step());
};

/** What must hold of every world once nothing happens any more (design section 2, rule 2). */
export const expectAtRest = async (world: World): Promise<void> => {
  if (world.restless !== undefined) return;
  delete world.faults.kube;
  delete world.faults.tables;
  world.faults.brokerDown = false;
  await comeToRest(world);
  const before = tracesOf(world);
  await resyncAll(world);
  expect(tracesOf(world), "one more resync of a world at rest writes nothing").toEqual(before);
  const waiting = waitingFor(world);
  expect(waiting, "each object waits for one message at most").toEqual([...new Set(waiting)]);
};

/** Looks at all worlds that the test has made. */
export const expectAllAtRest = async (): Promise<void> => {
  const made = [...worlds];
  worlds.clear();
  for (const world of made) await expectAtRest(world);
};
