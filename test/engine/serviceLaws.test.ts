import { describe, expect, it } from "vitest";
import { frameOf } from "../../src/core/apply/frame.ts";
import { locateApplied } from "../../src/core/apply/leaves.ts";
import { isFixed } from "../../src/core/apply/place.ts";
import type { AppliedLeaf, Json, JsonObject } from "../../src/core/types.ts";
import { clusterServices } from "../../src/services/index.ts";
import { loadSchema } from "../../src/wire/loadSchema.ts";
import { patched } from "../support/admission/admissionServer.ts";
import { another, at, put } from "../support/bodyPaths.ts";
import { annotate, bodyOf, group, key, mutate, ownerTag, seed } from "../support/defaultCluster.ts";
import { lookAgain, rowOf } from "../support/turns.ts";
import { applyDefaultCluster, conditionsOf, createWorld, type World } from "../support/world.ts";
import { others, standingCluster } from "./edits/editedWorld.ts";
import { rich, richWithIPv6 } from "./edits/richSpec.ts";

/** What holds of every service (design section 5), tried on every field that it writes. A new service needs a place in `richSpec.ts`. */

type Service = (typeof clusterServices)[number];
const hour = 3_600_000;
const specOf = ({ name }: Service): JsonObject => (name === "privateDnsAaaaRecords" ? richWithIPv6 : rich);

const rowsOf = (world: World, { name }: Service) =>
  world.tables.rows("state").flatMap(({ packed }) => {
    const row = packed["row"] as unknown as { readonly id: string; readonly service: string } | undefined;
    return row?.service === name ? [row.id] : [];
  });

/** Children that Azure keeps in the body of their network. */
const inNetwork = /^(.*\/virtualNetworks\/[^/]+)\/(subnets|virtualNetworkPeerings)\/([^/]+)$/i;
const placeOf = (id: string): readonly [id: string, path: readonly string[]] => {
  const [, vnet, list, name] = inNetwork.exec(id) ?? [];
  return vnet === undefined ? [id, []] : [vnet, ["properties", list!, name!]];
};
const valueIn = (world: World, id: string, path: readonly string[]): Json | undefined => {
  const [holder, way] = placeOf(id);
  return at(bodyOf(world, holder), [...way, ...path]);
};
const change = (world: World, id: string, path: readonly string[], to: Json | undefined): void => {
  const [holder, way] = placeOf(id);
  mutate(world, holder, (body) => put(body, [...way, ...path], to) as JsonObject);
};

const conditionOf = (world: World, { condition }: Service) => conditionsOf(world.objects.find(key))[condition];
const since = (world: World, count: number): readonly string[] =>
  world
    .writes()
    .slice(count)
    .map(({ method, path }) => `${method} ${path.split("?")[0]}`);

interface Field {
  readonly id: string;
  readonly path: readonly string[];
  /** Of what differs from what we wrote there. */
  readonly fate: "written" | "refused" | "kept";
}

/** Azure lets nobody change the range of a subnet in which something lives. */
const inUse = ({ name }: Service, path: readonly string[]): boolean =>
  name === "subnets" && path.join(".") === "properties.addressPrefix";

const isHollow = (value: Json | undefined): boolean =>
  value === undefined || (typeof value === "object" && Object.keys(value ?? {}).length === 0);

/** Owner tags say whose it is, names and keys of items which one it is: no fields. */
const isNoField = (world: World, id: string, path: readonly string[]): boolean =>
  path.includes(ownerTag) ||
  path.at(-1) === "name" ||
  (path.at(-1) === "id" && Array.isArray(valueIn(world, id, path.slice(0, -2)))) ||
  isHollow(valueIn(world, id, path));

/** What the ledger says that we wrote of the first resource of a service, and Azure shows. */
const fieldsOf = async (world: World, service: Service): Promise<readonly Field[]> => {
  const [id = ""] = rowsOf(world, service);
  const applied = (rowOf(world, id)?.applied ?? []) as readonly AppliedLeaf[];
  const frame = frameOf(await loadSchema(service.type), service.rules, {}, applied);
  return [...locateApplied(frame, applied).values()].flatMap(({ path, place, mark, value }) => {
    if (isHollow(value) || isNoField(world, id, path) || inUse(service, path)) return [];
    // What nobody asked for is nobody's to be refused.
    const fate = !isFixed(frame, place) ? "written" : mark === "asked" ? "refused" : "kept";
    return [{ id, path, fate } as const];
  });
};

/** Another value of the same form. */
const unlike = (value: Json): Json => {
  if (Array.isArray(value)) return value.map((item: Json) => unlike(item));
  if (typeof value !== "string" || !/^[\da-f.:]+(\/\d+)?$/i.test(value)) return another(value, 0);
  return value.includes(":") ? "fd00:0:0:9::/64" : value.includes("/") ? "10.99.0.0/16" : "10.0.0.99";
};

const meddled = async (
  world: World,
  { id, path }: Field,
): Promise<{ readonly ours: Json; readonly sent: readonly string[] }> => {
  const ours = valueIn(world, id, path)!;
  change(world, id, path, unlike(ours));
  const before = world.writes().length;
  await lookAgain(world);
  return { ours, sent: since(world, before) };
};

const comesBack = async (world: World, _: Service, field: Field): Promise<void> => {
  const { ours, sent } = await meddled(world, field);
  const text = `${field.id} ${field.path.join(".")}`;
  expect(sent, text).toHaveLength(1);
  expect(valueIn(world, field.id, field.path), text).toEqual(ours);
};

const isRefused = async (world: World, service: Service, field: Field): Promise<void> => {
  const { ours, sent } = await meddled(world, field);
  const text = `${field.id} ${field.path.join(".")}`;
  expect(sent, text).toEqual([]);
  expect(conditionOf(world, service), text).toMatchObject({ status: "False", reason: "ImmutableDrift" });
  expect(conditionOf(world, service)?.message, text).toContain(field.id);
  change(world, field.id, field.path, ours);
};

const stays = async (world: World, service: Service, field: Field): Promise<void> => {
  const { sent } = await meddled(world, field);
  expect(sent, field.path.join(".")).toEqual([]);
  expect(conditionOf(world, service), field.path.join(".")).toMatchObject({ status: "True" });
};

describe.each(clusterServices.map((service) => [service.name, service] as const))("%s", (_, service) => {
  it("settles: written once, and never again by itself", async () => {
    const world = await standingCluster(specOf(service));
    const ids = rowsOf(world, service);
    expect(ids).not.toEqual([]);
    const paths = since(world, 0).filter((write) => ids.some((id) => write === `PUT ${id}`));
    expect(paths).toHaveLength(ids.length);
    const sent = world.writes().length;
    for (let look = 0; look < 3; look += 1) await lookAgain(world);
    expect(since(world, sent)).toEqual([]);
  });

  it("survives foreign writes: one write for each field of ours, none where Azure cannot change it", async () => {
    const world = await standingCluster(specOf(service));
    await lookAgain(world);
    for (const [round, field] of (await fieldsOf(world, service)).entries()) {
      await (field.fate === "written" ? comesBack : field.fate === "refused" ? isRefused : stays)(
        world,
        service,
        field,
      );
      // The loop guard remembers for days who writes what.
      annotate(world, "capstan.azure/release", `${round}`);
      await lookAgain(world);
      expect(conditionOf(world, service), field.id).toMatchObject({ status: "True" });
    }
  });

  it("leaves alone what others add", async () => {
    const world = await standingCluster(specOf(service));
    await lookAgain(world);
    const [id = ""] = rowsOf(world, service);
    if (service.ownership !== "tag") return;
    mutate(world, id, (body) => ({ ...body, tags: { ...(body["tags"] as JsonObject), foreign: "x" } }));
    const sent = world.writes().length;
    await lookAgain(world);
    expect(since(world, sent)).toEqual([]);
    world.objects.edit(key, (object) => ({ ...object, spec: { ...object.spec, additionalTags: { ours: "y" } } }));
    await world.run(hour);
    expect(bodyOf(world, id)["tags"]).toMatchObject({ foreign: "x", ours: "y" });
  });

  it("is undone: all of it goes, one by one in a group that stays", async () => {
    const world = createWorld();
    const home = { id: group, location: "eastus", tags: { team: "x" } };
    seed(world, home, ...others);
    const before = new Set(world.arm.resources.keys());
    applyDefaultCluster(world);
    const spec = specOf(service);
    world.objects.edit(key, (object) => ({ ...object, spec: patched(object.spec, spec) }));
    await world.run(hour);
    const ids = rowsOf(world, service);
    expect(ids).not.toEqual([]);
    world.objects.remove(key);
    await world.run(hour);
    expect([...world.arm.resources.keys()].filter((id) => !before.has(id))).toEqual([]);
    expect(world.objects.find(key)).toBeUndefined();
    expect(world.arm.resources.has(home.id.toLowerCase())).toBe(true);
    for (const id of ids.filter((one) => inNetwork.test(one))) expect(valueIn(world, id, [])).toBeUndefined();
  });
});
