import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/sim/arm/json.ts";
import { aMachine, aNetwork, aWorld, bodies, compute, nicId, subscription, vmId, vnetId } from "./aWorld.ts";

const valuesOf = (answer: { readonly body: unknown }) =>
  (answer.body as { value: { name: string; id: string }[] }).value;
const sub = `/subscriptions/${subscription}`;

describe("catalogues", () => {
  it("SKUs have zones, capabilities and restrictions; a region without zones has none", () => {
    const skus = (region: string) =>
      valuesOf(
        aWorld({ pageSize: 1_000 }).get(`${sub}/providers/Microsoft.Compute/skus?$filter=location eq '${region}'`),
      ) as unknown as {
        name: string;
        resourceType: string;
        locationInfo: { zones: string[] }[];
        restrictions: Json[];
        capabilities: { name: string; value: string }[];
      }[];
    const machine = (region: string, name: string) => skus(region).find((sku) => sku.name === name);
    expect(machine("eastus", "Standard_D2s_v3")?.locationInfo[0]?.zones).toEqual(["1", "2", "3"]);
    expect(machine("westus", "Standard_D2s_v3")?.locationInfo[0]?.zones).toEqual([]);
    expect(machine("eastus", "Standard_D2s_v3")?.capabilities).toContainEqual({ name: "vCPUs", value: "2" });
    expect(machine("westus", "Standard_D2ps_v5")?.restrictions).toHaveLength(1);
    expect(skus("eastus").find((sku) => sku.name === "Aligned")?.capabilities).toContainEqual({
      name: "MaximumPlatformFaultDomainCount",
      value: "3",
    });
  });

  it.each([
    { path: `${sub}/locations`, shows: "eastus" },
    { path: `${sub}/providers/Microsoft.Network/locations/eastus/usages`, shows: "PublicIPAddresses" },
    { path: `${sub}/providers/Microsoft.Network/locations/eastus/serviceTags`, shows: "AzureLoadBalancer" },
    { path: `${sub}/providers/Microsoft.Compute/locations/eastus/usages`, shows: "standardDSv3Family" },
    {
      path: `${sub}/providers/Microsoft.Compute/locations/eastus/publishers/p/artifacttypes/vmimage/offers/o/skus/s/versions`,
      shows: "133.4.20250820",
    },
    {
      path: `${sub}/providers/Microsoft.Compute/locations/eastus/communityGalleries/g/images/i/versions`,
      shows: "1.33.4",
    },
    { path: `${sub}/providers/Microsoft.ContainerService/locations/eastus/kubernetesVersions`, shows: "1.33.4" },
    { path: `${sub}/providers/Microsoft.Network`, shows: "Registered" },
    { path: sub, shows: "Enabled" },
  ])("$path shows $shows", ({ path, shows }) => {
    const answer = aWorld().get(path);
    expect(answer.status).toBe(200);
    expect(JSON.stringify(answer.body)).toContain(shows);
  });

  it("usages count what there is", () => {
    const world = aMachine();
    const usages = valuesOf(world.get(`${sub}/providers/Microsoft.Network/locations/eastus/usages`)) as unknown as {
      currentValue: number;
      name: { value: string };
    }[];
    expect(usages.find(({ name }) => name.value === "LoadBalancers")?.currentValue).toBe(1);
    const cores = valuesOf(world.get(`${sub}/providers/Microsoft.Compute/locations/eastus/usages`)) as unknown as {
      currentValue: number;
      name: { value: string };
    }[];
    expect(cores.find(({ name }) => name.value === "cores")?.currentValue).toBe(2);
  });

  it.each([
    { ipAddress: "10.1.0.4", gives: { available: false, availableIPAddresses: ["10.1.0.5"] } },
    { ipAddress: "10.1.0.9", gives: { available: true, availableIPAddresses: [] } },
    { ipAddress: "192.168.0.1", gives: { available: false, availableIPAddresses: [] } },
  ])("address $ipAddress", ({ ipAddress, gives }) => {
    const world = aNetwork();
    world.put(nicId, bodies.nic());
    expect(world.get(`${vnetId}/CheckIPAddressAvailability?ipAddress=${ipAddress}`).body).toEqual(gives);
  });

  it("health is known for what exists", () => {
    const world = aMachine();
    const health = (id: string) => world.get(`${id}/providers/Microsoft.ResourceHealth/availabilityStatuses/current`);
    expect(health(vmId).body).toMatchObject({ properties: { availabilityState: "Available" } });
    expect(health(`${compute}/virtualMachines/none`).status).toBe(404);
  });
});
