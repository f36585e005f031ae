import { describe, expect, it } from "vitest";
import { applyDefaultCluster, conditionsOf, createWorld } from "../support/world.ts";

describe("a cluster of the default template", () => {
  it("is created with one PUT a resource and becomes ready", async () => {
    const world = createWorld();
    const key = applyDefaultCluster(world);
    await world.run();
    const object = world.objects.find(key);
    expect(conditionsOf(object)["Ready"]).toMatchObject({ status: "True" });
    expect(object?.spec["controlPlaneEndpoint"]).toEqual({
      // FNV-1a-32 of "00000000-0000-4000-8000-000000000001/c1/pip-c1-apiserver" (fact sheet 3.3).
      host: "c1-30dc860e.eastus.cloudapp.azure.com",
      port: 6443,
    });
    expect(object?.metadata.finalizers).toEqual(["azurecluster.infrastructure.cluster.x-k8s.io"]);
    expect(
      world
        .writes()
        .map(({ method, path }) => `${method} ${path.split("/").slice(5).join("/")}`)
        .toSorted(),
    ).toEqual([
      "PUT ",
      "PUT providers/Microsoft.Network/loadBalancers/c1-public-lb",
      "PUT providers/Microsoft.Network/natGateways/c1-node-natgw-1",
      "PUT providers/Microsoft.Network/networkSecurityGroups/c1-controlplane-nsg",
      "PUT providers/Microsoft.Network/networkSecurityGroups/c1-node-nsg",
      "PUT providers/Microsoft.Network/publicIPAddresses/pip-c1-apiserver",
      "PUT providers/Microsoft.Network/publicIPAddresses/pip-c1-node-natgw-1",
      "PUT providers/Microsoft.Network/routeTables/c1-node-routetable",
      "PUT providers/Microsoft.Network/virtualNetworks/c1-vnet",
      "PUT providers/Microsoft.Network/virtualNetworks/c1-vnet/subnets/control-plane-subnet",
      "PUT providers/Microsoft.Network/virtualNetworks/c1-vnet/subnets/node-subnet",
    ]);
  });

  it("takes at most 1.5 reads and polls a write", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    await world.run();
    const writes = world.writes().length;
    expect(world.requests().length - writes).toBeLessThanOrEqual(1.5 * writes);
  });

  it("costs nothing once settled: no call to Azure, no new resourceVersion", async () => {
    const world = createWorld();
    const key = applyDefaultCluster(world);
    await world.run();
    const before = { requests: world.requests().length, version: world.objects.find(key)?.metadata.resourceVersion };
    await world.run(6 * 3_600_000);
    expect({ requests: world.requests().length, version: world.objects.find(key)?.metadata.resourceVersion }).toEqual(
      before,
    );
  });

  it("is deleted whole, and nothing of it stays in the tables", async () => {
    const world = createWorld();
    const key = applyDefaultCluster(world);
    await world.run();
    world.objects.remove(key);
    await world.run();
    expect(world.objects.find(key)).toBeUndefined();
    expect([...world.arm.resources.keys()]).toEqual([]);
    expect(world.tables.rows("state")).toEqual([]);
    expect(world.tables.rows("index")).toEqual([]);
  });
});
