import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../src/core/types.ts";
import { isJsonObject } from "../../src/wire/json.ts";
import { azureState, onlyIn, without } from "../support/azureState.ts";
import { annotate, bodyOf, group, key, ownerTag, resources, seed } from "../support/defaultCluster.ts";
import { lookAgain } from "../support/turns.ts";
import { applyDefaultCluster, conditionsOf, createWorld, type World } from "../support/world.ts";
import { type Ground, grounds, homeOf, inWords, namedOf, seedsOf, specOf, vnetOf } from "./broughtAlong/ownedBy.ts";

/** Who has group, network, subnets and names before the cluster: every combination there is. */

const hour = 60 * 60_000;
const isExhaustive = process.env["CAPSTAN_EXHAUSTIVE"] === "1";

/** What Azure gives anew with each write to a parent or a neighbour. */
const volatile: ReadonlySet<string> = new Set(["etag"]);
const lasting = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(lasting);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([name]) => !volatile.has(name));
  return Object.fromEntries(entries.map(([name, child]) => [name, lasting(child)]));
};

interface Begun {
  readonly ground: Ground;
  readonly world: World;
  /** All of Azure before the cluster. */
  readonly before: ReturnType<typeof azureState>;
  /** What others have, whole, by id. */
  readonly theirs: JsonObject;
}

const isTagged = (world: World, id: string): boolean =>
  (bodyOf(world, id)["tags"] as JsonObject | undefined)?.[ownerTag] === "owned";
const whole = (world: World, ids: readonly string[]): JsonObject =>
  Object.fromEntries(ids.map((id) => [id, lasting(structuredClone(bodyOf(world, id)))]));
const setNetwork = (world: World, networkSpec: JsonObject, more: JsonObject = {}): void =>
  void world.objects.edit(key, (object) => ({ ...object, spec: { ...object.spec, ...more, networkSpec } }));

/** Groups that are the cluster's before it is made, or will be. */
const ourGroups = ({ ground, theirs }: Pick<Begun, "ground" | "theirs">): readonly string[] =>
  [...new Set([group, homeOf(ground)].map((id) => id.toLowerCase()))].filter((id) => !Object.hasOwn(theirs, id));

/** What a group of the cluster's would take along: then a person asks for what others have in it to be kept. */
const isToBeKept = ({ ground, theirs }: Pick<Begun, "ground" | "theirs">): boolean =>
  ourGroups({ ground, theirs }).some((id) => Object.keys(theirs).some((one) => one.startsWith(`${id}/`)));

const begin = (ground: Ground): Begun => {
  const world = createWorld();
  seed(world, ...seedsOf(ground));
  const ids = resources(world).filter((id) => !isTagged(world, id));
  const begun = { ground, world, before: azureState(world), theirs: whole(world, ids) };
  applyDefaultCluster(world);
  setNetwork(world, specOf(ground));
  if (isToBeKept(begun)) annotate(world, "capstan.azure/keep-foreign", "");
  return begun;
};

const ready = (world: World) => conditionsOf(world.objects.find(key))["Ready"];

/** While the cluster lives what others have is what it was, but for its mention of what is ours. */
const expectTheirsAsBefore = ({ world, before, theirs }: Begun): void => {
  const now = azureState(world);
  const pruned = without(now, onlyIn(now, before));
  const known = Object.keys(theirs);
  expect(Object.fromEntries(known.map((id) => [id, pruned[id]]))).toEqual(
    Object.fromEntries(known.map((id) => [id, before[id]])),
  );
};

/** Nobody's network is written, nor a subnet that was in it, nor anything else without our tag. */
const expectNoWriteToTheirs = ({ ground, world, theirs }: Begun): void => {
  const kept = new Set(Object.keys(theirs));
  if (ground.vnet === "theirs")
    for (const name of ["cp", "nodes"].slice(0, ["none", "one", "both"].indexOf(ground.subnets)))
      kept.add(`${vnetOf(ground)}/subnets/${name}`.toLowerCase());
  const written = world.writes().map(({ path }) => path.split("/providers/Microsoft.Resources/tags/")[0] ?? "");
  expect(written.filter((path) => kept.has(path.toLowerCase()))).toEqual([]);
};

const expectNames = ({ ground, world, before }: Begun): void => {
  const there = new Set(resources(world));
  for (const id of namedOf(ground).map((one) => one.toLowerCase()))
    expect([id, there.has(id)]).toEqual([id, ground.vnet !== "theirs" || Object.hasOwn(before, id)]);
};

const lifeOn = async (ground: Ground, looks: number): Promise<void> => {
  const begun = begin(ground);
  const { world, theirs } = begun;
  await world.run(hour);
  expect(ready(world)).toMatchObject({ status: "True" });
  expectTheirsAsBefore(begun);
  expectNames(begun);

  const [writes, version] = [world.writes().length, world.objects.find(key)?.metadata.resourceVersion];
  for (let look = 0; look < looks; look += 1) await lookAgain(world);
  expect(world.writes().slice(writes)).toEqual([]);
  expect(world.objects.find(key)?.metadata.resourceVersion).toBe(version);

  const serviceEndpoints = [{ service: "Microsoft.Storage", locations: ["eastus"] }];
  setNetwork(world, specOf(ground, { serviceEndpoints }), { additionalTags: { team: "b" } });
  await world.run(hour);
  expect(ready(world)).toMatchObject({ status: "True" });
  expectTheirsAsBefore(begun);
  expectNames(begun);

  world.objects.remove(key);
  await world.run(hour);
  expect(world.objects.find(key)).toBeUndefined();
  expectNoWriteToTheirs(begun);
  expect(whole(world, Object.keys(theirs))).toEqual(theirs);
  expect(resources(world)).toEqual([...Object.keys(theirs), ...(isToBeKept(begun) ? ourGroups(begun) : [])].toSorted());
  expect(world.tables.rows("state")).toEqual([]);
};

describe("the life of a cluster leaves everything of others as it was, whoever has what", () => {
  // Twenty looks at each with CAPSTAN_EXHAUSTIVE=1; else at every seventh, and two at the others.
  it.each(grounds.map((ground, at) => [inWords(ground), ground, isExhaustive || at % 7 === 0 ? 20 : 2] as const))(
    "A34, A36: nothing of others changes: %s",
    (_, ground, looks) => lifeOn(ground, looks),
    60_000,
  );
});
