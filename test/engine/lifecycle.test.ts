import { describe, expect, it } from "vitest";
import { idKey, resourceGroupOf, typeOf } from "../../src/core/ids.ts";
import { clusterServices } from "../../src/services/index.ts";
import { annotate, key, loseIdentity, seed } from "../support/defaultCluster.ts";
import {
  type BroughtAlong,
  deletesOf,
  expectGone,
  expectStanding,
  groups,
  madeBeside,
  parts,
  type Rich,
  richCluster,
  standing,
  wholeAzure,
} from "../support/richCluster.ts";
import { lookAgain } from "../support/turns.ts";
import { conditionsOf, type World } from "../support/world.ts";

const minute = 60_000;
const hour = 60 * minute;

/** Who made the groups and the zone: every combination there is. */
const grounds: readonly (readonly BroughtAlong[])[] = [
  [],
  ["clusterGroup"],
  ["networkGroup"],
  ["zone"],
  ["clusterGroup", "networkGroup"],
  ["clusterGroup", "zone"],
  ["networkGroup", "zone"],
  ["clusterGroup", "networkGroup", "zone"],
];
const inWords = (theirs: readonly BroughtAlong[]): string =>
  theirs.length === 0 ? "nothing brought along" : `${theirs.join(", ")} brought along`;
const cases = grounds.map((theirs) => [inWords(theirs), theirs] as const);

const clusterKey = { ...key, kind: "Cluster" };
const statusesOf = (world: World): readonly number[] => world.writes().map(({ status }) => status);
const putsOf = (world: World): readonly string[] =>
  world.writes().flatMap(({ method, path }) => (method === "PUT" ? [path] : []));

/** Types outside the cluster's own groups that something in those uses, and types that wait for those. */
const usedFromAGroup = (
  theirs: readonly BroughtAlong[],
): { readonly used: readonly string[]; readonly waiting: readonly string[] } => {
  const [clusterGroup, networkGroup] = [theirs.includes("clusterGroup"), theirs.includes("networkGroup")];
  if (clusterGroup === networkGroup) return { used: [], waiting: [] };
  return clusterGroup
    ? { used: ["natGateways"], waiting: ["publicIPAddresses"] }
    : {
        used: ["virtualNetworks/subnets"],
        waiting: ["virtualNetworks", "networkSecurityGroups", "routeTables"],
      };
};
const shortType = (id: string): string => (typeOf(id) ?? "").replace(/^microsoft\.network\//i, "").toLowerCase();

/** A network interface of a private endpoint is Azure's own work. */
const isMadeByAzure = (id: string): boolean => id.endsWith("pe-n1.nic");

describe("a rich cluster", () => {
  it("has something of every service but the record of an IPv6 address", async () => {
    const { world } = await standing();
    const written = new Set(putsOf(world).map((path) => typeOf(path)?.toLowerCase()));
    const missing = clusterServices.filter(({ type }) => !written.has(type.toLowerCase())).map(({ name }) => name);
    expect(missing).toEqual(["privateDnsAaaaRecords"]);
  });

  it.each(cases)("comes to stand by one write a resource, none of them refused, and rests: %s", async (_, theirs) => {
    const rich = await standing(theirs);
    const { world } = rich;
    expect(putsOf(world)).toHaveLength(world.writes().length);
    expect(new Set(putsOf(world)).size).toBe(world.writes().length);
    expect(Math.max(...statusesOf(world))).toBeLessThan(300);
    const wanted = new Set(putsOf(world).map((path) => path.toLowerCase()));
    const made = madeBeside(rich).filter((id) => !isMadeByAzure(id));
    expect(made.filter((id) => !wanted.has(id))).toEqual([]);
    const [writes, version] = [world.writes().length, world.objects.find(key)?.metadata.resourceVersion];
    await lookAgain(world);
    await world.run(48 * hour);
    expect(world.writes()).toHaveLength(writes);
    expect(world.objects.find(key)?.metadata.resourceVersion).toBe(version);
    expectStanding(world);
  });

  it.each(cases)("goes within minutes, and leaves what others have as it was: %s", async (_, theirs) => {
    const rich = await standing(theirs);
    const { world } = rich;
    const [made, sinceMs] = [world.writes().length, world.clock.nowMs()];
    let goneMs = 0;
    world.objects.onChange((after, before) => {
      if (after === undefined && before?.kind === key.kind) goneMs = world.clock.nowMs();
    });
    world.objects.remove(key);
    await world.run(hour);
    expect(goneMs - sinceMs).toBeLessThan(5 * minute);
    const after = world.writes().slice(made);
    expect(after.filter(({ method }) => method !== "DELETE")).toEqual([]);
    // Only what a group of the cluster's holds may use something outside: Azure says so, and lets it go after that group.
    const refused = after.filter(({ status }) => status >= 400).map(({ path }) => shortType(path));
    expect(new Set(refused)).toEqual(new Set(usedFromAGroup(theirs).used.map((type) => type.toLowerCase())));
    await expectGone(rich);
  });

  it.each(cases)("lets go what lies outside its own groups before those: %s", async (_, theirs) => {
    const rich = await standing(theirs, { latency: 20_000 });
    const own = new Set(madeBeside(rich).filter((id) => resourceGroupOf(id) === id));
    expect(own.size).toBe(2 - theirs.filter((name) => name.endsWith("Group")).length);
    const isInOwn = (id: string): boolean => own.has(idKey(resourceGroupOf(id) ?? ""));
    const { world } = rich;
    world.objects.remove(key);
    await world.run(2 * hour);
    const deletes = deletesOf(world).map(idKey);
    const elsewhere = [parts.reversePeering, parts.zoneLink, parts.record];
    expect(elsewhere.map(idKey).filter((id) => !deletes.includes(id))).toEqual([]);
    const { used, waiting } = usedFromAGroup(theirs);
    const late = new Set([...used, ...waiting].map((type) => type.toLowerCase()));
    const outside = deletes.filter((id) => !isInOwn(id) && !late.has(shortType(id)));
    const firstGroup = deletes.findIndex((id) => own.has(id));
    if (own.size > 0) expect(outside.filter((id) => deletes.indexOf(id) > firstGroup)).toEqual([]);
    // What is in a group of the cluster's goes with it, by no request of its own.
    expect(deletes.filter((id) => isInOwn(id) && !own.has(id))).toEqual([]);
    await expectGone(rich);
  });

  it("goes when the Cluster above it goes too, as when it is deleted alone", async () => {
    const rich = await standing();
    const { world } = rich;
    world.objects.edit(clusterKey, (object) => ({
      ...object,
      metadata: { ...object.metadata, finalizers: ["cluster.cluster.x-k8s.io"] },
    }));
    world.objects.remove(clusterKey);
    await world.run(10 * minute);
    expect(deletesOf(world)).toEqual([]);
    world.objects.remove(key);
    await world.run(hour);
    await expectGone(rich);
  });
});

describe("while the Cluster above is being deleted", () => {
  const goesAfter = async (steps: number): Promise<Rich> => {
    const rich = richCluster([], { latency: 20_000 });
    const { world } = rich;
    for (let n = 0; n < steps; n += 1)
      if (!(await world.step())) world.clock.advanceTo(world.queue.nextDueMs() ?? world.clock.nowMs());
    world.objects.edit(clusterKey, (object) => ({
      ...object,
      metadata: { ...object.metadata, finalizers: ["cluster.cluster.x-k8s.io"] },
    }));
    world.objects.remove(clusterKey);
    return rich;
  };

  it.each([0, 2, 5, 8, 11, 14, 17, 20])(
    "nothing is created any more, and all goes: after %i messages",
    async (steps) => {
      const rich = await goesAfter(steps);
      const { world } = rich;
      const puts = putsOf(world).length;
      await world.run(hour);
      expect(putsOf(world)).toHaveLength(puts);
      world.objects.remove(key);
      await world.run(2 * hour);
      expect(putsOf(world)).toHaveLength(puts);
      await expectGone(rich);
    },
  );
});

describe("what somebody wants to keep", () => {
  const addressIn = (resourceGroup: string) => ({
    id: `${resourceGroup}/providers/Microsoft.Network/publicIPAddresses/theirs`,
    location: "eastus",
    tags: { team: "x" },
    sku: { name: "Standard" },
    properties: { publicIPAllocationMethod: "Static" },
  });

  it("stays with its groups when the object says so; all that is the cluster's goes", async () => {
    const rich = await standing();
    const { world } = rich;
    const theirs = [addressIn(groups.cluster), addressIn(groups.network)];
    seed(world, ...theirs);
    annotate(world, "capstan.azure/keep-foreign", "");
    world.objects.remove(key);
    await world.run(2 * hour);
    await expectGone(rich, [groups.cluster, groups.network, ...theirs.map(({ id }) => id)]);
  });

  it("goes with its group otherwise, and is named before", async () => {
    const rich = await standing([], { latency: { types: { "Microsoft.Resources/resourceGroups": 10 * minute } } });
    const { world } = rich;
    const theirs = [addressIn(groups.cluster), addressIn(groups.network)];
    seed(world, ...theirs);
    world.objects.remove(key);
    await world.run(5 * minute);
    const said = conditionsOf(world.objects.find(key))["NetworkInfrastructureReady"]?.message;
    for (const { id } of theirs) expect(said).toContain(id);
    await world.run(2 * hour);
    await expectGone(rich);
  });

  it.each([
    {
      what: "a zone elsewhere, with its links and records",
      ids: [parts.zone],
      kept: [parts.zone, parts.record, parts.zoneLink, `${parts.zone}/virtualNetworkLinks/hub-link`],
    },
    {
      what: "a gateway with its address, and the group that they are in",
      ids: [parts.gateway, parts.gatewayAddress],
      kept: [groups.cluster, parts.gateway, parts.gatewayAddress],
    },
  ])("stays when it is abandoned: $what", async ({ ids, kept }) => {
    const rich = await standing();
    const { world } = rich;
    annotate(world, "capstan.azure/abandon", ids.join());
    world.objects.remove(key);
    await world.run(2 * hour);
    await expectGone(rich, kept);
  });

  it("stays wholly, untouched, when all of it is abandoned because nobody can sign in any more", async () => {
    const rich = await standing();
    const { world } = rich;
    const made = madeBeside(rich);
    const [now, writes] = [wholeAzure(world), world.writes().length];
    loseIdentity(world);
    annotate(
      world,
      "capstan.azure/abandon",
      [groups.cluster, groups.network, parts.zone, parts.reversePeering].join(", "),
    );
    world.objects.remove(key);
    await world.run(hour);
    expect(world.writes()).toHaveLength(writes);
    await expectGone({ world, before: now });
    const orphans = new Set(world.tables.rows("orphans").map(({ values }) => idKey(String(values["id"]))));
    expect(made.filter((id) => !isMadeByAzure(id) && !orphans.has(id))).toEqual([]);
    expect(orphans).toContain(idKey(parts.reversePeering));
  });
});
