import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/sim/arm/json.ts";
import {
  aGroup,
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
} from "./aWorld.ts";

const errorOf = (answer: { readonly status: number; readonly code: string }) => `${answer.status} ${answer.code}`;
const properties = (answer: { readonly body: unknown }) =>
  (answer.body as { properties: Record<string, Json> }).properties;
const names = (list: Json | undefined) => (list as { name: string }[]).map(({ name }) => name);

describe("virtual networks and their subnets", () => {
  it("a subnet inline and by its own URL are one object", () => {
    const world = aGroup();
    world.put(vnetId, {
      location,
      properties: {
        addressSpace: { addressPrefixes: ["10.0.0.0/8"] },
        subnets: [{ name: "node", properties: { addressPrefix: "10.1.0.0/16" } }],
      },
    });
    expect(world.get(subnetId).body).toMatchObject({
      id: subnetId,
      type: "Microsoft.Network/virtualNetworks/subnets",
      properties: { addressPrefix: "10.1.0.0/16" },
    });
    world.put(subnetId, bodies.subnet("10.2.0.0/16"));
    expect(properties(world.get(vnetId))["subnets"]).toMatchObject([
      { name: "node", properties: { addressPrefix: "10.2.0.0/16" } },
    ]);
    expect(world.get(`${vnetId}/subnets`).body).toMatchObject({ value: [{ name: "node" }] });
    world.del(subnetId);
    expect(properties(world.get(vnetId))["subnets"]).toEqual([]);
  });

  it.each([
    { when: "a PUT leaves the list out", apiVersion: "2023-11-01", subnets: undefined, left: ["node"] },
    { when: "an old api-version leaves the list out", apiVersion: "2021-08-01", subnets: undefined, left: [] },
    {
      when: "a PUT names one other",
      apiVersion: "2025-09-01",
      subnets: [{ name: "b", properties: { addressPrefix: "10.9.0.0/16" } }],
      left: ["b"],
    },
    { when: "a PUT names none", apiVersion: "2025-09-01", subnets: [], left: [] },
  ])("$when: $left remain", ({ apiVersion, subnets, left }) => {
    const world = aNetwork();
    world.put(
      vnetId,
      {
        location,
        properties: {
          addressSpace: { addressPrefixes: ["10.0.0.0/8"] },
          ...(subnets === undefined ? {} : { subnets }),
        },
      },
      { apiVersion },
    );
    expect(names(properties(world.get(vnetId))["subnets"])).toEqual(left);
  });

  it.each([
    { when: "outside of the address space", prefix: "192.168.0.0/24", gives: "400 NetcfgInvalidSubnet" },
    { when: "overlapping another", prefix: "10.1.128.0/24", gives: "400 NetcfgSubnetRangesOverlap" },
    { when: "with host bits", prefix: "10.2.0.1/16", gives: "400 InvalidCIDRNotation" },
    { when: "that is none", prefix: "ten", gives: "400 InvalidCIDRNotation" },
  ])("a prefix $when: $gives", ({ prefix, gives }) =>
    expect(errorOf(aNetwork().put(`${vnetId}/subnets/other`, bodies.subnet(prefix)))).toBe(gives),
  );

  it("a subnet in use is neither deleted, left out, nor re-addressed", () => {
    const world = aMachine();
    expect(errorOf(world.del(subnetId))).toBe("400 InUseSubnetCannotBeDeleted");
    expect(errorOf(world.del(vnetId))).toBe("400 InUseSubnetCannotBeDeleted");
    expect(
      errorOf(
        world.put(vnetId, { location, properties: { addressSpace: { addressPrefixes: ["10.0.0.0/8"] }, subnets: [] } }),
      ),
    ).toBe("400 InUseSubnetCannotBeDeleted");
    expect(errorOf(world.put(subnetId, bodies.subnet("10.7.0.0/16")))).toBe("400 InUsePrefixCannotBeDeleted");
    expect(properties(world.get(subnetId))["ipConfigurations"]).toEqual([{ id: `${nicId}/ipConfigurations/ip` }]);
  });

  it.each([
    { subnetPrefixes: "asSent", gives: { addressPrefix: "10.1.0.0/16", addressPrefixes: undefined } },
    { subnetPrefixes: "list", gives: { addressPrefix: undefined, addressPrefixes: ["10.1.0.0/16"] } },
    { subnetPrefixes: "both", gives: { addressPrefix: "10.1.0.0/16", addressPrefixes: ["10.1.0.0/16"] } },
    { subnetPrefixes: "single", gives: { addressPrefix: "10.1.0.0/16", addressPrefixes: undefined } },
  ] as const)("one prefix comes back as option $subnetPrefixes says", ({ subnetPrefixes, gives }) => {
    const { addressPrefix, addressPrefixes } = properties(aNetwork({ subnetPrefixes }).get(subnetId)) as Record<
      string,
      Json
    >;
    expect({ addressPrefix, addressPrefixes }).toEqual(gives);
  });

  it("a child needs its parent", () => {
    const world = aGroup();
    expect(errorOf(world.put(subnetId, bodies.subnet()))).toBe("404 ParentResourceNotFound");
    expect(errorOf(world.put(`${vmId}/extensions/e`, { location, properties: {} }))).toBe("404 ParentResourceNotFound");
    expect(errorOf(world.get(`${vnetId}/subnets`))).toBe("404 ParentResourceNotFound");
  });
});

describe("etags and conditions", () => {
  it.each([
    { when: "If-Match is current", path: vnetId, header: "if-match", stale: false, gives: 200 },
    { when: "If-Match is stale", path: vnetId, header: "if-match", stale: true, gives: 412 },
    { when: "If-Match of a child is current", path: subnetId, header: "if-match", stale: false, gives: 200 },
    { when: "If-Match of a child is stale", path: subnetId, header: "if-match", stale: true, gives: 412 },
  ])("$when: $gives", ({ path, header, stale, gives }) => {
    const world = aNetwork();
    const etag = stale ? 'W/"00000000-0000-0000-0000-000000000000"' : world.get(path).headers["etag"]!;
    const body = path === vnetId ? { ...(bodies.vnet() as object), tags: { a: "1" } } : bodies.subnet("10.3.0.0/16");
    expect(world.put(path, body, { headers: { [header]: etag } }).status).toBe(gives);
  });

  it("If-None-Match * makes a PUT a creation, If-Match * an update", () => {
    const world = aNetwork();
    expect(world.put(vnetId, bodies.vnet(), { headers: { "if-none-match": "*" } })).toMatchObject({
      status: 412,
      code: "PreconditionFailed",
    });
    expect(
      world.put(`${network}/virtualNetworks/new`, bodies.vnet(), { headers: { "if-none-match": "*" } }).status,
    ).toBe(201);
    expect(world.put(`${network}/virtualNetworks/none`, bodies.vnet(), { headers: { "if-match": "*" } }).status).toBe(
      412,
    );
    expect(world.del(vnetId, { headers: { "if-match": 'W/"x"' } }).status).toBe(412);
  });
});

describe("network security groups", () => {
  const nsg = (...rules: Json[]): Json => ({ location, properties: { securityRules: rules } });
  const rule = (name: string, priority: number, more: Record<string, Json> = {}): Json => ({
    name,
    properties: bodies.rule(priority, more),
  });

  it("fills rules, adds the default ones, and shows a rule under its own URL", () => {
    const world = aGroup();
    world.put(nsgId, nsg(rule("ssh", 2200)));
    const got = properties(world.get(nsgId));
    expect(got["securityRules"]).toMatchObject([
      {
        name: "ssh",
        id: `${nsgId}/securityRules/ssh`,
        etag: expect.any(String),
        properties: { provisioningState: "Succeeded", sourcePortRanges: [], destinationAddressPrefixes: [] },
      },
    ]);
    expect(names(got["defaultSecurityRules"])).toContain("DenyAllInBound");
    world.put(`${nsgId}/securityRules/api`, { properties: bodies.rule(2201, { destinationPortRange: "6443" }) });
    expect(names(properties(world.get(nsgId))["securityRules"])).toEqual(["ssh", "api"]);
  });

  it("does none of that when defaults are off", () => {
    const world = aGroup({ defaults: "none" });
    world.put(nsgId, nsg(rule("ssh", 2200)));
    const got = properties(world.get(nsgId));
    expect(got["defaultSecurityRules"]).toBeUndefined();
    expect(got["securityRules"]).toEqual([
      expect.objectContaining({ properties: { ...(bodies.rule(2200) as object), provisioningState: "Succeeded" } }),
    ]);
  });

  it.each([
    {
      when: "priority and direction are taken",
      body: nsg(rule("a", 100), rule("b", 100)),
      gives: "400 SecurityRuleConflict",
    },
    { when: "a priority is out of range", body: nsg(rule("a", 99)), gives: "400 SecurityRuleInvalidPriority" },
    { when: "two rules have one name", body: nsg(rule("a", 100), rule("A", 101)), gives: "400 DuplicateResourceName" },
    {
      when: "a rule names one and many",
      body: nsg(rule("a", 100, { destinationPortRanges: ["80"] })),
      gives: "400 SecurityRuleParameterConflict",
    },
  ])("$when: $gives", ({ body, gives }) => expect(errorOf(aGroup().put(nsgId, body))).toBe(gives));

  it("the same priority in the other direction is fine, by rule URL it conflicts too", () => {
    const world = aGroup();
    expect(world.put(nsgId, nsg(rule("a", 100), rule("b", 100, { direction: "Outbound" }))).status).toBe(201);
    expect(errorOf(world.put(`${nsgId}/securityRules/c`, { properties: bodies.rule(100) }))).toBe(
      "400 SecurityRuleConflict",
    );
  });
});

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

  it("a public address is held by one resource at a time", () => {
    const world = aMachine();
    expect(errorOf(world.put(nicId, bodies.nic({ publicIPAddress: { id: pipId } })))).toBe("400 PublicIPAddressInUse");
    expect(properties(world.get(pipId))["ipConfiguration"]).toEqual({ id: `${lbId}/frontendIPConfigurations/front` });
  });
});

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

describe("peerings", () => {
  const remote = `${network}/virtualNetworks/hub`;
  const peer = (to: string): Json => ({ properties: { remoteVirtualNetwork: { id: to } } });
  const there = `${vnetId}/virtualNetworkPeerings/to-hub`;
  const back = `${remote}/virtualNetworkPeerings/to-vnet`;
  const peered = (): TestWorld => {
    const world = aGroup();
    world.put(vnetId, bodies.vnet("10.0.0.0/16"));
    world.put(remote, bodies.vnet("10.1.0.0/16"));
    world.put(there, peer(remote));
    return world;
  };
  const stateOf = (world: TestWorld, id: string) => properties(world.get(id))["peeringState"];

  it("is Initiated from one side, Connected from both, Disconnected when one goes", () => {
    const world = peered();
    expect(properties(world.get(there))).toMatchObject({
      peeringState: "Initiated",
      allowVirtualNetworkAccess: true,
      remoteAddressSpace: { addressPrefixes: ["10.1.0.0/16"] },
    });
    world.put(back, peer(vnetId));
    expect([stateOf(world, there), stateOf(world, back)]).toEqual(["Connected", "Connected"]);
    expect(properties(world.get(there))["peeringSyncLevel"]).toBe("FullyInSync");
    world.del(back);
    world.get(back);
    expect(stateOf(world, there)).toBe("Disconnected");
    expect(errorOf(world.put(back, peer(vnetId)))).toBe("400 RemotePeeringIsDisconnected");
    world.put(there, peer(remote));
    expect(stateOf(world, there)).toBe("Initiated");
    world.put(back, peer(vnetId));
    expect([stateOf(world, there), stateOf(world, back)]).toEqual(["Connected", "Connected"]);
  });

  it("is Disconnected when the other network goes", () => {
    const world = peered();
    world.put(back, peer(vnetId));
    world.get(back);
    world.del(remote);
    world.get(remote);
    expect(stateOf(world, there)).toBe("Disconnected");
  });

  it("a grown address space is out of sync until it is synchronised", () => {
    const world = peered();
    world.put(back, peer(vnetId));
    world.put(remote, bodies.vnet("10.1.0.0/16", "10.2.0.0/16"));
    world.get(remote);
    expect(properties(world.get(there))["peeringSyncLevel"]).toBe("LocalNotInSync");
    world.put(`${there}?syncRemoteAddressSpace=true`, peer(remote));
    world.get(there);
    expect(properties(world.get(there))["peeringSyncLevel"]).toBe("FullyInSync");
  });

  it("survives a PUT of the network that leaves the list out", () => {
    const world = peered();
    world.put(vnetId, { ...(bodies.vnet("10.0.0.0/16") as object), tags: { a: "1" } });
    expect(world.get(there).status).toBe(200);
  });

  it("is refused between overlapping networks", () => {
    const world = aGroup();
    world.put(vnetId, bodies.vnet("10.0.0.0/8"));
    world.put(remote, bodies.vnet("10.1.0.0/16"));
    expect(errorOf(world.put(there, peer(remote)))).toBe("400 VnetAddressSpacesOverlap");
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

describe("PATCH on network resources", () => {
  it("sets tags and nothing else", () => {
    const world = aNetwork();
    expect(
      world.patch(vnetId, { tags: { a: "1" }, properties: { addressSpace: { addressPrefixes: [] } } }),
    ).toMatchObject({
      status: 200,
      body: { tags: { a: "1" }, properties: { addressSpace: { addressPrefixes: ["10.0.0.0/8"] } } },
    });
    expect(world.patch(`${network}/virtualNetworks/none`, { tags: {} }).status).toBe(404);
  });
});
