import { describe, expect, it } from "vitest";
import { emptyRow } from "../../src/core/resourceRow.ts";
import type { JsonObject, ObjectKey, ResourceId } from "../../src/core/types.ts";
import { partitionOf, savingOf } from "../../src/engine/ledger.ts";
import { crashing } from "../support/crashes.ts";
import {
  annotate,
  bodyOf,
  group,
  ids,
  key,
  loseIdentity,
  mutate,
  ownerTag,
  resources,
  seed,
  settledCluster,
  withTag,
} from "../support/defaultCluster.ts";
import { intercept } from "../support/intercept.ts";
import { applyDefaultCluster, clusterUid, conditionsOf, createWorld, type World } from "../support/world.ts";

const hour = 60 * 60_000;
const address = `${group}/providers/Microsoft.Network/publicIPAddresses/theirs`;
const foreignAddress = (tags: JsonObject = {}): JsonObject => ({
  id: address,
  location: "eastus",
  tags,
  sku: { name: "Standard" },
  properties: { publicIPAllocationMethod: "Static" },
});
const deletes = (world: World): readonly string[] =>
  world.writes().flatMap(({ method, path }) => (method === "DELETE" ? [path] : []));
const summary = (world: World) => conditionsOf(world.objects.find(key))["NetworkInfrastructureReady"];

/** Runs until the object says something about its deletion that matches, step by step. */
const stepUntil = async (world: World, done: () => boolean): Promise<void> => {
  for (let n = 0; n < 100 && !done(); n += 1)
    if (!(await world.step())) world.clock.advanceTo(world.queue.nextDueMs() ?? world.clock.nowMs());
  expect(done()).toBe(true);
};

describe("what goes with a group of ours although it is not ours", () => {
  it("is named on the object before the group's DELETE, and until the end", async () => {
    const world = await settledCluster({
      latency: { types: { "Microsoft.Resources/resourceGroups": { delete: 60_000 } } },
    });
    seed(world, foreignAddress({ team: "x" }));
    let saidBefore: string | undefined;
    const deps = intercept(world.deps, (call, run) => {
      if (call.name === "arm DELETE" && call.path === group) saidBefore ??= summary(world)?.message ?? "";
      return run();
    });
    world.objects.remove(key);
    while (saidBefore === undefined)
      if (!(await world.step(deps))) world.clock.advanceTo(world.queue.nextDueMs() ?? world.clock.nowMs());
    expect(saidBefore).toContain(`not made by Capstan, but deleted with its group: ${address}`);
    await world.run(30_000);
    expect(summary(world)?.message).toContain(address);
    await world.run(hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(resources(world)).toEqual([]);
  });

  it("stays, with the group, when the object says so; what is ours goes one by one", async () => {
    const world = await settledCluster();
    seed(world, foreignAddress({ team: "x" }));
    annotate(world, "capstan.azure/keep-foreign", "true");
    world.objects.remove(key);
    await world.run(hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(resources(world)).toEqual([group, address].map((id) => id.toLowerCase()).toSorted());
  });
});

describe("what is left behind on purpose", () => {
  it("a released resource stays, and so does the group that holds it", async () => {
    const world = await settledCluster();
    annotate(world, "capstan.azure/abandon", ids.routeTable);
    world.objects.remove(key);
    await world.run(hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(resources(world)).toEqual([group, ids.routeTable].map((id) => id.toLowerCase()));
  });

  it("without a credential nothing is given up until all of it is released", async () => {
    const world = await settledCluster();
    world.tables.clear();
    loseIdentity(world);
    world.objects.remove(key);
    await world.run();
    expect(summary(world)).toMatchObject({ reason: "DeleteBlocked", message: expect.stringContaining(ids.lb) });
    expect(world.objects.find(key)).toBeDefined();
    annotate(world, "capstan.azure/abandon", ids.lb);
    await world.run();
    expect(world.objects.find(key)).toBeDefined();
    annotate(world, "capstan.azure/abandon", `${ids.lb}, ${group.toUpperCase()}`);
    await world.run(hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(deletes(world)).toEqual([]);
  });
});

describe("what is not ours survives", () => {
  it("a resource of ours whose tag was taken off, in a group that stays", async () => {
    const world = createWorld();
    seed(world, { id: group, location: "eastus", tags: { team: "x" } });
    applyDefaultCluster(world);
    await world.run();
    mutate(world, ids.routeTable, (body) => withTag(body, ownerTag, undefined));
    world.objects.remove(key);
    await world.run(hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(resources(world)).toEqual([group, ids.routeTable].map((id) => id.toLowerCase()).toSorted());
  });

  it("is named as kept meanwhile", async () => {
    const world = createWorld();
    seed(world, { id: group, location: "eastus", tags: { team: "x" } });
    applyDefaultCluster(world);
    await world.run();
    mutate(world, ids.routeTable, (body) => withTag(body, ownerTag, undefined));
    world.objects.remove(key);
    const says = (): string => summary(world)?.message ?? "";
    await stepUntil(world, () => says().includes("kept"));
    expect(says()).toContain(ids.routeTable);
  });
});

describe("leftovers by tag", () => {
  const stale = `${group}/providers/Microsoft.Network/loadBalancers/of-an-older-spec`;
  const prepared = async (): Promise<World> => {
    const world = createWorld();
    seed(world, { id: group, location: "eastus", tags: { team: "x" } });
    applyDefaultCluster(world);
    await world.run();
    seed(world, {
      id: stale,
      location: "eastus",
      tags: { [ownerTag]: "owned" },
      sku: { name: "Standard" },
      properties: {},
    });
    world.objects.remove(key);
    return world;
  };

  it("A49: go too, in a group that stays", async () => {
    const world = await prepared();
    await world.run(hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(resources(world)).toEqual([group.toLowerCase()]);
    expect(world.tables.rows("state")).toEqual([]);
  });

  /** Another AzureCluster of a cluster of the same name, which lives in another namespace. */
  const putNamesake = (world: World, resourceGroup: string): ObjectKey => {
    const { metadata, ...rest } = world.objects.find(key)!;
    const { name, labels } = metadata;
    const namespace = "elsewhere";
    const owner = { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", name };
    const { uid } = world.objects.put({ ...owner, metadata: { name, namespace }, spec: {} }).metadata;
    world.objects.put({
      ...rest,
      spec: { ...rest.spec, resourceGroup },
      metadata: { name, namespace, labels, ownerReferences: [{ ...owner, uid }] },
    });
    return { ...key, namespace: "elsewhere" };
  };
  const rememberFor = async (world: World, other: ObjectKey): Promise<void> => {
    const id = stale as ResourceId;
    const saving = savingOf({ ...emptyRow(id, "loadBalancers"), known: "created" });
    await world.tables.commit("state", partitionOf(clusterUid, other), [saving]);
  };

  it("go as well when another cluster of the same name does not mean them", async () => {
    const world = await prepared();
    putNamesake(world, "other");
    await world.run(hour);
    expect(resources(world)).not.toContain(stale.toLowerCase());
  });

  it("stay when another live object lists them as its own", async () => {
    const world = await prepared();
    await rememberFor(world, putNamesake(world, "other"));
    await world.run(hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(resources(world)).toContain(stale.toLowerCase());
  });

  it("stay when the spec of another live object names them", async () => {
    const world = await prepared();
    const other = putNamesake(world, "c1");
    world.objects.edit(other, (object) => ({
      ...object,
      spec: {
        ...object.spec,
        networkSpec: {
          ...(object.spec["networkSpec"] as JsonObject),
          apiServerLB: { name: "of-an-older-spec", type: "Public" },
        },
      },
    }));
    await world.run(hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(resources(world)).toContain(stale.toLowerCase());
  });

  it("stay when nobody can tell what another cluster of the same name means", async () => {
    const world = await prepared();
    const other = putNamesake(world, "other");
    world.objects.edit(other, (object) => ({ ...object, spec: { location: 7 } }));
    await world.run(hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(resources(world)).toContain(stale.toLowerCase());
  });
});

const undisturbedCalls = async (): Promise<readonly string[]> => {
  const { calls } = await settledCluster();
  return calls.map(({ name, path }) => `${name} ${path}`);
};

describe("deletion in trouble", () => {
  it("waits for a write without an answer before a 404 counts", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    // The app dies right before the PUT of the group is sent: for all that the table knows it may still arrive.
    const plan = crashing(world.deps, 1 + (await undisturbedCalls()).indexOf(`arm PUT ${group}`), "before");
    for (let died = false; !died; ) {
      if (!world.queue.reconcile.hasReady(world.clock.nowMs())) world.clock.advanceTo(world.queue.nextDueMs() ?? 0);
      died = await world.stepMortal(plan);
    }
    const diedMs = world.clock.nowMs();
    world.objects.remove(key);
    await world.run(4 * 60_000);
    expect(world.objects.find(key)).toBeDefined();
    await world.run(hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(world.clock.nowMs() - diedMs).toBeGreaterThanOrEqual(5 * 60_000);
  });

  it("one that cannot be read is waited for, and named", async () => {
    const world = await settledCluster();
    world.arm.options = { ...world.arm.options, denied: [{ identity: "00000000-0000-4000-8000-0000000000bb" }] };
    world.objects.remove(key);
    await world.run();
    expect(summary(world)).toMatchObject({
      status: "False",
      reason: "DeleteBlocked",
      message: expect.stringContaining(group),
    });
    world.arm.options = { ...world.arm.options, denied: [] };
    await world.run(2 * hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(resources(world)).toEqual([]);
  });

  it("a finalizer that also belongs to whoever made the object goes all the same", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    const { metadata, ...rest } = world.objects.find(key)!;
    world.objects.remove(key);
    const { name, namespace, labels, ownerReferences } = metadata;
    const finalizers = ["azurecluster.infrastructure.cluster.x-k8s.io"];
    world.objects.put({ ...rest, metadata: { name, namespace, labels, ownerReferences, finalizers } });
    await world.run();
    world.objects.remove(key);
    await world.run(hour);
    expect(resources(world)).toEqual([]);
    expect(world.objects.find(key)).toBeUndefined();
    expect(world.tables.rows("state")).toEqual([]);
  });

  it("a new object under the old name starts anew", async () => {
    const world = await settledCluster();
    world.objects.remove(key);
    await world.run(hour);
    applyDefaultCluster(world);
    await world.run();
    expect(conditionsOf(world.objects.find(key))["Ready"]).toMatchObject({ status: "True" });
    expect(bodyOf(world, group)).not.toEqual({});
  });
});
