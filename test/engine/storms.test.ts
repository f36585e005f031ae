import { beforeAll, describe, expect, it } from "vitest";
import type { Failure, JsonObject, KubeObject } from "../../src/core/types.ts";
import { activeFaults, type FaultRule } from "../../src/sim/arm/faults.ts";
import { mutateResource } from "../../src/sim/arm/otherWriter.ts";
import { loadSchema } from "../../src/wire/loadSchema.ts";
import { ids, key, withAnnotation, withSource } from "../support/defaultCluster.ts";
import { createStorm, diceOf, type Storm } from "../support/storm.ts";
import { applyDefaultCluster, conditionsOf, createWorld, type World } from "../support/world.ts";

const paused = "cluster.x-k8s.io/paused";
const down: Failure = { kind: "transient", code: "ServerTimeout", message: "the API server does not answer" };

const withPause = (object: KubeObject, isPaused: boolean): KubeObject =>
  withAnnotation(object, paused, isPaused ? "" : undefined);

const azureFaults: readonly FaultRule["fault"][] = [
  { kind: "respond", status: 429, code: "TooManyRequests", message: "slow down", retryAfterSeconds: 17 },
  { kind: "respond", status: 500, code: "InternalServerError", message: "oops" },
  { kind: "respond", status: 503, code: "ServiceUnavailable", message: "oops", afterEffect: true },
  { kind: "respond", status: 409, code: "AnotherOperationInProgress", message: "busy" },
  { kind: "drop", when: "before" },
  { kind: "drop", when: "after" },
  { kind: "failOperation", code: "InternalServerError", message: "failed half-way" },
];

/** What happens in one schedule beside the handling of messages; the last source asked for is what must stand. */
interface Weather {
  source: string;
  isDeleted: boolean;
  readonly foreignTags: Set<string>;
}

const foreignTag = (world: World, name: string): boolean => {
  if (!world.arm.resources.has(ids.lb.toLowerCase())) return false;
  const change = (body: JsonObject): JsonObject => ({
    ...body,
    tags: { ...(body["tags"] as JsonObject), [name]: "1" },
  });
  mutateResource(world.arm, ids.lb, change as Parameters<typeof mutateResource>[2], world.clock.nowMs());
  return true;
};

const happen = (world: World, storm: Storm, weather: Weather, dice: () => number): void => {
  const { objects, clock, faults } = world;
  const kinds = [
    "edit",
    "pause",
    "unpause",
    "copy",
    "broker",
    "kube",
    "tables",
    "lost",
    "kill",
    "azure",
    "azure",
    "tag",
    "time",
    "time",
    "loss",
  ];
  switch (kinds[Math.floor(dice() * kinds.length)]) {
    case "edit":
      weather.source = `10.${Math.floor(dice() * 4)}.0.0/16`;
      objects.edit(key, (object) => withSource(object, weather.source));
      return;
    case "pause":
    case "unpause": {
      const isPaused = dice() < 0.5;
      objects.edit(key, (object) => withPause(object, isPaused));
      return;
    }
    case "copy": {
      const [message] = world.queue.reconcile.peek(clock.nowMs(), 0, 1);
      if (message !== undefined)
        world.queue.reconcile.send(clock.nowMs(), [{ id: `copy-${dice()}`, body: structuredClone(message.body) }]);
      return;
    }
    case "broker":
      faults.brokerDown = faults.brokerDown !== true && dice() < 0.5;
      return;
    case "kube":
      if (faults.kube === undefined) faults.kube = () => (dice() < 0.7 ? down : undefined);
      else delete faults.kube;
      return;
    case "tables":
      if (faults.tables === undefined) faults.tables = () => (dice() < 0.7 ? { kind: "down" } : undefined);
      else delete faults.tables;
      return;
    case "lost":
      faults.tables = (call) => (call === "commit" && dice() < 0.3 ? { kind: "answerLost" } : undefined);
      return;
    case "kill": {
      const [handler] = storm.handlers;
      if (handler !== undefined) storm.kill(handler);
      return;
    }
    case "azure": {
      const fault = azureFaults[Math.floor(dice() * azureFaults.length)]!;
      const method = ["PUT", "GET", "DELETE"][Math.floor(dice() * 3)]!;
      world.arm.faults.push(...activeFaults([{ match: { method, nth: 1 + Math.floor(dice() * 4) }, fault }]));
      return;
    }
    case "tag": {
      const name = `team${weather.foreignTags.size}`;
      if (!weather.isDeleted && foreignTag(world, name)) weather.foreignTags.add(name);
      return;
    }
    case "time":
      clock.advanceTo(clock.nowMs() + dice() * 40_000);
      return;
    case "loss":
      if (dice() < 0.3) storm.loseTables();
      return;
  }
};

const endOutages = ({ faults }: World): void => {
  delete faults.kube;
  delete faults.tables;
  faults.brokerDown = false;
};

/** Creates, disturbs, lets everything come to rest, and perhaps deletes in the next storm. */
const weathered = async (
  seed: number,
): Promise<{ readonly world: World; readonly weather: Weather; readonly storm: Storm }> => {
  const dice = diceOf(seed);
  const consistency = dice() < 0.3 ? { hiddenAfterPutMs: 5_000, visibleAfterDeleteMs: 5_000 } : {};
  const latency = dice() < 0.5 ? "realistic" : 0;
  const world = createWorld({ latency, consistency });
  const storm = createStorm(world, dice);
  applyDefaultCluster(world);
  const weather: Weather = { source: "10.0.0.0/8", isDeleted: false, foreignTags: new Set() };
  world.objects.edit(key, (object) => withSource(object, weather.source));
  const deleteAt = dice() < 0.4 ? 100 + dice() * 300 : Number.POSITIVE_INFINITY;
  for (let n = 0; n < 600; n += 1) {
    if (!(await storm.step())) storm.waitAtMost(30_000);
    if (dice() < 0.05) happen(world, storm, weather, dice);
    if (dice() < 0.03) endOutages(world);
    if (n > deleteAt && !weather.isDeleted) {
      weather.isDeleted = true;
      world.objects.remove(key);
    }
  }
  endOutages(world);
  world.arm.faults = [];
  world.objects.edit(key, (object) => withPause(object, false));
  await storm.calm(6 * 3_600_000);
  return { world, weather, storm };
};

const createdTwice = (world: World): readonly string[] => {
  const alive = new Set<string>();
  return world.requests().flatMap(({ method, path, status }) => {
    if (method === "DELETE") alive.clear();
    if (method !== "PUT" || status !== 201) return [];
    if (alive.has(path)) return [path];
    alive.add(path);
    return [];
  });
};

describe("several handlers at once, in any order, under any weather", () => {
  let expected: readonly string[] = [];
  beforeAll(async () => {
    for (const type of ["Microsoft.Network/virtualNetworks", "Microsoft.Resources/resourceGroups"])
      await loadSchema(type);
    const world = createWorld();
    applyDefaultCluster(world);
    await world.run();
    expected = [...world.arm.resources.keys()].toSorted();
  });

  it.each(Array.from({ length: 40 }, (_, index) => index + 1))("seed %i comes to the same end", async (seed) => {
    const { world, weather, storm } = await weathered(seed);
    expect(storm.broken).toEqual([]);
    expect(createdTwice(world)).toEqual([]);
    const counts = world.queue.reconcile.counts(world.clock.nowMs());
    expect(counts).toMatchObject({ deadLetter: 0, active: 0, locked: 0 });
    expect(world.queue.failed.counts(world.clock.nowMs()).active).toBe(0);
    if (weather.isDeleted) {
      expect(world.objects.find(key)).toBeUndefined();
      expect([...world.arm.resources.keys()]).toEqual([]);
      expect(world.tables.rows("state")).toEqual([]);
      return;
    }
    const object = world.objects.find(key);
    expect(conditionsOf(object)["Ready"]).toMatchObject({ status: "True" });
    expect([...world.arm.resources.keys()].toSorted()).toEqual(expected);
    const nsg = (world.arm.resources.get(ids.nodeNsg.toLowerCase())?.body ?? {}) as { properties?: JsonObject };
    expect(nsg.properties?.["securityRules"]).toMatchObject([
      { name: "web", properties: { sourceAddressPrefix: weather.source } },
    ]);
    for (const tag of weather.foreignTags)
      expect(world.arm.resources.get(ids.lb.toLowerCase())?.body["tags"]).toHaveProperty(tag);
    const before = world.writes().length;
    await storm.calm(3_600_000);
    expect(world.writes().length).toBe(before);
  });
});
