import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/types.ts";
import { applyDefaultCluster, conditionsOf, createWorld, type World } from "../support/world.ts";

const key = { kind: "AzureCluster", namespace: "default", name: "c1" };
const withSpec = (world: World, change: (spec: JsonObject) => JsonObject): void =>
  void world.objects.edit(key, (object) => ({ ...object, spec: change(object.spec) }));
const network = (spec: JsonObject, more: JsonObject): JsonObject => ({
  ...spec,
  networkSpec: { ...(spec["networkSpec"] as JsonObject), ...more },
});

describe("a part that this build does not make", () => {
  it.each([
    {
      part: "a bastion",
      condition: "BastionHostReady",
      change: (spec: JsonObject): JsonObject => ({ ...spec, bastionSpec: { azureBastion: {} } }),
    },
    {
      part: "a peering",
      condition: "VnetPeeringReady",
      change: (spec: JsonObject): JsonObject =>
        network(spec, { vnet: { name: "c1-vnet", peerings: [{ remoteVnetName: "hub", resourceGroup: "hub" }] } }),
    },
    {
      part: "a private zone",
      condition: "PrivateDNSZoneReady",
      change: (spec: JsonObject): JsonObject => network(spec, { apiServerLB: { type: "Internal" } }),
    },
  ])("$part keeps the cluster from being ready, and says which field asks for it", async ({ condition, change }) => {
    const world = createWorld();
    applyDefaultCluster(world);
    withSpec(world, change);
    await world.run();
    const object = world.objects.find(key);
    expect(conditionsOf(object)[condition]).toMatchObject({
      status: "False",
      reason: "NotInThisBuild",
      message: expect.stringMatching(/^spec\./),
    });
    expect(conditionsOf(object)["Ready"]).toMatchObject({ status: "False" });
    expect(object?.status["ready"]).toBeUndefined();
  });

  it("is forgotten when the spec no longer asks for it", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    withSpec(world, (spec) => ({ ...spec, bastionSpec: { azureBastion: {} } }));
    await world.run();
    withSpec(world, (spec) => ({ ...spec, bastionSpec: {} }));
    await world.run();
    expect(conditionsOf(world.objects.find(key))["BastionHostReady"]).toBeUndefined();
    expect(conditionsOf(world.objects.find(key))["Ready"]).toMatchObject({ status: "True" });
  });
});
