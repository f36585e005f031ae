import { describe, expect, it } from "vitest";
import { makePlan } from "../../../src/cli/plan/makePlan.ts";
import { annotations } from "../../../src/core/annotations.ts";
import { kinds } from "../../../src/kinds/index.ts";
import {
  annotate,
  group,
  ids,
  key,
  mutate,
  ownerTag,
  seed,
  settledCluster,
  subscription,
  withTag,
} from "../../support/defaultCluster.ts";
import type { World } from "../../support/world.ts";
import { formProblems } from "./planForm.ts";
import { planIn, planningIn, writesIn } from "./planning.ts";

const hour = 60 * 60_000;
const hub = `${subscription}/resourceGroups/hub-rg`;
const hubVnet = `${hub}/providers/Microsoft.Network/virtualNetworks/hub`;
const disk = `${group}/providers/Microsoft.Compute/disks/data`;

/** A cluster whose network is connected with one of somebody else. */
const connected = async (): Promise<World> => {
  const world = await settledCluster();
  seed(
    world,
    { id: hub, location: "eastus" },
    { id: hubVnet, location: "eastus", properties: { addressSpace: { addressPrefixes: ["172.20.0.0/16"] } } },
  );
  world.objects.edit(key, (object) => ({
    ...object,
    spec: {
      ...object.spec,
      networkSpec: {
        ...(object.spec["networkSpec"] as object),
        vnet: { name: "c1-vnet", peerings: [{ remoteVnetName: "hub", resourceGroup: "hub-rg" }] },
      },
    },
  }));
  await world.run(hour);
  return world;
};

const deletesOf = (world: World, since: number): readonly string[] =>
  world.arm.requests
    .slice(since)
    .filter(({ method }) => method === "DELETE")
    .map(({ path }) => path.split("?")[0] ?? "");

describe("a plan of a deletion", () => {
  it("is what the turns delete, in their order, and names what goes along", async () => {
    const world = await connected();
    seed(world, {
      id: disk,
      location: "eastus",
      sku: { name: "Premium_LRS" },
      properties: { diskSizeGB: 4, creationData: { createOption: "Empty" } },
    });
    const planned = await planIn(world, { deleting: true });
    expect(formProblems(JSON.stringify(planned.plan))).toEqual([]);
    expect(planned.remarks.filter(({ kind }) => kind === "goesAlong").map(({ id }) => id)).toEqual([disk]);
    expect(planned.plan.steps.at(-1)).toMatchObject({ action: "delete", method: "DELETE", id: group, body: {} });
    expect(planned.plan.steps.at(-1)?.dependsOn).toEqual(planned.plan.steps.slice(0, -1).map(({ id }) => id));
    const before = world.arm.requests.length;
    world.objects.remove(key);
    const again = await planIn(world);
    expect(again.plan).toEqual(planned.plan);
    await world.run(hour);
    expect(deletesOf(world, before)).toEqual(planned.plan.steps.map(({ id }) => id));
  });

  it("keeps the group with what is not ours when that is asked for, and deletes the rest one by one, as the turns do", async () => {
    const world = await connected();
    annotate(world, annotations.keepForeign, "yes");
    const planned = await planIn(world, { deleting: true });
    expect(formProblems(JSON.stringify(planned.plan))).toEqual([]);
    expect(planned.plan.steps.some(({ id }) => id === group)).toBe(false);
    expect(planned.remarks).toContainEqual(expect.objectContaining({ kind: "kept", id: group }));
    const subnet = planned.plan.steps.findIndex(({ id }) => id === ids.nodeSubnet);
    const vnet = planned.plan.steps.findIndex(({ id }) => id === ids.vnet);
    expect(subnet).toBeGreaterThanOrEqual(0);
    expect(planned.plan.steps[vnet]?.dependsOn).toContain(ids.nodeSubnet);
    const before = world.arm.requests.length;
    world.objects.remove(key);
    await world.run(hour);
    expect(new Set(deletesOf(world, before))).toEqual(new Set(planned.plan.steps.map(({ id }) => id)));
  });

  it("leaves what is not ours, what was abandoned, and everything while writing is forbidden", async () => {
    const world = await connected();
    mutate(world, group, (body) => withTag(body, ownerTag, undefined));
    mutate(world, ids.routeTable, (body) => withTag(body, ownerTag, undefined));
    annotate(world, annotations.abandon, ids.lb);
    const planned = await planIn(world, { deleting: true });
    const kept = planned.remarks.filter(({ kind }) => kind === "kept").map(({ id }) => id);
    expect(kept).toEqual(expect.arrayContaining([group, ids.routeTable, ids.lb]));
    for (const id of [group, ids.routeTable, ids.lb]) expect(writesIn(planned)).not.toContain(`delete ${id}`);
    annotate(world, annotations.hold, "yes");
    const held = await planIn(world, { deleting: true });
    expect(held.plan.steps.map(({ action, reason }) => [action, reason])).toEqual(
      planned.plan.steps.map(() => ["refused", "DeleteBlocked"]),
    );
    annotate(world, annotations.hold, undefined);
  });

  it("finds by the tag what the spec no longer names in groups that stay", async () => {
    const world = await connected();
    const stray = `${group}/providers/Microsoft.Network/routeTables/stray`;
    seed(world, { id: stray, location: "eastus", tags: { [ownerTag]: "owned" } });
    annotate(world, annotations.keepForeign, "yes");
    expect(writesIn(await planIn(world, { deleting: true }))).toContain(`delete ${stray}`);
  });

  it("without Azure is made as if all of it existed", async () => {
    const world = await connected();
    const planned = await planIn(world, { deleting: true, openAzure: undefined });
    expect(writesIn(planned).at(-1)).toBe(`delete ${group}`);
    expect(planned.remarks[0]?.message).toContain("as if all of it existed");
  });

  it("is empty for an object that goes without our finalizer", async () => {
    const world = await connected();
    const object = world.objects.find(key)!;
    const metadata = { ...object.metadata, deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["other/one"] };
    const made = await makePlan({ ...object, metadata }, kinds.get(key.kind)!, await planningIn(world));
    expect(made).toMatchObject({ ok: true, value: { plan: { steps: [] } } });
  });
});
