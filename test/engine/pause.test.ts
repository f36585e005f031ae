import { describe, expect, it } from "vitest";
import { annotations, labels } from "../../src/core/annotations.ts";
import { replay } from "../../src/core/chain/messages.ts";
import { dependencyTable } from "../../src/core/dependencyTable.ts";
import { isPaused } from "../../src/core/inputs.ts";
import { project } from "../../src/core/projection.ts";
import type { KubeObject } from "../../src/core/types.ts";
import { annotate, group, ids, key, settledCluster, withSource } from "../support/defaultCluster.ts";
import { day, hour, minute, pass, resyncTick } from "../support/timers.ts";
import { ready, rowOf } from "../support/turns.ts";
import { applyDefaultCluster, clusterUid, conditionsOf, createWorld, type World } from "../support/world.ts";

const clusterKey = { ...key, kind: "Cluster" };
const pauseCluster = (world: World, paused: boolean): void =>
  void world.objects.edit(clusterKey, (object) => ({ ...object, spec: { ...object.spec, paused } }));
const pausedCondition = (world: World) => conditionsOf(world.objects.find(key))["Paused"];
const blocksMove = (world: World): boolean =>
  world.objects.find(key)?.metadata.annotations[annotations.blockMove] !== undefined;

const ways = [
  {
    how: "Cluster.spec.paused",
    pause: (world: World) => pauseCluster(world, true),
    unpause: (world: World) => pauseCluster(world, false),
  },
  {
    how: "the annotation",
    pause: (world: World) => annotate(world, annotations.paused, "anything"),
    unpause: (world: World) => annotate(world, annotations.paused, undefined),
  },
];

const slow = { retryAfterSeconds: 60, latency: { types: { "Microsoft.Network/networkSecurityGroups": 40 * minute } } };

describe.each(ways)("a pause by $how", ({ pause, unpause }) => {
  it("stops all work before the first call, shows, lets the object move, and needs no credential", async () => {
    const world = await settledCluster();
    expect(blocksMove(world)).toBe(true);
    world.objects.edit({ ...key, kind: "AzureClusterIdentity", name: "sp" }, (object) => ({
      ...object,
      spec: { ...object.spec, clientSecret: { name: "none", namespace: "default" } },
    }));
    await pass(world, minute);
    const from = world.requests().length;
    pause(world);
    world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    await pass(world, 2 * day);
    await resyncTick(world);
    await pass(world, hour);
    expect(world.requests()).toHaveLength(from);
    expect(pausedCondition(world)).toMatchObject({ status: "True" });
    expect(blocksMove(world)).toBe(false);
  });

  it("A88: is reported within 60 s while an operation of 40 minutes runs, which stays parked and is polled after it", async () => {
    const world = await settledCluster(slow);
    await pass(world, hour);
    world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    await pass(world, 5 * minute);
    const { operation } = rowOf(world, ids.nodeNsg) as unknown as { operation: { url: string } };
    const atMs = world.clock.nowMs();
    const from = world.requests().length;
    pause(world);
    await pass(world, minute);
    const told = Date.parse(String((pausedCondition(world) as { lastTransitionTime?: string }).lastTransitionTime));
    expect(told - atMs).toBeLessThanOrEqual(minute);
    expect(blocksMove(world)).toBe(false);
    await pass(world, 2 * hour);
    expect(world.requests()).toHaveLength(from);
    expect(rowOf(world, ids.nodeNsg)).toMatchObject({ operation: { url: operation.url } });
    unpause(world);
    await pass(world, hour);
    const after = world.requests().slice(from);
    expect(after.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(after[0]?.path).toBe(new URL(operation.url).pathname);
    expect(pausedCondition(world)).toBeUndefined();
    expect(blocksMove(world)).toBe(true);
    expect(ready(world)).toMatchObject({ status: "True" });
  });

  it("of what was never made says nothing of being ready", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    pause(world);
    await world.run();
    expect(Object.keys(conditionsOf(world.objects.find(key)))).toEqual(["Paused"]);
  });

  it("makes the object due only after the drift period", async () => {
    const world = await settledCluster();
    pause(world);
    await pass(world, minute);
    const turns = world.logs.filter(({ message }) => message === "turn finished").length;
    await pass(world, 23 * hour);
    expect(world.logs.filter(({ message }) => message === "turn finished")).toHaveLength(turns);
    await pass(world, 2 * hour);
    expect(world.logs.filter(({ message }) => message === "turn finished").length).toBeGreaterThan(turns);
  });

  it("makes a deletion inert until it ends", async () => {
    const world = await settledCluster();
    pause(world);
    await pass(world, minute);
    const from = world.requests().length;
    world.objects.remove(key);
    await pass(world, 2 * day);
    expect(world.requests()).toHaveLength(from);
    expect(world.objects.find(key)).toBeDefined();
    unpause(world);
    await pass(world, hour);
    expect(world.writes().at(-1)).toMatchObject({ method: "DELETE", path: group });
    expect(world.objects.find(key)).toBeUndefined();
  });

  it("before anything is made makes nothing, and does not keep the object from moving", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    pause(world);
    await pass(world, hour);
    expect(world.requests()).toEqual([]);
    expect(pausedCondition(world)).toMatchObject({ status: "True" });
    unpause(world);
    await pass(world, hour);
    expect(ready(world)).toMatchObject({ status: "True" });
  });
});

describe("a pause that meets a running turn", () => {
  it("stops it before its next wave", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    const { azure } = world.deps;
    let seen = 0;
    const pausing: World["deps"] = {
      ...world.deps,
      azure: {
        connect: async (credential) => {
          const connected = await azure.connect(credential);
          if (!connected.ok) return connected;
          const arm = connected.value;
          return {
            ok: true,
            value: {
              ...arm,
              send: async (request) => {
                if (request.method === "PUT") {
                  seen += 1;
                  if (seen === 2) {
                    pauseCluster(world, true);
                    while (await world.step());
                  }
                }
                return arm.send(request);
              },
            },
          };
        },
      },
    };
    while (await world.step(pausing));
    const made = world.writes().length;
    // The wave at hand was on its way: at most the network, its groups and tables and addresses.
    expect(made).toBeLessThan(11);
    await pass(world, minute);
    expect(world.writes()).toHaveLength(made);
    expect(pausedCondition(world)).toMatchObject({ status: "True" });
  });
});

describe("a move", () => {
  /** As clusterctl does: marks the source, takes the finalizers off, deletes. */
  const deleteForMove = (world: World): void => {
    world.objects.edit(key, (object) => ({
      ...object,
      metadata: {
        ...object.metadata,
        annotations: { ...object.metadata.annotations, [annotations.deleteForMove]: "" },
      },
    }));
    world.objects.remove(key);
  };
  const letGo = (world: World): void =>
    void world.objects.edit(key, (object) => ({ ...object, metadata: { ...object.metadata, finalizers: [] } }));
  const movedRows = (world: World): readonly unknown[] =>
    world.tables.rows("orphans").map(({ values }) => values["moved"]);

  it("A88: with three messages and an operation in flight deletes nothing in Azure and lists what was there as moved", async () => {
    const world = await settledCluster(slow);
    await pass(world, hour);
    world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    await pass(world, minute);
    for (const request of ["1", "2", "3"]) {
      const { item, messageId } = replay({
        address: { cluster: clusterUid, ...key },
        uid: "",
        request,
        nowMs: world.clock.nowMs(),
      });
      await world.queue.send("reconcile", [{ messageId, body: { ...item }, delayMs: Number(request) * 20_000 }]);
    }
    const from = world.requests().length;
    pauseCluster(world, true);
    await pass(world, 30_000);
    expect(blocksMove(world)).toBe(false);
    deleteForMove(world);
    await pass(world, 30_000);
    letGo(world);
    expect(world.objects.find(key)).toBeUndefined();
    world.objects.remove(clusterKey);
    await pass(world, hour);
    expect(world.requests()).toHaveLength(from);
    expect(new Set(movedRows(world))).toEqual(new Set([true]));
    expect(world.tables.rows("state")).toEqual([]);
  });

  it("A88: the source is inert even when its Cluster, whose pause it obeyed, has gone first", async () => {
    const world = await settledCluster();
    pauseCluster(world, true);
    await pass(world, minute);
    const from = world.requests().length;
    world.objects.remove(clusterKey);
    deleteForMove(world);
    await pass(world, hour);
    expect(world.requests()).toHaveLength(from);
    letGo(world);
    await pass(world, hour);
    expect(world.requests()).toHaveLength(from);
    expect(new Set(movedRows(world))).toEqual(new Set([true]));
  });

  it("is told by the doorbell of the deletion alone when no paused turn was ever seen", async () => {
    const world = await settledCluster();
    world.objects.edit(key, (object) => ({
      ...object,
      metadata: {
        ...object.metadata,
        finalizers: [],
        annotations: { ...object.metadata.annotations, [annotations.deleteForMove]: "" },
      },
    }));
    world.objects.remove(key);
    await pass(world, hour);
    expect(new Set(movedRows(world))).toEqual(new Set([true]));
    expect(world.writes().filter(({ method }) => method === "DELETE")).toEqual([]);
  });

  it("its target finds an operation of the source at work and waits for its end", async () => {
    const source = await settledCluster(slow);
    await pass(source, hour);
    source.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    await pass(source, minute);
    // The target: the same Azure, other objects, empty tables.
    const target = createWorld(slow);
    for (const [id, resource] of source.arm.resources) target.arm.resources.set(id, resource);
    for (const [id, operation] of source.arm.operations) target.arm.operations.set(id, operation);
    for (const operation of source.arm.pending) target.arm.pending.add(operation);
    target.clock.advanceTo(source.clock.nowMs());
    applyDefaultCluster(target);
    target.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    await pass(target, 20 * minute);
    expect(target.writes()).toEqual([]);
    expect(ready(target)).toMatchObject({ status: "False" });
    await pass(target, hour);
    expect(target.writes()).toEqual([]);
    expect(ready(target)).toMatchObject({ status: "True" });
    // Ever more slowly: the source's operation took 40 minutes.
    expect(target.requests().filter(({ path }) => path === ids.nodeNsg).length).toBeLessThan(60);
  });
});

describe("an object of somebody else", () => {
  it("is left alone from when managed-by appears until it disappears, deletion included", async () => {
    const world = await settledCluster();
    annotate(world, annotations.managedBy, "terraform");
    await pass(world, minute);
    const from = world.requests().length;
    const version = world.objects.find(key)?.metadata.resourceVersion;
    world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    const changed = world.objects.find(key)?.metadata.resourceVersion;
    await pass(world, 2 * day);
    expect(world.requests()).toHaveLength(from);
    expect(world.objects.find(key)?.metadata.resourceVersion).toBe(changed);
    expect(changed).not.toBe(version);
    annotate(world, annotations.managedBy, undefined);
    await pass(world, minute);
    expect(world.writes().at(-1)).toMatchObject({ method: "PUT", path: ids.nodeNsg });
    annotate(world, annotations.managedBy, "");
    world.objects.remove(key);
    const writes = world.writes().length;
    await pass(world, 2 * day);
    expect(world.writes()).toHaveLength(writes);
    expect(world.objects.find(key)).toBeDefined();
  });

  it("is left alone while its watch-filter label is another one", async () => {
    const made = createWorld();
    const world: World = { ...made, deps: { ...made.deps, settings: { ...made.deps.settings, watchFilter: "blue" } } };
    const label = (value: string | undefined): void =>
      void world.objects.edit(key, (object) => {
        const { [labels.watchFilter]: _, ...others } = object.metadata.labels;
        return {
          ...object,
          metadata: {
            ...object.metadata,
            labels: value === undefined ? others : { ...others, [labels.watchFilter]: value },
          },
        };
      });
    const run = async (): Promise<void> => {
      const endMs = world.clock.nowMs() + 10 * minute;
      for (;;) {
        if (await world.step(world.deps)) continue;
        const next = world.queue.nextDueMs();
        if (next === undefined || next > endMs) return;
        world.clock.advanceTo(next);
      }
    };
    applyDefaultCluster(world);
    await run();
    expect(world.requests()).toEqual([]);
    label("green");
    await run();
    expect(world.requests()).toEqual([]);
    label("blue");
    await run();
    expect(ready(world)).toMatchObject({ status: "True" });
    const from = world.requests().length;
    label(undefined);
    world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    await run();
    expect(world.requests()).toHaveLength(from);
    label("blue");
    await run();
    expect(world.writes().at(-1)).toMatchObject({ method: "PUT", path: ids.nodeNsg });
  });
});

describe("every kind with a finalizer of ours", () => {
  const metadata = (name: string, more: object = {}) => ({
    name,
    namespace: "default",
    uid: name,
    generation: 1,
    resourceVersion: "1",
    finalizers: [],
    annotations: {},
    labels: { [labels.clusterName]: "c1" },
    ownerReferences: [{ apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", name: "c1", uid: "c" }],
    ...more,
  });
  const object = (kind: string, spec: object = {}, more: object = {}) =>
    ({ apiVersion: "v1", kind, metadata: metadata("c1", more), spec, status: {} }) as unknown as KubeObject;

  it.each(Object.keys(dependencyTable))("%s obeys the pause of its Cluster and its own annotation", (kind) => {
    const self = project(object(kind));
    const cluster = (paused: boolean) => [project(object("Cluster", { paused }))];
    expect(isPaused(self, cluster(true))).toBe(true);
    expect(isPaused(self, cluster(false))).toBe(false);
    expect(
      isPaused(project(object(kind, {}, { annotations: { [annotations.paused]: "false" } })), cluster(false)),
    ).toBe(true);
  });
});
