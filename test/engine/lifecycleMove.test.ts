import { describe, expect, it } from "vitest";
import { annotations } from "../../src/core/annotations.ts";
import type { KubeObject } from "../../src/core/types.ts";
import { memoryAzure } from "../../src/sim/memory/memoryAzure.ts";
import { annotate, key, withAnnotation } from "../support/defaultCluster.ts";
import { first } from "../support/identity/heldIdentities.ts";
import {
  type BroughtAlong,
  expectGone,
  expectStanding,
  type Rich,
  richCluster,
  standing,
} from "../support/richCluster.ts";
import { day, hour, minute, pass, resyncTick } from "../support/timers.ts";
import { lookAgain, runBy } from "../support/turns.ts";
import { conditionsOf, createWorld, type World } from "../support/world.ts";

const clusterKey = { ...key, kind: "Cluster" };
const pauseCluster = (world: World, paused: boolean): void =>
  void world.objects.edit(clusterKey, (object) => ({ ...object, spec: { ...object.spec, paused } }));
const ways = [
  { how: "Cluster.spec.paused", set: pauseCluster },
  {
    how: "the annotation",
    set: (world: World, paused: boolean) => annotate(world, annotations.paused, paused ? "true" : undefined),
  },
];
const mayMove = (world: World): boolean =>
  world.objects.find(key)?.metadata.annotations[annotations.blockMove] === undefined;

/** So many messages are handled, whenever they are due; fewer when there are no more. */
const handle = async (world: World, messages: number): Promise<void> => {
  for (let n = 0; n < messages; n += 1)
    if (!(await world.step())) world.clock.advanceTo(world.queue.nextDueMs() ?? world.clock.nowMs());
};
const atWork = { latency: 20_000 };
/** From before the first message until the cluster nearly stands. */
const moments = [0, 1, 2, 4, 8, 15, 25];

const expectWrittenOnce = (world: World): void => {
  const paths = world.writes().flatMap(({ path, status }) => (status < 400 ? [path] : []));
  expect(paths.filter((path, index) => paths.indexOf(path) !== index)).toEqual([]);
};

describe.each(ways)("a pause of a rich cluster by $how", ({ set }) => {
  it.each(moments)(
    "lets no call to Azure out while it lasts, and what runs there goes on afterwards: after %i messages",
    async (messages) => {
      const { world } = richCluster([], atWork);
      await handle(world, messages);
      const from = world.requests().length;
      set(world, true);
      await pass(world, minute);
      expect(mayMove(world)).toBe(true);
      expect(conditionsOf(world.objects.find(key))["Paused"]).toMatchObject({ status: "True" });
      await pass(world, 2 * day);
      await resyncTick(world);
      await pass(world, hour);
      expect(world.requests()).toHaveLength(from);
      set(world, false);
      await pass(world, 2 * hour);
      expectStanding(world);
      expect(mayMove(world)).toBe(false);
      expectWrittenOnce(world);
    },
  );

  it.each([0, 1, 3, 8])("stops a deletion, which goes on afterwards: after %i messages", async (messages) => {
    const rich = await standing(["clusterGroup"], atWork);
    const { world } = rich;
    world.objects.remove(key);
    await handle(world, messages);
    const from = world.requests().length;
    set(world, true);
    await pass(world, 2 * day);
    expect(world.requests()).toHaveLength(from);
    expect(world.objects.find(key)).toBeDefined();
    set(world, false);
    await pass(world, 2 * hour);
    await expectGone(rich);
  });
});

/** Another management cluster at the same Azure, with nothing in its tables. */
const besides = (source: World): World => {
  const made = createWorld();
  made.restless = "its own Azure is not the one that it works on";
  made.clock.advanceTo(source.clock.nowMs());
  const deps = { ...made.deps, azure: memoryAzure(source.arm, () => made.clock.nowMs()) };
  const world: World = {
    ...made,
    deps,
    arm: source.arm,
    requests: () => source.requests(),
    writes: () => source.writes(),
    step: (by = deps) => made.step(by),
    run: (horizonMs) => runBy(world, deps, horizonMs).then(() => 0),
  };
  return world;
};

const withoutServerFields = (
  { apiVersion, kind, metadata, spec }: KubeObject,
  owners: KubeObject["metadata"]["ownerReferences"],
) => {
  const { name, namespace, labels, annotations: noted, finalizers } = metadata;
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, labels, annotations: noted, finalizers, ownerReferences: owners },
    spec,
  };
};

/** As clusterctl does: all objects without status, owners by their new uids, the Cluster paused until all are there. */
const copyObjects = (source: World, target: World): void => {
  target.objects.putSecret("default", "sp-secret", { clientSecret: "s3cret" });
  const [identity, cluster, object] = [first, clusterKey, key].map((one) => source.objects.find(one));
  if (identity === undefined || cluster === undefined || object === undefined) throw new Error("something is gone");
  target.objects.put({ apiVersion: "v1", kind: "Namespace", metadata: { name: "default" } });
  target.objects.put(withoutServerFields(identity, []));
  const { uid } = target.objects.put(withoutServerFields(cluster, [])).metadata;
  target.objects.put(
    withoutServerFields(
      object,
      object.metadata.ownerReferences.map((one) => ({ ...one, uid })),
    ),
  );
};

/** As clusterctl does: marked, without finalizers, deleted. */
const deleteMoved = (source: World): void => {
  for (const one of [key, clusterKey, first]) {
    source.objects.edit(one, (object) => withAnnotation(object, annotations.deleteForMove, ""), "clusterctl");
    source.objects.edit(one, ({ metadata, ...rest }) => ({ ...rest, metadata: { ...metadata, finalizers: [] } }));
    source.objects.remove(one);
  }
};

/** Moved from a source in which nothing is left, which then lets no call to Azure out. */
const moved = async ({ world: source, before }: Rich): Promise<Rich> => {
  pauseCluster(source, true);
  await pass(source, minute);
  expect(mayMove(source)).toBe(true);
  const target = besides(source);
  copyObjects(source, target);
  await pass(target, minute);
  const from = source.requests().length;
  deleteMoved(source);
  await pass(source, 2 * day);
  expect(source.requests()).toHaveLength(from);
  expect([key, clusterKey, first].map((one) => source.objects.find(one))).toEqual([undefined, undefined, undefined]);
  expect([...source.tables.rows("state"), ...source.tables.rows("index")]).toEqual([]);
  expect(source.tables.rows("orphans").filter(({ values }) => values["moved"] !== true)).toEqual([]);
  pauseCluster(target, false);
  await pass(target, 2 * hour);
  return { world: target, before };
};

const grounds: readonly (readonly [string, readonly BroughtAlong[]])[] = [
  ["that made everything itself", []],
  ["whose groups and zone others made", ["clusterGroup", "networkGroup", "zone"]],
];

describe.each(grounds)("a move of a rich cluster %s", (_, theirs) => {
  it("is no reason to write to Azure, and takes along what has to go with it", async () => {
    const rich = await standing(theirs);
    const [made, spec] = [rich.world.writes().length, rich.world.objects.find(key)?.spec];
    const target = await moved(rich);
    const { world } = target;
    expectStanding(world);
    await lookAgain(world);
    await world.run(2 * day);
    expect(world.writes()).toHaveLength(made);
    expect(world.objects.find(key)?.spec).toEqual(spec);
    world.objects.remove(key);
    await world.run(2 * hour);
    await expectGone(target);
  });

  it.each([4, 12, 20])(
    "goes on with what is half made, waits for what still runs, and writes nothing twice: after %i messages",
    async (messages) => {
      // Longer than it takes to move.
      const rich = richCluster(theirs, { latency: 3 * minute });
      await handle(rich.world, messages);
      expect(rich.world.arm.pending.size).toBeGreaterThan(0);
      const target = await moved(rich);
      const { world } = target;
      expectStanding(world);
      expectWrittenOnce(world);
      world.objects.remove(key);
      await world.run(3 * hour);
      await expectGone(target);
    },
    3 * minute,
  );
});
