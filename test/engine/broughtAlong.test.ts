import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/types.ts";
import { crashing } from "../support/crashes.ts";
import {
  annotate,
  bodyOf,
  group,
  key,
  mutate,
  ownerTag,
  resources,
  seed,
  subscription,
  withTag,
} from "../support/defaultCluster.ts";
import { type Call, intercept } from "../support/intercept.ts";
import { lookAgain, runBy } from "../support/turns.ts";
import { applyDefaultCluster, conditionsOf, createWorld, type World } from "../support/world.ts";

const children = "capstan.azure/owned-children";
const netGroup = `${subscription}/resourceGroups/net-rg`;
const vnet = `${netGroup}/providers/Microsoft.Network/virtualNetworks/shared`;
const existing = `${vnet}/subnets/control-plane-subnet`;
const missing = `${vnet}/subnets/node-subnet`;

/** A virtual network of somebody else, with one of the two subnets that the spec names. */
const broughtAlong = (arm: Parameters<typeof createWorld>[0] = {}): World => {
  const world = createWorld(arm);
  seed(
    world,
    { id: netGroup, location: "eastus", tags: { team: "net" } },
    {
      id: vnet,
      location: "eastus",
      tags: { team: "net" },
      properties: { addressSpace: { addressPrefixes: ["10.0.0.0/8"] }, subnets: [] },
    },
    { id: existing, properties: { addressPrefix: "10.9.0.0/16" } },
    { id: `${vnet}/subnets/other`, properties: { addressPrefix: "10.10.0.0/16" } },
  );
  applyDefaultCluster(world);
  world.objects.edit(key, (object) => ({
    ...object,
    spec: {
      ...object.spec,
      networkSpec: {
        vnet: { name: "shared", resourceGroup: "net-rg" },
        subnets: [
          { name: "control-plane-subnet", role: "control-plane" },
          { name: "node-subnet", role: "node", cidrBlocks: ["10.1.0.0/16"] },
        ],
      },
    },
  }));
  return world;
};

const annotation = (world: World): string | undefined => world.objects.find(key)?.metadata.annotations[children];
const subnetsOf = (world: World): readonly string[] =>
  ((bodyOf(world, vnet)["properties"] as JsonObject)["subnets"] as readonly { readonly name: string }[])
    .map(({ name }) => name)
    .toSorted();
/** Writes to the network, its children and the group that it lies in. */
const writesAbroad = (world: World): readonly string[] =>
  world
    .writes()
    .filter(({ path }) => path === netGroup || path.startsWith(vnet))
    .map(({ method, path }) => `${method} ${path}`);

describe("a virtual network that was brought along", () => {
  it("is read and never written; the subnet that was missing is made", async () => {
    const world = broughtAlong();
    await world.run();
    expect(conditionsOf(world.objects.find(key))["Ready"]).toMatchObject({ status: "True" });
    expect(writesAbroad(world)).toEqual([`PUT ${missing}`]);
    expect(subnetsOf(world)).toEqual(["control-plane-subnet", "node-subnet", "other"]);
  });

  it("stays somebody else's when our tag is put on it, as long as nobody asks to adopt it", async () => {
    const world = broughtAlong();
    await world.run();
    mutate(world, vnet, (body) => withTag(body, ownerTag, "owned"));
    await lookAgain(world);
    world.objects.remove(key);
    await world.run(3_600_000);
    expect(world.objects.find(key)).toBeUndefined();
    expect(resources(world)).toEqual(expect.arrayContaining([vnet.toLowerCase()]));
    expect(writesAbroad(world)).toEqual([`PUT ${missing}`, `DELETE ${missing}`]);
  });

  it("is not even asked for when the object goes, so that nobody who locks us out of it holds that up", async () => {
    const world = broughtAlong();
    await world.run();
    const since = world.calls.length;
    world.objects.remove(key);
    await world.run(3_600_000);
    expect(world.objects.find(key)).toBeUndefined();
    const later = world.calls.slice(since).map(({ name, path }) => `${name} ${path}`);
    expect(later).toContain(`arm DELETE ${missing}`);
    expect(later.filter((call) => call.endsWith(vnet))).toEqual([]);
  });

  it("the made subnet stands on the object before its first PUT", async () => {
    const world = broughtAlong();
    const whenPut: (string | undefined)[] = [];
    const deps = intercept(world.deps, (call, run) => {
      if (call.name === "arm PUT" && call.path === missing) whenPut.push(annotation(world));
      return run();
    });
    await runBy(world, deps);
    expect(whenPut).toEqual([missing]);
    expect(annotation(world)).toBe(missing);
  });

  it("deletion takes the made subnet and leaves everything else of it", async () => {
    const world = broughtAlong();
    await world.run();
    world.objects.remove(key);
    await world.run(60 * 60_000);
    expect(world.objects.find(key)).toBeUndefined();
    expect(subnetsOf(world)).toEqual(["control-plane-subnet", "other"]);
    expect(resources(world)).toEqual([netGroup, vnet].map((id) => id.toLowerCase()));
    expect(writesAbroad(world)).toEqual([`PUT ${missing}`, `DELETE ${missing}`]);
  });

  it("what lies outside goes before the group that it depends on", async () => {
    const world = broughtAlong();
    await world.run();
    world.objects.remove(key);
    await world.run(60 * 60_000);
    const deletes = world.writes().flatMap(({ method, path }) => (method === "DELETE" ? [path] : []));
    expect(deletes[0]).toBe(missing);
    expect(deletes.at(-1)).toBe(group);
    expect(deletes.filter((path) => path.startsWith(group))).toEqual([group]);
  });

  it("with lost tables deletion still knows which subnet is ours", async () => {
    const world = broughtAlong();
    await world.run();
    world.tables.clear();
    world.objects.remove(key);
    await world.run(60 * 60_000);
    expect(world.objects.find(key)).toBeUndefined();
    expect(subnetsOf(world)).toEqual(["control-plane-subnet", "other"]);
    expect(resources(world)).toEqual([netGroup, vnet].map((id) => id.toLowerCase()));
  });

  it("with lost tables deletion also knows one that the spec no longer names", async () => {
    const world = broughtAlong();
    await world.run();
    world.objects.edit(key, (object) => {
      const spec = structuredClone(object.spec) as { networkSpec: { subnets: { name: string }[] } };
      spec.networkSpec.subnets[1]!.name = "other";
      return { ...object, spec: spec as unknown as JsonObject };
    });
    // At once: a turn in between would take the subnet away while the object lives.
    world.tables.clear();
    world.objects.remove(key);
    await world.run(60 * 60_000);
    expect(world.objects.find(key)).toBeUndefined();
    expect(subnetsOf(world)).toEqual(["control-plane-subnet", "other"]);
  });

  it("stays on the object until it is gone, whatever becomes of the tables meanwhile", async () => {
    const world = broughtAlong();
    await world.run();
    world.objects.remove(key);
    let refused = 0;
    const inUse = { kind: "dependency", code: "InUseSubnetCannotBeDeleted", message: "in use", status: 400 } as const;
    const deps = intercept(world.deps, async <T>(call: Call, run: () => Promise<T>): Promise<T> => {
      if (call.name !== "arm DELETE" || call.path !== missing) return run();
      refused += 1;
      return { ok: false, error: inUse } as T;
    });
    while (refused < 2) if (!(await world.step(deps))) world.clock.advanceTo(world.queue.nextDueMs() ?? 0);
    expect(annotation(world)).toBe(missing);
  });

  it("a DELETE of what lies outside goes out before the PUT that still makes it has ended", async () => {
    const world = broughtAlong({
      latency: { types: { "Microsoft.Network/virtualNetworks/subnets": { put: 20 * 60_000 } } },
    });
    await world.run(60_000);
    expect(writesAbroad(world)).toEqual([`PUT ${missing}`]);
    world.objects.remove(key);
    await world.run(60_000);
    expect(writesAbroad(world).slice(0, 2)).toEqual([`PUT ${missing}`, `DELETE ${missing}`]);
  });

  it("pause keeps what the object says of its children, so that it moves along", async () => {
    const world = broughtAlong();
    await world.run();
    annotate(world, "cluster.x-k8s.io/paused", "");
    await world.run();
    expect(world.objects.find(key)?.metadata.annotations).toEqual({
      "cluster.x-k8s.io/paused": "",
      [children]: missing,
    });
  });

  it("a ledger that is lost does not make the subnet a stranger's", async () => {
    const world = broughtAlong();
    await world.run();
    world.tables.clear();
    world.objects.edit(key, (object) => {
      const spec = structuredClone(object.spec) as { networkSpec: { subnets: { serviceEndpoints?: unknown }[] } };
      spec.networkSpec.subnets[1]!.serviceEndpoints = [{ service: "Microsoft.Storage", locations: ["eastus"] }];
      return { ...object, spec: spec as unknown as JsonObject };
    });
    await world.run();
    expect(writesAbroad(world)).toEqual([`PUT ${missing}`, `PUT ${missing}`]);
  });

  it("a subnet that somebody makes while we are about to is theirs", async () => {
    const world = broughtAlong();
    let raced = false;
    const deps = intercept(world.deps, (call, run) => {
      if (call.name === "arm PUT" && call.path === missing && !raced) {
        raced = true;
        seed(world, { id: missing, properties: { addressPrefix: "10.77.0.0/16" } });
      }
      return run();
    });
    while (!raced) if (!(await world.step(deps))) world.clock.advanceTo(world.queue.nextDueMs() ?? 0);
    await world.run();
    expect(annotation(world)).toBe("");
    world.objects.remove(key);
    await world.run(60 * 60_000);
    expect(world.objects.find(key)).toBeUndefined();
    expect(subnetsOf(world)).toEqual(["control-plane-subnet", "node-subnet", "other"]);
  });

  it("a subnet whose PUT had no answer and that shows only later is ours", async () => {
    const world = broughtAlong();
    const noAnswer = { ok: false, error: { kind: "transient", code: "NoAnswer", message: "cut" } } as const;
    const hidden = { ok: false, error: { kind: "gone", code: "NotFound", message: "not yet", status: 404 } } as const;
    let hiddenUntilMs: number | undefined;
    const deps = intercept(world.deps, async <T>(call: Call, run: () => Promise<T>): Promise<T> => {
      if (call.path !== missing) return run();
      const isFirst = call.name === "arm PUT" && hiddenUntilMs === undefined;
      if (call.name === "arm GET" && hiddenUntilMs !== undefined && world.clock.nowMs() < hiddenUntilMs)
        return hidden as T;
      if (isFirst) hiddenUntilMs = world.clock.nowMs() + 20_000;
      const answer = await run();
      return isFirst ? (noAnswer as T) : answer;
    });
    for (let n = 0; n < 60; n += 1)
      if (!(await world.step(deps))) world.clock.advanceTo(world.queue.nextDueMs() ?? world.clock.nowMs());
    expect(conditionsOf(world.objects.find(key))["Ready"]).toMatchObject({ status: "True" });
    expect(annotation(world)).toBe(missing);
    expect(world.requests().filter(({ path, status }) => path === missing && status === 412).length).toBeGreaterThan(0);
    world.objects.remove(key);
    await world.run(60 * 60_000);
    expect(subnetsOf(world)).toEqual(["control-plane-subnet", "other"]);
  });

  it("an app that dies at any call: the subnet is ours in the end, made once, and goes with the object", async () => {
    const undisturbed = broughtAlong();
    await undisturbed.run();
    const first = undisturbed.calls.findIndex(({ path }) => path === missing);
    // From the read of the network to the end of the turn that makes the subnet.
    for (let at = first - 2; at < first + 10; at += 1) {
      for (const effect of [at % 2 === 0 ? "before" : "after"] as const) {
        const world = broughtAlong();
        const plan = crashing(world.deps, at, effect);
        for (let died = false; !died; ) {
          if (!world.queue.reconcile.hasReady(world.clock.nowMs())) world.clock.advanceTo(world.queue.nextDueMs() ?? 0);
          died = await world.stepMortal(plan);
        }
        await world.run();
        const where = `call ${at}, ${effect} its effect`;
        expect(annotation(world), where).toBe(missing);
        expect(
          writesAbroad(world).filter((write) => write.startsWith("PUT")),
          where,
        ).toEqual([`PUT ${missing}`]);
        world.objects.remove(key);
        await world.run(60 * 60_000);
        expect(subnetsOf(world), where).toEqual(["control-plane-subnet", "other"]);
      }
    }
  });
});

describe("a resource group that was brought along", () => {
  it("is never written, and stays with what others have in it", async () => {
    const world = createWorld();
    const foreign = `${group}/providers/Microsoft.Network/publicIPAddresses/theirs`;
    seed(
      world,
      { id: group, location: "eastus", tags: { team: "x" } },
      {
        id: foreign,
        location: "eastus",
        sku: { name: "Standard" },
        properties: { publicIPAllocationMethod: "Static" },
      },
    );
    applyDefaultCluster(world);
    await world.run();
    expect(conditionsOf(world.objects.find(key))["Ready"]).toMatchObject({ status: "True" });
    expect(world.writes().filter(({ path }) => path === group)).toEqual([]);
    world.objects.remove(key);
    await world.run(60 * 60_000);
    expect(world.objects.find(key)).toBeUndefined();
    expect(resources(world)).toEqual([group, foreign].map((id) => id.toLowerCase()).toSorted());
  });
});
