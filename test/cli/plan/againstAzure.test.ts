import { describe, expect, it } from "vitest";
import { clusterObjects } from "../../../src/cli/plan/clusterObjects.ts";
import { fileObjects } from "../../../src/cli/plan/fileObjects.ts";
import { annotations } from "../../../src/core/annotations.ts";
import type { JsonObject, KubeObject } from "../../../src/core/types.ts";
import {
  annotate,
  bodyOf,
  group,
  ids,
  key,
  mutate,
  ownerTag,
  seed,
  settledCluster,
  subscription,
  withSource,
  withTag,
} from "../../support/defaultCluster.ts";
import { lookAgain } from "../../support/turns.ts";
import { applyDefaultCluster, createWorld, type World } from "../../support/world.ts";
import { formProblems } from "./planForm.ts";
import { planIn, stepOf, writesIn } from "./planning.ts";

const propertiesOf = (body: JsonObject): JsonObject => (body["properties"] ?? {}) as JsonObject;
const withProperties = (body: JsonObject, properties: JsonObject): JsonObject => ({
  ...body,
  properties: { ...propertiesOf(body), ...properties },
});

const hour = 60 * 60_000;

/** What a world sends to Azure when it goes on, in the form in which a plan tells it. */
const sentBy = async (world: World): Promise<readonly unknown[]> => {
  const before = world.arm.requests.length;
  await world.run(hour);
  return world.arm.requests
    .slice(before)
    .filter(({ method }) => method !== "GET")
    .map(({ method, path, apiVersion, body }) => ({ method, id: path.split("?")[0], apiVersion, body: body ?? {} }));
};

describe("a plan against Azure", () => {
  it("is what the next turns send, of a cluster that is new, and then empty", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    const { plan } = await planIn(world);
    expect(formProblems(JSON.stringify(plan))).toEqual([]);
    const sent = await sentBy(world);
    const byId = (one: unknown, other: unknown): number => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
    expect(sent.toSorted(byId)).toEqual(
      plan.steps.map(({ method, id, apiVersion, body }) => ({ method, id, apiVersion, body })).toSorted(byId),
    );
    const after = await planIn(world);
    expect(after.plan.steps.map(({ action, reason }) => [action, reason])).toEqual(
      plan.steps.map(() => ["none", undefined]),
    );
    expect(after.plan.steps.map(({ id }) => id)).toEqual(plan.steps.map(({ id }) => id));
  });

  it("writes nothing, and reads nothing of what cannot be there", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    const before = world.arm.requests.length;
    await planIn(world);
    const [first, ...more] = world.arm.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
    expect(first).toMatch(/^GET .*\/Microsoft\.Compute\/skus/);
    expect(more).toEqual([expect.stringMatching(/^GET .*\/resourceGroups\/c1/)]);
  });

  it("of an edit is what the next turn sends, with both values", async () => {
    const world = await settledCluster();
    world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    await world.run(hour);
    world.holdDoorbells();
    world.objects.edit(key, (object) => withSource(object, "10.2.0.0/16"));
    const planned = await planIn(world);
    expect(writesIn(planned)).toEqual([`update ${ids.nodeNsg}`]);
    const { method, id, apiVersion, body, changes } = stepOf(planned, "c1-node-nsg");
    expect(changes).toEqual([
      {
        path: "properties.securityRules[web].properties.sourceAddressPrefix",
        from: "10.1.0.0/16",
        to: "10.2.0.0/16",
        effect: "inPlace",
      },
    ]);
    world.ringHeldDoorbells();
    expect(await sentBy(world)).toEqual([{ method, id, apiVersion, body }]);
  });

  it("tells drift of what is asked for, tags on their own, and leaves our own choices to the ledger", async () => {
    const world = await settledCluster();
    world.objects.edit(key, (object) => ({ ...object, spec: { ...object.spec, additionalTags: { team: "blue" } } }));
    await world.run(hour);
    mutate(world, ids.routeTable, (body) => withTag(body, "team", "red"));
    mutate(world, ids.nodeSubnet, (body) => withProperties(body, { addressPrefix: "10.250.0.0/16" }));
    const planned = await planIn(world);
    expect(formProblems(JSON.stringify(planned.plan))).toEqual([]);
    expect(writesIn(planned)).toEqual([`update ${ids.routeTable}/providers/Microsoft.Resources/tags/default`]);
    expect(stepOf(planned, "tags/default")).toMatchObject({
      changes: [{ path: "tags.team", from: "red", to: "blue" }],
      dependsOn: [group],
    });
    // The world comes to rest with what the plan says, and with what only the ledger knows.
    await lookAgain(world);
  });

  it("leaves what is not ours alone, and says so", async () => {
    const world = await settledCluster();
    mutate(world, ids.routeTable, (body) => withTag(body, ownerTag, undefined));
    const planned = await planIn(world);
    expect(stepOf(planned, "c1-node-routetable")).toMatchObject({ action: "none", reason: "Unmanaged", method: "GET" });
    expect(planned.remarks).toContainEqual(expect.objectContaining({ kind: "unmanaged", id: ids.routeTable }));
    expect(writesIn(planned)).toEqual([]);
  });

  it("adopts with one tag, and goes on as after it", async () => {
    const world = await settledCluster();
    mutate(world, ids.routeTable, (body) => withTag(body, ownerTag, undefined));
    annotate(world, annotations.adopt, ids.routeTable);
    const named = await planIn(world);
    const asked = await planIn(world, { adopt: [ids.routeTable.toUpperCase()] });
    expect(named.plan).toEqual(asked.plan);
    expect(writesIn(named)).toEqual([`update ${ids.routeTable}/providers/Microsoft.Resources/tags/default`]);
    expect(stepOf(named, "tags/default")).toMatchObject({
      method: "PATCH",
      type: "Microsoft.Resources/tags",
      dependsOn: expect.arrayContaining([group]),
      changes: [{ path: `tags.${ownerTag}`, from: null, to: "owned" }],
    });
  });

  it("refuses what cannot be changed in place, with both values, and goes on with the rest", async () => {
    const world = await settledCluster();
    mutate(world, ids.vnet, (body) => ({ ...body, location: "westus" }));
    const planned = await planIn(world);
    expect(formProblems(JSON.stringify(planned.plan))).toEqual([]);
    expect(stepOf(planned, "c1-vnet")).toMatchObject({
      action: "refused",
      reason: "ImmutableDrift",
      changes: [{ path: "location", from: "westus", to: "eastus" }],
      body: {},
    });
    expect(planned.remarks.filter(({ kind }) => kind === "refused")).toHaveLength(1);
  });

  it.each([
    { name: annotations.hold, reason: "Held" },
    { name: annotations.reportOnly, reason: "Drifted" },
  ])("shows what $name holds back", async ({ name, reason }) => {
    const world = await settledCluster();
    annotate(world, name, "yes");
    mutate(world, ids.nodeNsg, (body) => withTag(body, "Name", "x"));
    world.objects.edit(key, (object) => withSource(object, "10.2.0.0/16"));
    const held = stepOf(await planIn(world), "c1-node-nsg");
    expect(held).toMatchObject({ action: "refused", reason, method: "PUT" });
    expect(held.changes.length).toBeGreaterThan(0);
  });

  it("deletes what the owner tag shows and the spec no longer wants, but not what was abandoned or is not tagged", async () => {
    const world = await settledCluster();
    const stray = (name: string): string => `${group}/providers/Microsoft.Network/routeTables/${name}`;
    const tags = { [ownerTag]: "owned" };
    seed(
      world,
      { id: stray("stray"), location: "eastus", tags },
      { id: stray("left"), location: "eastus", tags },
      { id: stray("foreign"), location: "eastus", tags: {} },
    );
    annotate(world, annotations.abandon, stray("left"));
    const planned = await planIn(world);
    expect(writesIn(planned)).toEqual([`delete ${stray("stray")}`]);
    expect(planned.remarks).toContainEqual(expect.objectContaining({ kind: "kept", id: stray("left") }));
    expect(formProblems(JSON.stringify(planned.plan))).toEqual([]);
    expect(stepOf(planned, "stray")).toMatchObject({ method: "DELETE", dependsOn: [], changes: [], body: {} });
  });

  it("leaves what the tag shows to other objects that name it, and all of it when they may not be listed", async () => {
    const world = await settledCluster();
    const stray = `${group}/providers/Microsoft.Network/routeTables/stray`;
    seed(world, { id: stray, location: "eastus", tags: { [ownerTag]: "owned" } });
    const source = clusterObjects(world.objects, fileObjects([]));
    const own = world.objects.find(key)!;
    const subnets = [
      { name: "control-plane-subnet", role: "control-plane" },
      { name: "node-subnet", role: "node", routeTable: { name: "STRAY" } },
    ];
    const other = {
      ...own,
      metadata: { ...own.metadata, uid: "other", name: "c1-too" },
      spec: { ...own.spec, networkSpec: { vnet: { name: "c1-vnet" }, subnets } },
    };
    const listing = (listed: readonly KubeObject[] | undefined) => ({
      source: { ...source, list: () => Promise.resolve(listed) },
    });
    expect(writesIn(await planIn(world, listing([own])))).toEqual([`delete ${stray}`]);
    expect(writesIn(await planIn(world, listing([own, other])))).toEqual([]);
    const blind = await planIn(world, listing(undefined));
    expect(writesIn(blind)).toEqual([]);
    expect(blind.remarks.some(({ message }) => message.includes("cannot be told"))).toBe(true);
  });

  it("creates what the spec names in a network that was brought along, and writes nothing else of it", async () => {
    const world = createWorld();
    const net = `${subscription}/resourceGroups/net-rg`;
    const vnet = `${net}/providers/Microsoft.Network/virtualNetworks/shared`;
    seed(
      world,
      { id: net, location: "eastus" },
      { id: vnet, location: "eastus", properties: { addressSpace: { addressPrefixes: ["10.0.0.0/8"] } } },
      { id: `${vnet}/subnets/control-plane-subnet`, properties: { addressPrefix: "10.9.0.0/16" } },
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
    const planned = await planIn(world);
    expect(formProblems(JSON.stringify(planned.plan))).toEqual([]);
    const unmanaged = planned.plan.steps.filter(({ reason }) => reason === "Unmanaged").map(({ id }) => id);
    expect(unmanaged).toEqual(expect.arrayContaining([vnet, `${vnet}/subnets/control-plane-subnet`]));
    expect(stepOf(planned, "subnets/node-subnet").action).toBe("create");
    const sent = await sentBy(world);
    expect(new Set(sent.map((one) => (one as { id: string }).id))).toEqual(
      new Set(planned.plan.steps.filter(({ action }) => action === "create").map(({ id }) => id)),
    );
    expect(bodyOf(world, vnet)["tags"]).toBeUndefined();
    const after = await planIn(world);
    expect(writesIn(after)).toEqual([]);
  });

  it("says that nothing is done while the object is paused, somebody else's, or moved", async () => {
    const world = await settledCluster();
    annotate(world, annotations.paused, "");
    const paused = await planIn(world);
    expect(paused.remarks.some(({ message }) => message.startsWith("paused"))).toBe(true);
    annotate(world, annotations.managedBy, "other");
    expect(await planIn(world)).toMatchObject({ plan: { steps: [] } });
  });

  it("fails when something cannot be read, and says what and why", async () => {
    const denied = [{ identity: "reader", actions: ["read"] as const, scope: group }];
    const world = await settledCluster();
    world.arm.options = { ...world.arm.options, denied };
    await expect(planIn(world)).rejects.toThrow(/resourceGroups\/c1.* cannot be read from Azure: AuthorizationFailed/);
  });
});
