import { describe, expect, it } from "vitest";
import { conditionsOf, createWorld } from "../world.ts";
import { applyTestThing, testKinds } from "./testKind.ts";
import type { Wishes } from "./wish.ts";

const wishes: Wishes = {
  testNetworks: { net: { body: { properties: { addressSpace: { addressPrefixes: ["10.0.0.0/8"] } } } } },
  testSecurityGroups: { nsg: { body: { properties: {} } } },
  testClusters: { aks: { body: { properties: { dnsPrefix: "aks", kubernetesVersion: "1.30.0" } } } },
  testPools: { "aks/user": { body: { properties: { vmSize: "Standard_D2s_v3", count: 2 } } } },
  testScaleSets: {
    vmss: {
      body: {
        sku: { name: "Standard_D2s_v3", capacity: 1 },
        properties: { orchestrationMode: "Uniform", virtualMachineProfile: {} },
      },
    },
  },
};

describe("the test kind", () => {
  it("is driven by the whole engine, settles and goes", async () => {
    const world = createWorld({}, testKinds);
    const key = applyTestThing(world, wishes);
    await world.run(60 * 60_000);
    expect(conditionsOf(world.objects.find(key))["TestReady"]).toMatchObject({ status: "True" });
    expect(world.writes()).toHaveLength(6);
    world.objects.remove(key);
    await world.run(60 * 60_000);
    expect(world.objects.find(key)).toBeUndefined();
    expect([...world.arm.resources.keys()].filter((id) => id.includes("/resourcegroups/t1"))).toEqual([]);
  });
});
