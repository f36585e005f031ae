import { describe, expect, it } from "vitest";
import { replay } from "../../src/core/chain/messages.ts";
import { alwaysTrue, comparable, type Mode } from "../e2e/modes/mode.ts";
import { modes } from "../e2e/modes/modes.ts";
import { meaningOf } from "../support/azureState.ts";
import { clusterUid, conditionsOf, type World } from "../support/world.ts";
import { azureOf, editSpec, keyOf, madeIn, worldOf } from "./modes/modeWorld.ts";

const hour = 3_600_000;

const objectIn = (world: World, mode: Mode) => {
  const object = world.objects.find(keyOf(mode));
  if (object === undefined) throw new Error(`${mode.name} is gone`);
  return object;
};

/** The mode as it stands in the end. */
const standing = async (mode: Mode): Promise<World> => {
  const world = worldOf(mode);
  await world.run(hour);
  if (mode.late !== undefined) {
    const object = objectIn(world, mode);
    expect(object.status["ready"]).toBeUndefined();
    expect(object.spec["controlPlaneEndpoint"]).toBeUndefined();
    expect(conditionsOf(object)["Ready"]).toMatchObject({ status: "False", reason: mode.late.reason });
    editSpec(world, mode, mode.late.spec);
    await world.run(hour);
  }
  return world;
};

/** Everything is looked at again, as drift has it. */
const lookAgain = async (world: World, mode: Mode): Promise<void> => {
  const address = { cluster: clusterUid, ...keyOf(mode) };
  const { item, messageId } = replay({ address, uid: "", request: "look", nowMs: world.clock.nowMs() });
  await world.queue.send("reconcile", [{ messageId, body: { ...item } }]);
  await world.run();
};

const bodiesOf = (world: World) =>
  Object.fromEntries([...azureOf(world)].map(([id, body]) => [id, meaningOf(body)] as const));

describe.each(modes.map((mode) => [mode.title, mode] as const))("%s", (_, mode) => {
  it("comes to stand with exactly its resources, and says so", async () => {
    const world = await standing(mode);
    const { spec, status, metadata } = objectIn(world, mode);
    expect(madeIn(world, mode)).toEqual(comparable(mode.made));
    for (const [id, part] of Object.entries(mode.bodies ?? {}))
      expect(azureOf(world).get(id.toLowerCase()), id).toMatchObject(part);
    expect(spec["controlPlaneEndpoint"]).toEqual(mode.endpoint);
    expect(metadata.finalizers).toEqual(["azurecluster.infrastructure.cluster.x-k8s.io"]);
    expect(status["ready"]).toBe(true);
    const domains = Object.entries(mode.zones).map(([zone, controlPlane]) => [zone, { controlPlane }]);
    expect(status["failureDomains"] ?? {}).toEqual(Object.fromEntries(domains));
    const conditions = conditionsOf(objectIn(world, mode));
    const said = Object.entries(conditions).map(([type, { status: is, reason }]) => [type, { is, reason }] as const);
    expect(Object.fromEntries(said)).toEqual(
      Object.fromEntries([...alwaysTrue, ...mode.conditions].map((type) => [type, { is: "True" }])),
    );
    expect(conditions["NetworkInfrastructureReady"]?.message ?? "").toContain(mode.says ?? "");
  });

  it("makes each resource by one write, and at rest none, however closely it is looked at", async () => {
    const world = await standing(mode);
    expect(world.writes().map(({ method }) => method)).toEqual(mode.made.map(() => "PUT"));
    const applies = () => world.calls.filter(({ name }) => name === "kube apply").length;
    const traces = () => [world.writes().length, applies(), objectIn(world, mode).metadata.resourceVersion];
    const before = traces();
    await lookAgain(world, mode);
    expect(traces()).toEqual(before);
  });

  it("goes wholly, and leaves what was there before", async () => {
    const world = worldOf(mode);
    const before = bodiesOf(world);
    await world.run(hour);
    world.objects.remove(keyOf(mode));
    await world.run(hour);
    expect(world.objects.find(keyOf(mode))).toBeUndefined();
    expect(bodiesOf(world)).toEqual(before);
    expect([...world.tables.rows("state"), ...world.tables.rows("index")]).toEqual([]);
  });
});

it("the modes have subscriptions and names of their own", () => {
  expect(new Set(modes.map(({ number }) => number)).size).toBe(modes.length);
  expect(new Set(modes.map(({ name }) => name)).size).toBe(modes.length);
});
