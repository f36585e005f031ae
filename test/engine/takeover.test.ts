import { expect, it } from "vitest";
import type { JsonObject, KubeObject, ObjectKey } from "../../src/core/types.ts";
import { mutate, ownerTag, withAnnotation } from "../support/defaultCluster.ts";
import { leftByUpstream, modern, selfManaged } from "../support/leftByUpstream.ts";
import { describeWithShared } from "../support/shared.ts";
import { conditionsOf, type World } from "../support/world.ts";

/** A cluster that Cluster API Provider Azure made and that turns see for the first time, with nothing in the tables. */

const hour = 3_600_000;
const keyOf = (name: string): ObjectKey => ({ kind: "AzureCluster", namespace: name, name });
const objectOf = (world: World, name: string): KubeObject => {
  const object = world.objects.find(keyOf(name));
  if (object === undefined) throw new Error(`${name} is gone`);
  return object;
};
const groupOf = (name: string): string => `/subscriptions/00000000-0000-4000-8000-000000000001/resourceGroups/${name}`;
const short = (world: World, count = 0): readonly string[] =>
  world
    .writes()
    .slice(count)
    .map(({ method, path }) => `${method} ${path.split("?")[0]!.split("/").slice(-2).join("/")}`);

const takenOver = async (name: string, before: (world: World) => void = () => undefined): Promise<World> => {
  const world = leftByUpstream(name, modern);
  before(world);
  world.ringHeldDoorbells();
  await world.run(hour);
  return world;
};
const ownedIn = (world: World, name: string): readonly string[] =>
  [...world.arm.resources.values()].flatMap(({ id, body }) =>
    ownerTag.replace("_c1", `_${name}`) in ((body["tags"] ?? {}) as JsonObject) ? [id] : [],
  );

describeWithShared("a cluster that upstream made", () => {
  it.each(selfManaged)("%s: is taken over without a write to Azure or to its spec", async (name) => {
    const before = objectOf(leftByUpstream(name, modern), name);
    const world = await takenOver(name);
    expect(short(world)).toEqual([]);
    const after = objectOf(world, name);
    expect(after.spec).toEqual(before.spec);
    expect(after.metadata.finalizers).toEqual(["azurecluster.infrastructure.cluster.x-k8s.io"]);
    expect(after.metadata.annotations).toMatchObject(before.metadata.annotations);
    const wrong = Object.entries(conditionsOf(after)).filter(([, { status }]) => status !== "True");
    expect(wrong).toEqual([]);
    expect(after.status["ready"]).toBe(true);
  });

  it.each(selfManaged)("%s: then follows its spec by the one write that it takes", async (name) => {
    const world = await takenOver(name);
    const { networkSpec } = objectOf(world, name).spec as { readonly networkSpec: JsonObject };
    const apiServerLB = { ...(networkSpec["apiServerLB"] as JsonObject), idleTimeoutInMinutes: 17 };
    world.objects.edit(keyOf(name), (object) => ({
      ...object,
      spec: { ...object.spec, networkSpec: { ...networkSpec, apiServerLB } },
    }));
    await world.run(hour);
    expect(short(world)).toEqual([`PUT loadBalancers/${(apiServerLB as { readonly name?: string }).name}`]);
    expect(conditionsOf(objectOf(world, name))["Ready"]).toMatchObject({ status: "True" });
  });

  it.each(selfManaged)("%s: goes as if it had been made here, and leaves the networks of others", async (name) => {
    const world = await takenOver(name);
    const foreign = [...world.arm.resources.keys()].filter((id) => !id.startsWith(groupOf(name).toLowerCase()));
    world.objects.remove(keyOf(name));
    await world.run(2 * hour);
    expect(world.objects.find(keyOf(name))).toBeUndefined();
    expect(ownedIn(world, name)).toEqual([]);
    expect([...world.arm.resources.keys()]).toEqual(foreign);
    // A peering in a network of others has no owner tag: nobody can tell who made it, and it connects nothing any more.
    const dangling = JSON.stringify([...world.arm.resources.values()]).match(/"peeringState":"\w+"/g) ?? [];
    expect(dangling.filter((state) => state !== '"peeringState":"Disconnected"')).toEqual([]);
    expect(dangling).toHaveLength(name === "vnet-peering" ? 2 : 0);
  });
});

describeWithShared("a cluster that upstream made in a network of others", () => {
  const name = "byo-vnet";
  const others = (world: World) =>
    Object.fromEntries(
      [...world.arm.resources]
        .filter(([id]) => !id.startsWith(groupOf(name).toLowerCase()))
        .map(([id, { body }]) => [id, structuredClone(body)]),
    );

  it("is taken over without a write, and leaves the network as it was when it goes", async () => {
    const before = others(leftByUpstream(name, modern));
    expect(Object.keys(before)).not.toEqual([]);
    const world = await takenOver(name);
    expect(short(world)).toEqual([]);
    expect(conditionsOf(objectOf(world, name))["Ready"]).toMatchObject({ status: "True" });
    world.objects.remove(keyOf(name));
    await world.run(2 * hour);
    expect(world.objects.find(keyOf(name))).toBeUndefined();
    expect(Object.keys(others(world))).toEqual(Object.keys(before));
    expect(ownedIn(world, name)).toEqual([]);
  });
});

describeWithShared("what upstream was in the middle of", () => {
  /** As the SDK for Go parks an operation: base64 of its resume token. */
  const parked = (name: string): JsonObject => ({
    type: "PUT",
    resourceGroup: name,
    serviceName: "loadbalancers",
    name: `${name}-public-lb`,
    data: Buffer.from(JSON.stringify({ type: "x", token: { asyncURL: "https://elsewhere.example/op" } })).toString(
      "base64",
    ),
  });
  const atWork = (provisioningState: string) => (body: JsonObject) => ({
    ...body,
    properties: { ...(body["properties"] as JsonObject), provisioningState },
  });

  it("is waited for by looking at the resource; its token is not followed", async () => {
    const name = "default";
    const lb = `${groupOf(name)}/providers/Microsoft.Network/loadBalancers/${name}-public-lb`;
    const world = await takenOver(name, (at) => {
      at.objects.edit(keyOf(name), (object) => ({
        ...object,
        status: { ...object.status, longRunningOperationStates: [parked(name)] },
      }));
      mutate(at, lb, atWork("Updating"));
    });
    expect(short(world)).toEqual([]);
    expect(JSON.stringify(world.arm.requests)).not.toContain("elsewhere.example");
    mutate(world, lb, atWork("Succeeded"));
    await world.run(hour);
    expect(short(world)).toEqual([]);
    expect(conditionsOf(objectOf(world, name))["LoadBalancersReady"]).toMatchObject({ status: "True" });
  });

  it("if it failed, is put right by one write of the resource", async () => {
    const name = "default";
    const lb = `${groupOf(name)}/providers/Microsoft.Network/loadBalancers/${name}-public-lb`;
    const world = await takenOver(name, (at) => mutate(at, lb, atWork("Failed")));
    expect(short(world)).toEqual([`PUT loadBalancers/${name}-public-lb`]);
    expect(conditionsOf(objectOf(world, name))["Ready"]).toMatchObject({ status: "True" });
  });

  it("its pause, when it was moved away, is obeyed: not a call to Azure", async () => {
    const world = await takenOver("default", (at) =>
      at.objects.edit(keyOf("default"), (object) => withAnnotation(object, "cluster.x-k8s.io/paused", "")),
    );
    expect(world.arm.requests).toEqual([]);
  });
});
