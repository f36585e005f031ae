import { describe, expect, it } from "vitest";
import type { Offering } from "../../src/core/types.ts";
import { mutate } from "../support/defaultCluster.ts";
import { applyTestThing, testKinds } from "../support/testServices/testKind.ts";
import type { Wishes } from "../support/testServices/wish.ts";
import { conditionsOf, createWorld, type World } from "../support/world.ts";

const minute = 60_000;
const hour = 60 * minute;
const d: Offering = { region: "eastus", zone: "1", family: "standardDSv3Family", priority: "regular" };

const pool = (size: string, offering: Offering): Wishes => ({
  testScaleSets: {
    vmss: {
      body: {
        sku: { name: size, capacity: 1 },
        properties: { orchestrationMode: "Uniform", virtualMachineProfile: {} },
      },
      offering,
    },
  },
});

const putsOf = (world: World, name: string): readonly number[] =>
  world.arm.requests
    .filter(
      ({ method, path }) => method === "PUT" && path.includes(`/resourceGroups/${name}/providers/Microsoft.Compute`),
    )
    .map(({ at }) => Date.parse(at));
const said = (world: World, name: string) =>
  conditionsOf(world.objects.find({ kind: "TestThing", namespace: "default", name }))["TestScaleSetsReady"];

const outOfStock = (world: World, code: string, times = 999): void =>
  void world.arm.faults.push({
    rule: {
      match: { method: "PUT", path: "virtualMachineScaleSets", times },
      fault: { kind: "respond", status: 409, code, message: "no room" },
    },
    seen: 0,
  });

describe("a family of sizes that is out of stock", () => {
  it("A68: is not tried size by size: the second size of the family waits without a request", async () => {
    const world = createWorld({}, testKinds);
    outOfStock(world, "ZonalAllocationFailed");
    applyTestThing(world, pool("Standard_D2s_v3", d), "a");
    await world.run(minute);
    expect(putsOf(world, "a")).toHaveLength(1);
    applyTestThing(world, pool("Standard_D4s_v3", d), "b");
    await world.run(minute);
    expect(putsOf(world, "b")).toEqual([]);
    expect(said(world, "b")).toMatchObject({
      status: "False",
      message: expect.stringContaining("ZonalAllocationFailed"),
    });
    // Both together as slowly as one: 3, 6, 12, 24 min.
    await world.run(hour);
    expect(putsOf(world, "a").length + putsOf(world, "b").length).toBeLessThanOrEqual(7);
    world.arm.faults = [];
    await world.run(hour);
    expect(said(world, "a")).toMatchObject({ status: "True" });
    expect(said(world, "b")).toMatchObject({ status: "True" });
    expect(world.tables.rows("shared").filter(({ row }) => row.startsWith("offering~"))).toEqual([]);
  });

  it("is told by the end of an operation as well", async () => {
    const world = createWorld({}, testKinds);
    const fault = { kind: "failOperation", code: "AllocationFailed", message: "no room" } as const;
    world.arm.faults.push({ rule: { match: { method: "PUT", path: "virtualMachineScaleSets" }, fault }, seen: 0 });
    applyTestThing(world, pool("Standard_D2s_v3", d), "a");
    await world.run(minute);
    applyTestThing(world, pool("Standard_D4s_v3", d), "b");
    await world.run(minute);
    expect(putsOf(world, "b")).toEqual([]);
    await world.run(hour);
    expect(said(world, "b")).toMatchObject({ status: "True" });
  });

  it.each<{ readonly other: string; readonly offering: Offering }>([
    { other: "zone", offering: { ...d, zone: "2" } },
    { other: "priority", offering: { ...d, priority: "spot" } },
    { other: "family", offering: { ...d, family: "standardESv3Family" } },
    { other: "region", offering: { ...d, region: "westus2" } },
  ])("does not hold back another $other", async ({ offering }) => {
    const world = createWorld({}, testKinds);
    outOfStock(world, "AllocationFailed", 1);
    applyTestThing(world, pool("Standard_D2s_v3", d), "a");
    await world.run(minute);
    applyTestThing(world, pool("Standard_D2s_v3", offering), "b");
    await world.run(minute);
    expect(putsOf(world, "b")).toHaveLength(1);
    expect(said(world, "b")).toMatchObject({ status: "True" });
  });

  it("A72: an image that does not exist costs a few writes an hour and says so", async () => {
    const world = createWorld({}, testKinds);
    const fault = { kind: "respond", status: 404, code: "PlatformImageNotFound", message: "not available" } as const;
    world.arm.faults.push({
      rule: { match: { method: "PUT", path: "virtualMachineScaleSets", times: 999 }, fault },
      seen: 0,
    });
    applyTestThing(world, pool("Standard_D2s_v3", d), "a");
    await world.run(hour);
    expect(putsOf(world, "a").length).toBeLessThanOrEqual(4);
    expect(said(world, "a")).toMatchObject({
      reason: "Failed",
      message: expect.stringContaining("does not exist in this region"),
    });
    world.arm.faults = [];
  });
});

describe("a cluster of Azure Kubernetes Service that is being updated", () => {
  it("A30: is not written, however long it takes; today each PUT is refused with 409", async () => {
    const wishes = (version: string): Wishes => ({
      testClusters: { aks: { body: { properties: { dnsPrefix: "aks", kubernetesVersion: version } } } },
    });
    const world = createWorld({}, testKinds);
    applyTestThing(world, wishes("1.30.0"), "a");
    await world.run(hour);
    const id = [...world.arm.resources.keys()].find((one) => one.endsWith("/managedclusters/aks"))!;
    const state = (provisioningState: string) =>
      mutate(world, id, (body) => ({ ...body, properties: { ...(body["properties"] as object), provisioningState } }));
    state("Updating");
    const writes = world.writes().length;
    applyTestThing(world, wishes("1.30.4"), "a");
    await world.run(40 * minute);
    expect(world.writes().length).toBe(writes);
    expect(world.requests().filter(({ status }) => status === 409)).toEqual([]);
    state("Succeeded");
    await world.run(hour);
    expect(world.writes().length).toBe(writes + 1);
  });
});
