import { describe, expect, it } from "vitest";
import type { Failure, KubeObject, ObjectKey } from "../../src/core/types.ts";
import { applyDefaultCluster, conditionsOf, createWorld, type World } from "../support/world.ts";

const down: Failure = { kind: "transient", code: "ServerTimeout", message: "the API server does not answer" };
const pausedAnnotation = "cluster.x-k8s.io/paused";
const blockMove = "clusterctl.cluster.x-k8s.io/block-move";

const withAnnotation = (object: KubeObject, name: string, value: string | undefined): KubeObject => {
  const { [name]: _, ...others } = object.metadata.annotations;
  return {
    ...object,
    metadata: { ...object.metadata, annotations: value === undefined ? others : { ...others, [name]: value } },
  };
};

/** The end that every story here must come to. */
const expectCreated = (world: World, key: ObjectKey): void => {
  expect(conditionsOf(world.objects.find(key))["Ready"]).toMatchObject({ status: "True" });
  const puts = world.writes().map(({ path }) => path);
  expect(puts).toHaveLength(11);
  expect(new Set(puts).size).toBe(11);
  expect(world.queue.reconcile.counts(world.clock.nowMs())).toMatchObject({ deadLetter: 0, active: 0 });
  expect(world.queue.failed.counts(world.clock.nowMs()).active).toBe(0);
};

const minute = 60_000;

describe("surroundings that fail for a while", () => {
  it.each([0, 1, 3, 6])("the API server, from message %i on", async (after) => {
    const world = createWorld();
    const key = applyDefaultCluster(world);
    for (let n = 0; n < after; n += 1) await world.step();
    world.faults.kube = () => down;
    await world.run(minute);
    delete world.faults.kube;
    await world.run();
    expectCreated(world, key);
  });

  it.each([0, 1, 3, 6])("the tables, from message %i on", async (after) => {
    const world = createWorld();
    const key = applyDefaultCluster(world);
    for (let n = 0; n < after; n += 1) await world.step();
    world.faults.tables = () => ({ kind: "down" });
    await world.run(minute);
    delete world.faults.tables;
    await world.run();
    expectCreated(world, key);
  });

  it("table answers that are lost, every third one", async () => {
    const world = createWorld();
    const key = applyDefaultCluster(world);
    let calls = 0;
    world.faults.tables = (call) => {
      calls += 1;
      return call === "commit" && calls % 3 === 0 ? { kind: "answerLost" } : undefined;
    };
    await world.run();
    expectCreated(world, key);
  });

  it("the object row and all others lost in the middle: observed anew, nothing made twice", async () => {
    const world = createWorld();
    const key = applyDefaultCluster(world);
    await world.run(5_000);
    world.tables.clear();
    await world.run(30 * minute);
    expectCreated(world, key);
  });

  it("the API server says NotFound for a moment: nothing is given up", async () => {
    const world = createWorld();
    const key = applyDefaultCluster(world);
    await world.run(5_000);
    world.faults.kube = (_, { kind }) =>
      kind === "AzureCluster" ? { kind: "gone", code: "NotFound", message: "not found", status: 404 } : undefined;
    await world.run(10_000);
    delete world.faults.kube;
    await world.run();
    expectCreated(world, key);
  });
});

describe("a message that comes more than once", () => {
  it("changes nothing", async () => {
    const world = createWorld();
    const key = applyDefaultCluster(world);
    const send = world.queue.send.bind(world.queue);
    let copies = 0;
    const twice: typeof send = async (queue, messages) => {
      const copied = messages.map((message) => {
        copies += 1;
        return { ...message, messageId: `${message.messageId}-copy-${copies}` };
      });
      return send(queue, [...messages, ...copied]);
    };
    world.deps.queue.send = twice;
    world.restless = "every message is sent twice, also the one that each object waits for";
    await world.run();
    expectCreated(world, key);
    expect(copies).toBeGreaterThan(5);
  });
});

describe("pause", () => {
  it("stops all calls to Azure, lets the object be moved, and unpause goes on", async () => {
    const world = createWorld();
    const key = applyDefaultCluster(world);
    await world.run(3_000);
    world.objects.edit(key, (object) => withAnnotation(object, pausedAnnotation, "true"));
    await world.run(1_000);
    const requests = world.requests().length;
    await world.run(30 * minute);
    expect(world.requests().length).toBe(requests);
    const paused = world.objects.find(key);
    expect(conditionsOf(paused)["Paused"]).toMatchObject({ status: "True" });
    expect(paused?.metadata.annotations[blockMove]).toBeUndefined();
    world.objects.edit(key, (object) => withAnnotation(object, pausedAnnotation, undefined));
    await world.run();
    expectCreated(world, key);
    expect(conditionsOf(world.objects.find(key))["Paused"]).toBeUndefined();
    expect(world.objects.find(key)?.metadata.annotations[blockMove]).toBe("true");
  });

  it("on, off and on again within a minute: the last word counts", async () => {
    const world = createWorld();
    const key = applyDefaultCluster(world);
    const cluster = { kind: "Cluster", namespace: "default", name: "c1" };
    const pause = (paused: boolean): void =>
      void world.objects.edit(cluster, (object) => ({ ...object, spec: { ...object.spec, paused } }));
    await world.run(2_000);
    for (const paused of [true, false, true]) {
      pause(paused);
      await world.run(3_000);
    }
    const requests = world.requests().length;
    await world.run(10 * minute);
    expect(world.requests().length).toBe(requests);
    pause(false);
    await world.run();
    expectCreated(world, key);
  });
});

describe("deletion", () => {
  it.each([0, 1, 2, 3, 4, 5, 6, 8])("after message %i of the creation leaves nothing behind", async (after) => {
    const world = createWorld();
    const key = applyDefaultCluster(world);
    for (let n = 0; n < after; n += 1)
      while (!(await world.step())) world.clock.advanceTo(world.queue.nextDueMs() ?? 0);
    world.objects.remove(key);
    await world.run(30 * minute);
    expect(world.objects.find(key)).toBeUndefined();
    expect([...world.arm.resources.keys()]).toEqual([]);
    expect(world.tables.rows("state")).toEqual([]);
  });

  it("waits, and says why, while the secret of the identity is gone", async () => {
    const world = createWorld();
    const key = applyDefaultCluster(world);
    await world.run();
    world.objects.putSecret("default", "sp-secret", {});
    world.objects.remove(key);
    await world.run();
    expect(conditionsOf(world.objects.find(key))["NetworkInfrastructureReady"]).toMatchObject({
      status: "False",
      reason: "DeleteBlocked",
    });
    world.objects.putSecret("default", "sp-secret", { clientSecret: "new" });
    await world.run();
    expect(world.objects.find(key)).toBeUndefined();
    expect([...world.arm.resources.keys()]).toEqual([]);
  });

  it("keeps a resource group that is not ours, with what others put there", async () => {
    const world = createWorld();
    const group = "/subscriptions/00000000-0000-4000-8000-000000000001/resourceGroups/c1";
    const azure = await world.deps.azure.connect({
      kind: "workloadIdentity",
      cloud: "AzurePublicCloud",
      tenantId: "t",
      clientId: "other",
      identity: "x/y",
      usedBy: "x",
    });
    if (!azure.ok) throw new Error(azure.error.message);
    const foreign = `${group}/providers/Microsoft.Network/publicIPAddresses/theirs`;
    await azure.value.send({ method: "PUT", path: group, apiVersion: "2025-04-01", body: { location: "eastus" } });
    await azure.value.send({
      method: "PUT",
      path: foreign,
      apiVersion: "2026-01-01",
      body: { location: "eastus", sku: { name: "Standard" }, properties: { publicIPAllocationMethod: "Static" } },
    });
    const key = applyDefaultCluster(world);
    await world.run();
    expect(conditionsOf(world.objects.find(key))["Ready"]).toMatchObject({ status: "True" });
    world.objects.remove(key);
    await world.run(30 * minute);
    expect(world.objects.find(key)).toBeUndefined();
    expect([...world.arm.resources.keys()].toSorted()).toEqual([group, foreign].map((id) => id.toLowerCase()));
  });
});
