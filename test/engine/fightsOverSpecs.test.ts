import { describe, expect, it } from "vitest";
import type { JsonObject, KubeObject } from "../../src/core/types.ts";
import { key, withSource } from "../support/defaultCluster.ts";
import { type Arena, arena, hour, withTeam } from "../support/fights.ts";
import { battlefields, ownWritesTo, personsChange, showsPersonsChange } from "../support/randomFights.ts";
import { runBy } from "../support/turns.ts";
import { applyDefaultCluster, conditionsOf, type World } from "../support/world.ts";

/** Two or three field managers who set one field of the spec in turn, each as it likes. */
interface Quarrel {
  readonly over: string;
  readonly set: (object: KubeObject, side: number) => KubeObject;
  readonly sides: number;
  readonly everyMs: number;
}

const withSpec = (object: KubeObject, more: JsonObject): KubeObject => ({
  ...object,
  spec: { ...object.spec, ...more },
});
const withNodeSubnet = (object: KubeObject, more: JsonObject): KubeObject => {
  const networkSpec = object.spec["networkSpec"] as JsonObject;
  const subnets = (networkSpec["subnets"] as readonly JsonObject[]).map((subnet) =>
    subnet["role"] === "node" ? { ...subnet, ...more } : subnet,
  );
  return withSpec(object, { networkSpec: { ...networkSpec, subnets } });
};
const endpoints = (side: number): JsonObject => ({
  serviceEndpoints: side === 0 ? [] : [{ service: "Microsoft.Sql", locations: ["eastus"] }],
});

const quarrels: readonly Quarrel[] = [
  { over: "the value of a tag", set: (object, side) => withTeam(object, `team-${side}`), sides: 2, everyMs: 60_000 },
  {
    over: "the name of a tag",
    set: (object, side) => withSpec(object, { additionalTags: { [`key-${side}`]: "x" } }),
    sides: 2,
    everyMs: 45_000,
  },
  {
    over: "a security rule",
    set: (object, side) => withSource(object, `10.${side}.0.0/16`),
    sides: 3,
    everyMs: 60_000,
  },
  {
    over: "an item of a list",
    set: (object, side) => withNodeSubnet(object, endpoints(side)),
    sides: 2,
    everyMs: 20_000,
  },
];

const quarrel = async ({ world, deps }: Arena, { set, sides, everyMs }: Quarrel): Promise<void> => {
  const endMs = world.clock.nowMs() + hour;
  for (let round = 0; world.clock.nowMs() + everyMs < endMs; round += 1) {
    const side = round % sides;
    world.objects.edit(key, (object) => set(object, side), `manager-${side}`);
    const nextMs = world.clock.nowMs() + everyMs;
    await runBy(world, deps, everyMs - 1);
    world.clock.advanceTo(nextMs);
  }
};

const begin = async (): Promise<Arena> => {
  const at = await arena((world) => void world.objects.edit(key, (object) => withTeam(object, "blue")));
  applyDefaultCluster(at.world, "c2");
  await at.world.run(hour);
  return at;
};
const places = Object.values(battlefields);
const countsOf = (world: World): readonly number[] => places.map((id) => ownWritesTo(world, id));

describe.each(quarrels)("two Kubernetes writers who quarrel about $over", (one) => {
  it("A05: cost at most 8 writes a resource in the first hour, and are named; a person acts at once", async () => {
    const at = await begin();
    const { world } = at;
    const before = countsOf(world);
    const messages: string[] = [];
    world.objects.onChange((object) => {
      for (const { reason, message = "" } of Object.values(conditionsOf(object)))
        if (reason === "SpecContested") messages.push(message);
    });
    await quarrel(at, one);
    const wrote = countsOf(world).map((count, index) => count - before[index]!);
    expect(Math.max(...wrote)).not.toBe(Math.floor(hour / one.everyMs) - 1);
    expect(Math.max(...wrote)).toBeLessThanOrEqual(8);
    expect(Math.max(...wrote)).toBeGreaterThanOrEqual(3);
    if (one.sides === 2) expect(messages.at(-1)).toMatch(/spec\..* is changed in turn by manager-\d and manager-\d/);
    world.objects.edit(key, personsChange, "a-person");
    await world.run(30_000);
    for (const [index, id] of places.entries())
      if (wrote[index]! > 0) expect(showsPersonsChange(world, id), id).toBe(true);
    expect(conditionsOf(world.objects.find({ ...key, name: "c2" }))["Ready"]).toMatchObject({ status: "True" });
  });
});
