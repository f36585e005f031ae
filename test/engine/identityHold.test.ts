import { describe, expect, it } from "vitest";
import { annotations } from "../../src/core/annotations.ts";
import type { KubeObject } from "../../src/core/types.ts";
import { annotate, key, settledCluster, withSource } from "../support/defaultCluster.ts";
import {
  addIdentity,
  finalizersOf,
  finalizersOn,
  first,
  second,
  useIdentity,
  withFinalizers,
} from "../support/identity/heldIdentities.ts";
import { day, hour, minute, pass } from "../support/timers.ts";
import { lookAgain, ready } from "../support/turns.ts";
import { applyDefaultCluster, conditionsOf, createWorld, type World } from "../support/world.ts";

const { current, former } = finalizersOf();
const network = (world: World) => conditionsOf(world.objects.find(key))["NetworkInfrastructureReady"];
const editIdentity = (world: World, change: (object: KubeObject) => KubeObject): void =>
  void world.objects.edit(first, change);
/** Calls that may change the API server, by their names. */
const kubeWrites = (world: World): readonly string[] =>
  world.calls.filter(({ port, writes }) => port === "kube" && writes).map(({ name }) => name);

describe("a cluster's finalizer on its identity", () => {
  it("is there before anything is made in Azure", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    const seen: (readonly string[] | undefined)[] = [];
    const send = world.arm.requests.push.bind(world.arm.requests);
    Object.assign(world.arm.requests, {
      push: (...requests: Parameters<typeof send>) => {
        seen.push(finalizersOn(world, first));
        return send(...requests);
      },
    });
    await world.run(hour);
    expect(ready(world)).toMatchObject({ status: "True" });
    expect(seen.length).toBeGreaterThan(10);
    for (const finalizers of seen) expect(finalizers).toEqual([current]);
  });

  it("is set once, and nothing is written or asked for when it is there", async () => {
    const world = await settledCluster();
    const set = kubeWrites(world).length;
    world.calls.length = 0;
    await lookAgain(world);
    await pass(world, 2 * day);
    expect(set).toBeGreaterThan(0);
    expect(kubeWrites(world)).toEqual([]);
    expect(world.calls.filter(({ name }) => name.startsWith("kube listMetadata"))).toEqual([]);
  });

  it("keeps an identity that is deleted until the cluster has gone with it, which then goes by itself", async () => {
    const world = await settledCluster();
    world.objects.remove(first);
    await pass(world, hour);
    expect(finalizersOn(world, first)).toEqual([current]);
    world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    await pass(world, hour);
    // What has made sure of it goes on working with it.
    expect(ready(world)).toMatchObject({ status: "True" });
    world.objects.remove(key);
    await pass(world, hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(world.arm.resources.size).toBe(0);
    expect(world.objects.find(first)).toBeUndefined();
  });

  it("goes with the last turn of the cluster, and leaves those of others", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    const other = applyDefaultCluster(world, "c2");
    await world.run(hour);
    expect(finalizersOn(world, first)?.toSorted()).toEqual([current, finalizersOf(other).current].toSorted());
    world.objects.remove(key);
    await pass(world, hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(finalizersOn(world, first)).toEqual([finalizersOf(other).current]);
    expect(world.tables.rows("state").filter(({ partition }) => partition.endsWith("~c1"))).toEqual([]);
  });

  it("is taken over from upstream, whose former spelling goes", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    editIdentity(world, (object) => withFinalizers(object, ["somebody.example/else", former, current]));
    await world.run(hour);
    expect(finalizersOn(world, first)).toEqual(["somebody.example/else", current]);
    editIdentity(world, (object) => withFinalizers(object, [...object.metadata.finalizers, former]));
    await lookAgain(world);
    expect(finalizersOn(world, first)).toEqual(["somebody.example/else", current]);
    world.objects.remove(key);
    await pass(world, hour);
    expect(finalizersOn(world, first)).toEqual(["somebody.example/else"]);
  });

  it("comes back when somebody takes it off, at the next turn and not before", async () => {
    const world = await settledCluster();
    editIdentity(world, (object) => withFinalizers(object, []));
    await pass(world, minute);
    expect(finalizersOn(world, first)).toEqual([]);
    await lookAgain(world);
    expect(finalizersOn(world, first)).toEqual([current]);
  });

  it("that does not stay keeps anything from being made", async () => {
    const world = createWorld();
    world.restless = "the finalizer is taken off each time";
    applyDefaultCluster(world);
    world.objects.onChange((after) => {
      if (after?.kind === first.kind && after.metadata.finalizers.length > 0)
        editIdentity(world, (object) => withFinalizers(object, []));
    });
    const refusing: World["deps"]["clusters"] = {
      connect: async (uid) => {
        const connected = await world.deps.clusters.connect(uid);
        if (!connected.ok) return connected;
        const kube = connected.value;
        return {
          ok: true,
          value: {
            ...kube,
            // As an admission webhook answers that will not have it.
            apply: async (manifest, options) => {
              const applied = await kube.apply(manifest, options);
              return applied.ok && applied.value.kind === first.kind
                ? { ok: true, value: withFinalizers(applied.value, []) }
                : applied;
            },
          },
        };
      },
    };
    for (let turns = 0; turns < 20; turns += 1) {
      if (!(await world.step({ ...world.deps, clusters: refusing }))) break;
    }
    expect(world.writes()).toEqual([]);
    expect(ready(world)).toMatchObject({ status: "False", reason: "ReconcileLoop" });
  });
});

describe("a cluster that changes its identity", () => {
  it("makes sure of the new one and lets go of the old one", async () => {
    const world = await settledCluster();
    addIdentity(world, second);
    useIdentity(world, second);
    await pass(world, minute);
    expect([finalizersOn(world, first), finalizersOn(world, second)]).toEqual([[], [current]]);
    useIdentity(world, first);
    await pass(world, minute);
    expect([finalizersOn(world, first), finalizersOn(world, second)]).toEqual([[current], []]);
  });

  it("also when the tables were lost in between", async () => {
    const world = await settledCluster();
    addIdentity(world, second);
    world.tables.clear();
    useIdentity(world, second);
    await pass(world, hour);
    expect([finalizersOn(world, first), finalizersOn(world, second)]).toEqual([[], [current]]);
  });

  it("keeps the old one while it may not use the new one", async () => {
    const world = await settledCluster();
    addIdentity(world, second);
    world.objects.edit(second, (object) => ({ ...object, spec: { ...object.spec, allowedNamespaces: { list: [] } } }));
    useIdentity(world, second);
    await pass(world, minute);
    expect(network(world)).toMatchObject({ reason: "NamespaceNotAllowedByIdentity" });
    expect([finalizersOn(world, first), finalizersOn(world, second)]).toEqual([[current], []]);
  });

  it("leaves the old one to another cluster whose finalizer is spelt the same, until that goes, too", async () => {
    const world = createWorld();
    const named = applyDefaultCluster(world, "a-b");
    const { objects } = world;
    const { apiVersion, kind, spec } = objects.find(named)!;
    const cluster = objects.find({ ...named, kind: "Cluster" })!;
    const place = { namespace: "default-a", name: "b" };
    objects.put({ apiVersion: "v1", kind: "Namespace", metadata: { name: place.namespace } });
    const owner = objects.put({ apiVersion: cluster.apiVersion, kind: "Cluster", metadata: place, spec: cluster.spec });
    objects.put({
      apiVersion,
      kind,
      metadata: {
        ...place,
        ownerReferences: [{ apiVersion: cluster.apiVersion, kind: "Cluster", name: "b", uid: owner.metadata.uid }],
      },
      spec: { ...spec, resourceGroup: "b", identityRef: { kind: first.kind, namespace: "default", name: "sp" } },
    });
    await world.run(hour);
    const shared = finalizersOf(named).current;
    expect(finalizersOn(world, first)).toEqual([shared]);
    objects.remove(named);
    await pass(world, hour);
    expect(objects.find(named)).toBeUndefined();
    expect(finalizersOn(world, first)).toEqual([shared]);
    objects.remove({ ...named, ...place });
    await pass(world, hour);
    expect(finalizersOn(world, first)).toEqual([]);
  });
});

describe("an identity that goes", () => {
  it("is not taken by a cluster that has not made sure of it, and nothing is made", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    editIdentity(world, (object) => withFinalizers(object, ["somebody.example/else"]));
    world.objects.remove(first);
    await pass(world, minute);
    expect(network(world)).toMatchObject({ status: "False", reason: "IdentityDeleting" });
    expect(world.writes()).toEqual([]);
    expect(finalizersOn(world, first)).toEqual(["somebody.example/else"]);
  });

  it("or has gone is no hindrance to the end of a cluster that has nothing left in Azure", async () => {
    const world = await settledCluster();
    world.objects.remove(key);
    for (let turns = 0; turns < 200 && world.arm.resources.size > 0; turns += 1) {
      if (!(await world.step())) world.clock.advanceTo(world.queue.nextDueMs() ?? world.clock.nowMs());
    }
    world.objects.remove(first);
    await pass(world, hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(world.objects.find(first)).toBeUndefined();
  });
});

describe("a paused cluster", () => {
  it("neither sets nor takes off its finalizer on an identity", async () => {
    const world = await settledCluster();
    annotate(world, annotations.paused, "");
    await pass(world, minute);
    editIdentity(world, (object) => withFinalizers(object, []));
    addIdentity(world, second);
    useIdentity(world, second);
    await pass(world, hour);
    expect([finalizersOn(world, first), finalizersOn(world, second)]).toEqual([[], []]);
  });

  // clusterctl takes all finalizers off the objects that it has moved, and deletes them.
  it("that is moved takes the finalizer along, and leaves none on an identity that stays behind", async () => {
    const source = await settledCluster();
    annotate(source, annotations.paused, "");
    await pass(source, minute);
    const moved = source.objects.find(key)!;
    const identity = source.objects.find(first)!;
    annotate(source, annotations.deleteForMove, "");
    source.objects.edit(key, (object) => withFinalizers(object, []));
    source.objects.remove(key);
    await pass(source, hour);
    expect(source.objects.find(key)).toBeUndefined();
    expect(finalizersOn(source, first)).toEqual([]);

    const target = createWorld();
    applyDefaultCluster(target);
    target.objects.remove(first);
    const { namespace, name, finalizers } = identity.metadata;
    target.objects.put({ ...identity, metadata: { namespace, name, finalizers } });
    const { annotations: said, labels, ownerReferences } = moved.metadata;
    target.objects.put({ ...moved, metadata: { ...key, annotations: said, labels, ownerReferences } });
    await target.run(hour);
    expect(finalizersOn(target, first)).toEqual([current]);
    target.objects.remove(key);
    await pass(target, hour);
    expect(target.objects.find(key)).toBeUndefined();
    expect(finalizersOn(target, first)).toEqual([]);
  });
});
