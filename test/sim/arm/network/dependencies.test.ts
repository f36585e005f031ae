import { describe, expect, it } from "vitest";
import type { Json } from "../../../../src/sim/arm/json.ts";
import {
  aMachine,
  aNetwork,
  bodies,
  group,
  lbId,
  location,
  network,
  nicId,
  nsgId,
  pipId,
  subnetId,
  type TestWorld,
  vmId,
  vnetId,
} from "../aWorld.ts";

const errorOf = (answer: { readonly status: number; readonly code: string }) => `${answer.status} ${answer.code}`;
const properties = (answer: { readonly body: unknown }) =>
  (answer.body as { properties: Record<string, Json> }).properties;

describe("what is in use cannot be deleted", () => {
  const routeTable = `${network}/routeTables/rt`;
  const natGateway = `${network}/natGateways/nat`;
  const prepared = (): TestWorld => {
    const world = aNetwork();
    world.put(pipId, bodies.pip());
    world.put(natGateway, { location, sku: { name: "Standard" }, properties: { publicIpAddresses: [{ id: pipId }] } });
    world.put(nsgId, { location, properties: {} });
    world.put(routeTable, { location, properties: {} });
    world.put(
      subnetId,
      bodies.subnet("10.1.0.0/16", {
        networkSecurityGroup: { id: nsgId },
        routeTable: { id: routeTable },
        natGateway: { id: natGateway },
      }),
    );
    return world;
  };

  it.each([
    { path: nsgId, gives: "400 InUseNetworkSecurityGroupCannotBeDeleted" },
    { path: routeTable, gives: "400 InUseRouteTableCannotBeDeleted" },
    { path: natGateway, gives: "400 CannotDeleteNatGatewayAssociatedToSubnet" },
    { path: pipId, gives: "400 PublicIPAddressCannotBeDeleted" },
  ])("$path: $gives, and each can once it is let go", ({ path, gives }) => {
    const world = prepared();
    expect(errorOf(world.del(path))).toBe(gives);
    world.put(subnetId, bodies.subnet());
    if (path === pipId) world.del(natGateway);
    expect(world.del(path).status).toBe(202);
    expect(world.get(path).status).toBe(404);
  });

  it("shows who uses it", () => {
    const world = prepared();
    for (const path of [nsgId, routeTable, natGateway])
      expect(properties(world.get(path))["subnets"]).toEqual([{ id: subnetId }]);
    expect(properties(world.get(pipId))["natGateway"]).toEqual({ id: natGateway });
  });

  it("a NIC belongs to its machine until that is gone", () => {
    const world = aMachine();
    expect(errorOf(world.del(nicId))).toBe("400 NicInUse");
    expect(properties(world.get(nicId))).toMatchObject({
      virtualMachine: { id: vmId },
      primary: true,
      macAddress: expect.any(String),
    });
    world.del(vmId);
    expect(world.del(nicId).status).toBe(202);
  });

  it("the NIC of a deleted machine stays reserved for a while, on option", () => {
    const world = aMachine({ nicReservationMs: 180_000 });
    world.del(vmId);
    expect(errorOf(world.del(nicId))).toBe("400 NicReservedForAnotherVm");
    expect(errorOf(world.put(`${group}/providers/Microsoft.Compute/virtualMachines/other`, bodies.vm()))).toBe(
      "400 NicReservedForAnotherVm",
    );
    world.advance(180_000);
    expect(world.del(nicId).status).toBe(202);
  });

  it("a DNS zone waits for its links", () => {
    const world = aNetwork();
    const zone = `${network}/privateDnsZones/z.io`;
    world.put(zone, { location: "global" });
    world.put(`${zone}/virtualNetworkLinks/l`, { location: "global", properties: { virtualNetwork: { id: vnetId } } });
    expect(
      world.put(`${zone}/A/apiserver`, { properties: { ttl: 300, aRecords: [{ ipv4Address: "10.0.0.100" }] } }),
    ).toMatchObject({ status: 201, body: { properties: { fqdn: "apiserver.z.io." } } });
    expect(world.get(zone).body).toMatchObject({
      properties: { numberOfRecordSets: 2, numberOfVirtualNetworkLinks: 1 },
    });
    expect(errorOf(world.del(zone))).toBe("409 CannotDeleteResource");
    world.del(`${zone}/virtualNetworkLinks/l`);
    expect(world.del(zone).status).toBe(202);
    expect(world.get(`${zone}/A/apiserver`).status).toBe(404);
  });
});

describe("references", () => {
  it.each([
    {
      path: nicId,
      body: bodies.nic({ publicIPAddress: { id: `${network}/publicIPAddresses/none` } }),
      gives: "400 InvalidResourceReference",
    },
    {
      path: nicId,
      body: bodies.nic({ loadBalancerBackendAddressPools: [{ id: `${lbId}/backendAddressPools/none` }] }),
      gives: "400 InvalidResourceReference",
    },
    {
      path: `${network}/natGateways/n`,
      body: { location, properties: { publicIpAddresses: [{ id: `${network}/publicIPAddresses/none` }] } },
      gives: "404 NotFound",
    },
    { path: vmId, body: bodies.vm(), gives: "404 NotFound" },
  ])("to what is missing: $gives", ({ path, body, gives }) => expect(errorOf(aNetwork().put(path, body))).toBe(gives));

  it("a load balancer names its own children", () => {
    const world = aMachine();
    const pool = `${lbId}/backendAddressPools/pool`;
    expect(world.get(lbId).body).toMatchObject({
      properties: {
        frontendIPConfigurations: [
          {
            properties: {
              loadBalancingRules: [{ id: `${lbId}/loadBalancingRules/api` }],
              outboundRules: [{ id: `${lbId}/outboundRules/out` }],
            },
          },
        ],
        backendAddressPools: [
          {
            id: pool,
            properties: {
              backendIPConfigurations: [{ id: `${nicId}/ipConfigurations/ip` }],
              loadBalancingRules: [{ id: `${lbId}/loadBalancingRules/api` }],
              outboundRule: { id: `${lbId}/outboundRules/out` },
            },
          },
        ],
        probes: [{ properties: { probeThreshold: 1, loadBalancingRules: [{ id: `${lbId}/loadBalancingRules/api` }] } }],
        loadBalancingRules: [
          { properties: { backendAddressPools: [{ id: pool }], idleTimeoutInMinutes: 4, enableTcpReset: false } },
        ],
      },
    });
    expect(
      world.put(lbId, {
        ...(bodies.lb() as { properties: object }),
        properties: { ...(bodies.lb() as { properties: object }).properties, backendAddressPools: [] },
      }).code,
    ).toBe("InvalidResourceReference");
  });

  it("membership in a pool is written from the NIC, and lost with a PUT that omits it", () => {
    const world = aMachine();
    const members = () => properties(world.get(`${lbId}/backendAddressPools/pool`))["backendIPConfigurations"];
    expect(members()).toHaveLength(1);
    world.put(nicId, bodies.nic());
    expect(members()).toBeUndefined();
  });

  it("a NAT rule that a PUT of the load balancer leaves out is gone from the NIC too", () => {
    const world = aMachine();
    const natRule = `${lbId}/inboundNatRules/vm`;
    world.put(natRule, bodies.natRule(22));
    world.put(nicId, bodies.nic({ loadBalancerInboundNatRules: [{ id: natRule }] }));
    expect(properties(world.get(natRule))["backendIPConfiguration"]).toEqual({ id: `${nicId}/ipConfigurations/ip` });
    expect(errorOf(world.put(`${lbId}/inboundNatRules/other`, bodies.natRule(22)))).toBe(
      "400 RulesUseSameFrontendPortProtocolAndIPConfig",
    );
    world.put(lbId, bodies.lb());
    expect(world.get(natRule).status).toBe(404);
    expect(JSON.stringify(world.get(nicId).body)).not.toContain("inboundNatRules/vm");
  });

  it("what Azure computes is not taken from a body: sending it back uses nothing", () => {
    const world = aNetwork();
    const natGateway = `${network}/natGateways/nat`;
    world.put(pipId, bodies.pip());
    world.put(natGateway, { location, properties: { publicIpAddresses: [{ id: pipId }] } });
    world.put(pipId, world.get(pipId).body!);
    expect(properties(world.get(pipId))["natGateway"]).toEqual({ id: natGateway });
    expect(world.del(natGateway).status).toBe(202);
    expect(properties(world.get(pipId))["natGateway"]).toBeUndefined();
  });

  it("lead to the same region", () => {
    const world = aNetwork();
    const far = `${network}/networkSecurityGroups/far`;
    world.put(far, { location: "westeurope", properties: {} });
    expect(errorOf(world.put(subnetId, bodies.subnet("10.1.0.0/16", { networkSecurityGroup: { id: far } })))).toBe(
      "400 InvalidResourceReference",
    );
  });

  it("of a scale set hold its subnet, load balancer and security group", () => {
    const world = aMachine();
    world.put(nsgId, { location, properties: {} });
    world.put(`${group}/providers/Microsoft.Compute/virtualMachineScaleSets/mp`, {
      location,
      sku: { name: "Standard_D2s_v3", capacity: 0 },
      properties: {
        virtualMachineProfile: {
          networkProfile: {
            networkInterfaceConfigurations: [
              {
                name: "n",
                properties: {
                  networkSecurityGroup: { id: nsgId },
                  ipConfigurations: [
                    {
                      name: "i",
                      properties: {
                        subnet: { id: subnetId },
                        loadBalancerBackendAddressPools: [{ id: `${lbId}/backendAddressPools/pool` }],
                      },
                    },
                  ],
                },
              },
            ],
          },
        },
      },
    });
    expect(errorOf(world.del(lbId))).toBe("400 LoadBalancerInUseByVirtualMachineScaleSet");
    expect(errorOf(world.del(`${lbId}/backendAddressPools/pool`))).toBe(
      "400 LoadBalancerInUseByVirtualMachineScaleSet",
    );
    expect(errorOf(world.del(nsgId))).toBe("400 NetworkSecurityGroupInUseByVirtualMachineScaleSet");
    expect(errorOf(world.del(subnetId))).toBe("400 InUseSubnetCannotBeDeleted");
  });

  it("of a NIC go with the load balancer", () => {
    const world = aMachine();
    expect(world.del(lbId).status).toBe(202);
    expect(world.get(lbId).status).toBe(404);
    expect(JSON.stringify(world.get(nicId).body)).not.toContain("loadBalancers/lb");
  });

  it("a public address is held by one resource at a time", () => {
    const world = aMachine();
    expect(errorOf(world.put(nicId, bodies.nic({ publicIPAddress: { id: pipId } })))).toBe("400 PublicIPAddressInUse");
    expect(properties(world.get(pipId))["ipConfiguration"]).toEqual({ id: `${lbId}/frontendIPConfigurations/front` });
  });
});
