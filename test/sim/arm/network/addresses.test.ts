import { describe, expect, it } from "vitest";
import type { Json } from "../../../../src/sim/arm/json.ts";
import { aGroup, aMachine, aNetwork, bodies, location, network, nicId, pipId, subnetId, vnetId } from "../aWorld.ts";

const errorOf = (answer: { readonly status: number; readonly code: string }) => `${answer.status} ${answer.code}`;
const properties = (answer: { readonly body: unknown }) =>
  (answer.body as { properties: Record<string, Json> }).properties;

describe("addresses", () => {
  it("are given out from the fifth of the subnet on, kept, and freed", () => {
    const world = aNetwork();
    const addressOf = (id: string) =>
      (properties(world.get(id))["ipConfigurations"] as { properties: { privateIPAddress: string } }[])[0]!.properties
        .privateIPAddress;
    const other = `${network}/networkInterfaces/other`;
    world.put(nicId, bodies.nic());
    world.put(other, bodies.nic());
    expect([addressOf(nicId), addressOf(other)]).toEqual(["10.1.0.4", "10.1.0.5"]);
    world.put(nicId, { ...(bodies.nic() as object), tags: { a: "1" } });
    expect(addressOf(nicId)).toBe("10.1.0.4");
    world.del(nicId);
    world.put(`${network}/networkInterfaces/third`, bodies.nic());
    expect(addressOf(`${network}/networkInterfaces/third`)).toBe("10.1.0.4");
  });

  it.each([
    { privateIPAddress: "10.2.0.9", gives: "400 PrivateIPAddressNotInSubnet" },
    { privateIPAddress: "10.1.0.3", gives: "400 PrivateIPAddressInReservedRange" },
    { privateIPAddress: "10.1.0.4", gives: "400 PrivateIPAddressIsAllocated" },
  ])("$privateIPAddress: $gives", ({ privateIPAddress, gives }) => {
    const world = aMachine();
    expect(
      errorOf(
        world.put(
          `${network}/networkInterfaces/other`,
          bodies.nic({ privateIPAddress, privateIPAllocationMethod: "Static" }),
        ),
      ),
    ).toBe(gives);
  });

  it("run out with the subnet", () => {
    const world = aGroup();
    world.put(vnetId, bodies.vnet());
    world.put(subnetId, bodies.subnet("10.1.0.0/29"));
    const statuses = ["a", "b", "c", "d"].map((name) =>
      errorOf(world.put(`${network}/networkInterfaces/${name}`, bodies.nic())),
    );
    expect(statuses).toEqual(["201 ", "201 ", "201 ", "400 SubnetIsFull"]);
  });

  it("a public address gets its name and number; a name is taken once", () => {
    const world = aGroup();
    world.put(pipId, bodies.pip({ dnsSettings: { domainNameLabel: "Demo" } }));
    expect(properties(world.get(pipId))).toMatchObject({
      ipAddress: expect.stringMatching(/^198\.18\./),
      dnsSettings: { fqdn: "demo.eastus.cloudapp.azure.com" },
      idleTimeoutInMinutes: 4,
      ipTags: [],
    });
    expect(
      errorOf(world.put(`${network}/publicIPAddresses/b`, bodies.pip({ dnsSettings: { domainNameLabel: "demo" } }))),
    ).toBe("400 DnsRecordInUse");
  });

  it("there is a limit on public addresses, on option", () => {
    const world = aGroup({ quotas: { publicIps: 1 } });
    world.put(pipId, bodies.pip());
    expect(errorOf(world.put(`${network}/publicIPAddresses/b`, bodies.pip()))).toBe("400 PublicIPCountLimitReached");
    expect(world.put(pipId, bodies.pip()).status).toBe(200);
  });
});

describe("bastion hosts and private endpoints", () => {
  it("a bastion host wants its own subnet, and calls its configurations by another name", () => {
    const world = aNetwork();
    const bastion = `${network}/bastionHosts/b`;
    const body = (subnet: string): Json => ({
      location,
      properties: {
        ipConfigurations: [{ name: "c", properties: { subnet: { id: subnet }, publicIPAddress: { id: pipId } } }],
      },
    });
    world.put(pipId, bodies.pip());
    world.put(`${vnetId}/subnets/AzureBastionSubnet`, bodies.subnet("10.255.0.0/26"));
    expect(errorOf(world.put(bastion, body(subnetId)))).toBe("400 InvalidParameter");
    world.put(bastion, body(`${vnetId}/subnets/AzureBastionSubnet`));
    expect(world.get(bastion).body).toMatchObject({
      sku: { name: "Basic" },
      properties: { scaleUnits: 2, ipConfigurations: [{ id: `${bastion}/bastionHostIpConfigurations/c` }] },
    });
  });

  it("a private endpoint brings its NIC, and takes it away", () => {
    const world = aNetwork();
    const endpoint = `${network}/privateEndpoints/pe`;
    world.put(endpoint, {
      location,
      properties: {
        subnet: { id: subnetId },
        privateLinkServiceConnections: [
          {
            name: "c",
            properties: {
              privateLinkServiceId: "/subscriptions/x/resourceGroups/y/providers/Microsoft.Storage/storageAccounts/z",
            },
          },
        ],
      },
    });
    const nic = `${network}/networkInterfaces/pe.nic`;
    expect(properties(world.get(endpoint))).toMatchObject({
      networkInterfaces: [{ id: nic }],
      privateLinkServiceConnections: [{ properties: { privateLinkServiceConnectionState: { status: "Approved" } } }],
    });
    expect(properties(world.get(nic))["ipConfigurations"]).toMatchObject([
      { properties: { privateIPAddress: "10.1.0.4" } },
    ]);
    expect(properties(world.get(subnetId))["privateEndpoints"]).toEqual([{ id: endpoint }]);
    expect(errorOf(world.del(subnetId))).toBe("400 InUseSubnetCannotBeDeleted");
    world.del(endpoint);
    expect(world.get(nic).status).toBe(404);
  });
});
