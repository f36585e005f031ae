import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/core/types.ts";
import { bodyOf, group, ids, key, mutate, seed, settledCluster, subscription } from "../../support/defaultCluster.ts";
import { lookAgain } from "../../support/turns.ts";
import { applyDefaultCluster, conditionsOf, createWorld } from "../../support/world.ts";

const hour = 60 * 60_000;
const propertiesOf = (body: JsonObject): JsonObject => body["properties"] as JsonObject;
const withProperties = (body: JsonObject, more: JsonObject): JsonObject => ({
  ...body,
  properties: { ...propertiesOf(body), ...more },
});

/** A subnet as its network holds it. */
const subnetOf = (network: JsonObject, name: string): JsonObject => {
  const subnets = propertiesOf(network)["subnets"] as readonly JsonObject[];
  return propertiesOf(subnets.find((one) => one["name"] === name)!);
};

describe("what others put into our network", () => {
  it("A55: no write of ours detaches a gateway from a subnet, as upstream's whole-body PUT does", async () => {
    const world = await settledCluster();
    const theirs = `${group}/providers/Microsoft.Network/natGateways/theirs`;
    seed(world, { id: theirs, location: "eastus", sku: { name: "Standard" }, properties: {} });
    mutate(world, ids.controlPlaneSubnet, (body) => withProperties(body, { natGateway: { id: theirs } }));
    const before = world.writes().length;
    // The subnet gets something new from the spec, so that its whole document goes out.
    world.objects.edit(key, (object) => ({
      ...object,
      spec: {
        ...object.spec,
        networkSpec: {
          vnet: { name: "c1-vnet" },
          subnets: [
            {
              name: "control-plane-subnet",
              role: "control-plane",
              serviceEndpoints: [{ service: "Microsoft.Storage", locations: ["eastus"] }],
            },
            { name: "node-subnet", role: "node" },
          ],
        },
      },
    }));
    await world.run(hour);
    expect(
      world
        .writes()
        .slice(before)
        .map(({ path }) => path),
    ).toEqual([ids.controlPlaneSubnet]);
    const subnet = subnetOf(bodyOf(world, ids.vnet), "control-plane-subnet");
    // Upstream's value here: none.
    expect(subnet["natGateway"]).toMatchObject({ id: expect.stringContaining("natGateways/theirs") });
    expect(subnet["networkSecurityGroup"]).toMatchObject({ id: expect.stringContaining("c1-controlplane-nsg") });
    expect(subnet["serviceEndpoints"]).toHaveLength(1);
  });

  it("A53: a pool of the cloud provider's stays in a load balancer that is written again", async () => {
    const world = await settledCluster();
    const poolsOf = (): readonly JsonObject[] =>
      propertiesOf(bodyOf(world, ids.lb))["backendAddressPools"] as readonly JsonObject[];
    const ours = poolsOf().length;
    mutate(world, ids.lb, (body) =>
      withProperties(body, {
        backendAddressPools: [...poolsOf(), { name: "kubernetes", properties: {} }],
        loadBalancingRules: [],
      }),
    );
    const before = world.writes().length;
    await lookAgain(world);
    expect(
      world
        .writes()
        .slice(before)
        .map(({ path }) => path),
    ).toEqual([ids.lb]);
    expect(poolsOf().map(({ name }) => name)).toContain("kubernetes");
    // Upstream: as many as it knows, and the service's rules point to nothing.
    expect(poolsOf()).toHaveLength(ours + 1);
  });
});

describe("a network that was brought along", () => {
  it("A80: has its ranges in no spec, and no default range takes their place", async () => {
    const world = createWorld();
    const net = `${subscription}/resourceGroups/net-rg`;
    const vnet = `${net}/providers/Microsoft.Network/virtualNetworks/shared`;
    const ranges = { "control-plane-subnet": "10.7.0.0/24", "node-subnet": "10.7.1.0/24" };
    seed(
      world,
      { id: net, location: "eastus" },
      { id: vnet, location: "eastus", properties: { addressSpace: { addressPrefixes: ["10.7.0.0/16"] }, subnets: [] } },
      ...Object.entries(ranges).map(([name, addressPrefix]) => ({
        id: `${vnet}/subnets/${name}`,
        properties: { addressPrefix },
      })),
    );
    applyDefaultCluster(world);
    const networkSpec = {
      vnet: { name: "shared", resourceGroup: "net-rg" },
      subnets: [
        { name: "control-plane-subnet", role: "control-plane" },
        { name: "node-subnet", role: "node" },
      ],
    };
    world.objects.edit(key, (object) => ({ ...object, spec: { ...object.spec, networkSpec } }));
    await world.run(hour);
    // Upstream: 10.0.0.0/16 and 10.1.0.0/16 in the spec, and each later patch refused as a change of what must not change.
    expect(world.objects.find(key)?.spec["networkSpec"]).toEqual(networkSpec);
    expect(JSON.stringify(bodyOf(world, vnet))).not.toMatch(/10\.[01]\.0\.0\/16/);
    for (const [name, range] of Object.entries(ranges))
      expect(JSON.stringify(subnetOf(bodyOf(world, vnet), name))).toContain(range);
    expect(conditionsOf(world.objects.find(key))["SubnetsReady"]).toMatchObject({ status: "True" });
  });
});
