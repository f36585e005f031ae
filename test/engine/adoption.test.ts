import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/types.ts";
import {
  annotate,
  bodyOf,
  group,
  ids,
  key,
  mutate,
  ownerTag,
  resources,
  seed,
  settledCluster,
  subscription,
  withTag,
} from "../support/defaultCluster.ts";
import { lookAgain, rowOf } from "../support/turns.ts";
import { applyDefaultCluster, conditionsOf, createWorld, type World } from "../support/world.ts";

const adopt = "capstan.azure/adopt";
const children = "capstan.azure/owned-children";
const hour = 60 * 60_000;
const otherOwner = "sigs.k8s.io_cluster-api-provider-azure_cluster_c2";

/** A load balancer, by the name that the cluster wants, which somebody else made in a group that is there already. */
const foreign = (tags: JsonObject = {}): World => {
  const world = createWorld();
  seed(
    world,
    { id: group, location: "eastus", tags: { team: "x" } },
    { id: ids.routeTable, location: "eastus", tags: { team: "x", ...tags }, properties: {} },
  );
  applyDefaultCluster(world);
  return world;
};
const tagsOf = (world: World, id: string): JsonObject => (bodyOf(world, id)["tags"] ?? {}) as JsonObject;
const writesTo = (world: World, id: string): readonly string[] =>
  world
    .writes()
    .filter(({ path }) => path === id || path.startsWith(`${id}/providers/Microsoft.Resources/tags`))
    .map(({ method, path }) => `${method} ${path.slice(id.length)}`);
const tagWrite = "PATCH /providers/Microsoft.Resources/tags/default";
const conditions = (world: World) => conditionsOf(world.objects.find(key));

describe("adoption", () => {
  it("A35: what merely has the name that we want is never written, and stays when the cluster goes", async () => {
    const world = foreign();
    await world.run();
    world.objects.remove(key);
    await world.run(hour);
    expect(writesTo(world, ids.routeTable)).toEqual([]);
    expect(resources(world)).toEqual([group, ids.routeTable].map((id) => id.toLowerCase()).toSorted());
  });

  it("writes exactly one tag, and then goes on as with what is ours", async () => {
    const world = foreign();
    await world.run();
    const before = bodyOf(world, ids.routeTable);
    annotate(world, adopt, ids.routeTable.toUpperCase());
    await world.run();
    expect(writesTo(world, ids.routeTable)).toEqual([tagWrite]);
    expect(tagsOf(world, ids.routeTable)).toEqual({ team: "x", [ownerTag]: "owned" });
    expect({ ...bodyOf(world, ids.routeTable), tags: {}, etag: "" }).toEqual({ ...before, tags: {}, etag: "" });
    expect(rowOf(world, ids.routeTable)?.known).toBe("adopted");
    expect(conditions(world)["Ready"]).toMatchObject({ status: "True" });
    world.objects.remove(key);
    await world.run(hour);
    expect(resources(world)).toEqual([group.toLowerCase()]);
  });

  it("of what was tagged by hand needs no write", async () => {
    const world = foreign();
    await world.run();
    mutate(world, ids.routeTable, (body) => withTag(body, ownerTag, "owned"));
    await lookAgain(world);
    expect(rowOf(world, ids.routeTable)?.known).toBe("seenUnmanaged");
    annotate(world, adopt, ids.routeTable);
    await world.run();
    expect(writesTo(world, ids.routeTable)).toEqual([]);
    expect(rowOf(world, ids.routeTable)?.known).toBe("adopted");
  });

  it("is refused for what belongs to another cluster, by name", async () => {
    const world = foreign({ [otherOwner]: "owned" });
    annotate(world, adopt, ids.routeTable);
    await world.run();
    expect(writesTo(world, ids.routeTable)).toEqual([]);
    expect(conditions(world)["RouteTablesReady"]).toMatchObject({
      status: "False",
      reason: "ForeignConflict",
      message: expect.stringContaining(otherOwner),
    });
    mutate(world, ids.routeTable, (body) => withTag(body, ownerTag, "owned"));
    await lookAgain(world);
    expect(writesTo(world, ids.routeTable)).toEqual([]);
  });

  it("puts a tag back that was taken off", async () => {
    const world = await settledCluster();
    mutate(world, ids.routeTable, (body) => withTag(body, ownerTag, undefined));
    await lookAgain(world);
    expect(conditions(world)["RouteTablesReady"]).toMatchObject({ reason: "OwnershipLost" });
    const before = writesTo(world, ids.routeTable).length;
    annotate(world, adopt, ids.routeTable);
    await world.run();
    expect(writesTo(world, ids.routeTable).slice(before)).toEqual([tagWrite]);
    expect(conditions(world)["RouteTablesReady"]).toMatchObject({ status: "True" });
  });

  it("of what the object does not want is said to be impossible, as long as it is asked for", async () => {
    const world = await settledCluster();
    const stranger = `${group}/providers/Microsoft.Network/routeTables/unknown`;
    annotate(world, adopt, stranger);
    await world.run();
    expect(conditions(world)["AdoptionPossible"]).toMatchObject({
      status: "False",
      reason: "AdoptionNotWanted",
      message: expect.stringContaining(stranger.toLowerCase()),
    });
    annotate(world, adopt, undefined);
    await world.run();
    expect(conditions(world)["AdoptionPossible"]).toBeUndefined();
  });

  it("of an untaggable child stands on the object, so that it is known when the tables are lost", async () => {
    const netGroup = `${subscription}/resourceGroups/net-rg`;
    const vnet = `${netGroup}/providers/Microsoft.Network/virtualNetworks/shared`;
    const subnet = `${vnet}/subnets/node-subnet`;
    const world = createWorld();
    seed(
      world,
      { id: netGroup, location: "eastus" },
      {
        id: vnet,
        location: "eastus",
        properties: { addressSpace: { addressPrefixes: ["10.0.0.0/8"] }, subnets: [] },
      },
      { id: `${vnet}/subnets/control-plane-subnet`, properties: { addressPrefix: "10.0.0.0/16" } },
      { id: subnet, properties: { addressPrefix: "10.1.0.0/16" } },
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
            { name: "node-subnet", role: "node" },
          ],
        },
      },
    }));
    await world.run();
    expect(writesTo(world, subnet)).toEqual([]);
    annotate(world, adopt, subnet);
    await world.run();
    expect(rowOf(world, subnet)?.known).toBe("adopted");
    expect(world.objects.find(key)?.metadata.annotations[children]).toBe(subnet);
    annotate(world, adopt, undefined);
    world.tables.clear();
    world.objects.remove(key);
    await world.run(hour);
    expect(resources(world)).toEqual([netGroup, vnet].map((id) => id.toLowerCase()));
    expect(
      world
        .writes()
        .filter(({ path }) => path.startsWith(vnet))
        .map(({ method, path }) => `${method} ${path}`),
    ).toContain(`DELETE ${subnet}`);
  });
});
