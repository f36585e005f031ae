import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/types.ts";
import { removeResource } from "../../src/sim/arm/otherWriter.ts";
import { bodyOf, group, ids, key, mutate, ownerTag, resources, seed, subscription } from "../support/defaultCluster.ts";
import { lookAgain } from "../support/turns.ts";
import { applyDefaultCluster, conditionsOf, createWorld, type World } from "../support/world.ts";

const hour = 60 * 60_000;
const zoneType = "providers/Microsoft.Network/privateDnsZones";
const zone = `${group}/${zoneType}/c1.capz.io`;
const link = `${zone}/virtualNetworkLinks/c1-vnet-link`;
const record = `${zone}/A/apiserver`;
const dnsGroup = `${subscription}/resourceGroups/dns-rg`;
const theirZone = `${dnsGroup}/${zoneType}/corp.example`;
const theirLink = `${theirZone}/virtualNetworkLinks/c1-vnet-link`;
const theirRecord = `${theirZone}/A/apiserver`;

const subnets = [
  { name: "control-plane-subnet", role: "control-plane" },
  { name: "node-subnet", role: "node" },
];
const privateNetwork = (rest: JsonObject = {}): JsonObject => ({
  vnet: { name: "c1-vnet" },
  apiServerLB: { type: "Internal" },
  subnets,
  ...rest,
});
const setNetwork = (world: World, networkSpec: JsonObject): void =>
  void world.objects.edit(key, (object) => ({ ...object, spec: { ...object.spec, networkSpec } }));

/** A private cluster, with what others made before it. */
const aPrivateCluster = async (networkSpec: JsonObject = privateNetwork(), ...before: readonly JsonObject[]) => {
  const world = createWorld();
  seed(world, ...before);
  applyDefaultCluster(world);
  setNetwork(world, networkSpec);
  await world.run(hour);
  return world;
};
const inTheirZone = privateNetwork({ privateDNSZoneName: "corp.example", privateDNSZoneResourceGroup: "dns-rg" });
const aZone = [
  { id: dnsGroup, location: "eastus", tags: { team: "dns" } },
  { id: theirZone, location: "global", tags: { team: "dns" }, properties: {} },
];

const said = (world: World, type: string) => conditionsOf(world.objects.find(key))[type];
const properties = (world: World, id: string): JsonObject => (bodyOf(world, id)["properties"] ?? {}) as JsonObject;
const addresses = (world: World, id: string) => properties(world, id)["aRecords"];
const dnsWrites = (world: World, from = 0): readonly string[] =>
  world
    .writes()
    .slice(from)
    .filter(({ path }) => /privateDnsZones/i.test(path))
    .map(({ method, path }) => `${method} ${path.split("/privateDnsZones/")[1]}`);
const left = (world: World): readonly string[] => resources(world).filter((id) => id.includes("privatednszones"));

describe("a private API server", () => {
  it("has its name in a zone of its own, and at rest nothing more is written", async () => {
    const world = await aPrivateCluster();
    expect(dnsWrites(world)).toEqual([
      "PUT c1.capz.io",
      "PUT c1.capz.io/virtualNetworkLinks/c1-vnet-link",
      "PUT c1.capz.io/A/apiserver",
    ]);
    expect(addresses(world, record)).toEqual([{ ipv4Address: "10.0.0.100" }]);
    for (const type of ["PrivateDNSZoneReady", "PrivateDNSLinkReady", "PrivateDNSRecordReady", "Ready"])
      expect(said(world, type)).toMatchObject({ status: "True" });
    expect(world.objects.find(key)?.spec["controlPlaneEndpoint"]).toEqual({ host: "apiserver.c1.capz.io", port: 6443 });
    const count = world.writes().length;
    await world.run(2 * 24 * hour);
    expect(dnsWrites(world, count)).toEqual([]);
  });

  it("goes whole with the cluster", async () => {
    const world = await aPrivateCluster();
    world.objects.remove(key);
    await world.run(hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(resources(world)).toEqual([]);
  });

  it("A82: has a record of the other kind for an IPv6 address, whose frontend says that it is one", async () => {
    const world = await aPrivateCluster({
      vnet: { name: "c1-vnet", cidrBlocks: ["10.0.0.0/8", "fd00::/48"] },
      apiServerLB: { type: "Internal", frontendIPs: [{ name: "inside", privateIP: "fd00::100" }] },
      subnets: [
        { name: "control-plane-subnet", role: "control-plane", cidrBlocks: ["10.0.0.0/16", "fd00::/64"] },
        { name: "node-subnet", role: "node" },
      ],
    });
    expect(properties(world, `${zone}/AAAA/apiserver`)["aaaaRecords"]).toEqual([{ ipv6Address: "fd00::100" }]);
    expect(left(world).some((id) => id.includes("/a/"))).toBe(false);
    const [frontend] = properties(world, ids.lb.replace("public", "internal"))[
      "frontendIPConfigurations"
    ] as readonly JsonObject[];
    // Upstream leaves the version out, and Azure takes the address for IPv4.
    expect(frontend?.["properties"]).toMatchObject({ privateIPAddress: "fd00::100", privateIPAddressVersion: "IPv6" });
    expect(conditionsOf(world.objects.find(key))["Ready"]).toMatchObject({ status: "True" });
  });

  it("without a zone of ours has its endpoint all the same, and is said to need one", async () => {
    const world = await aPrivateCluster(privateNetwork({ privateDNSZone: "None" }));
    expect(left(world)).toEqual([]);
    expect(world.objects.find(key)?.spec["controlPlaneEndpoint"]).toEqual({ host: "apiserver.c1.capz.io", port: 6443 });
    expect(said(world, "PrivateDNSZoneReady")).toBeUndefined();
    expect(said(world, "NetworkInfrastructureReady")).toMatchObject({
      status: "True",
      message: expect.stringContaining("apiserver.c1.capz.io"),
    });
  });

  it("can be looked up in peer networks, as long as they are peers", async () => {
    const hub = `${subscription}/resourceGroups/hub-rg/providers/Microsoft.Network/virtualNetworks/hub`;
    const aHub = { id: hub, location: "eastus", properties: { addressSpace: { addressPrefixes: ["172.16.0.0/16"] } } };
    const peerings = [{ resourceGroup: "hub-rg", remoteVnetName: "hub" }];
    const world = await aPrivateCluster(privateNetwork({ vnet: { name: "c1-vnet", peerings } }), aHub);
    expect(properties(world, `${zone}/virtualNetworkLinks/hub-link`)["virtualNetwork"]).toEqual({ id: hub });
    const count = world.writes().length;
    setNetwork(world, privateNetwork());
    await world.run(hour);
    // Upstream leaves it.
    expect(dnsWrites(world, count)).toEqual(["DELETE c1.capz.io/virtualNetworkLinks/hub-link"]);
  });

  it("gets its record back as it was when somebody changes it", async () => {
    const world = await aPrivateCluster();
    mutate(world, record, (body) => ({
      ...body,
      properties: { ...(body["properties"] as JsonObject), aRecords: [{ ipv4Address: "10.9.9.9" }] },
    }));
    await lookAgain(world);
    expect(addresses(world, record)).toEqual([{ ipv4Address: "10.0.0.100" }]);
  });
});

describe("a zone that was brought along", () => {
  it("A43: stays, and what we put into it goes with the cluster; upstream's record stays for ever", async () => {
    const world = await aPrivateCluster(inTheirZone, ...aZone);
    expect(dnsWrites(world)).toEqual([
      "PUT corp.example/virtualNetworkLinks/c1-vnet-link",
      "PUT corp.example/A/apiserver",
    ]);
    expect(said(world, "Ready")).toMatchObject({ status: "True" });
    const before = bodyOf(world, theirZone);
    world.objects.remove(key);
    await world.run(hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(resources(world)).toEqual([dnsGroup.toLowerCase(), theirZone.toLowerCase()].toSorted());
    expect(bodyOf(world, theirZone)["tags"]).toEqual(before["tags"]);
    expect(bodyOf(world, theirZone)["etag"]).toEqual(before["etag"]);
  });

  it("A43: of ours in another group goes too, although the cluster's group takes all the rest along", async () => {
    const world = await aPrivateCluster(inTheirZone, { id: dnsGroup, location: "eastus", tags: { team: "dns" } });
    expect((bodyOf(world, theirZone)["tags"] as JsonObject)[ownerTag]).toBe("owned");
    world.objects.remove(key);
    await world.run(hour);
    // Upstream's value here: zone and link, when the group is deleted as a whole.
    expect(resources(world)).toEqual([dnsGroup.toLowerCase()]);
  });

  it("with a record of the same name and address is used as it is, and keeps it", async () => {
    const world = await aPrivateCluster(inTheirZone, ...aZone, {
      id: theirRecord,
      properties: { ttl: 60, aRecords: [{ ipv4Address: "10.0.0.100" }] },
    });
    expect(dnsWrites(world)).toEqual(["PUT corp.example/virtualNetworkLinks/c1-vnet-link"]);
    expect(said(world, "Ready")).toMatchObject({ status: "True" });
    world.objects.remove(key);
    await world.run(hour);
    expect(properties(world, theirRecord)["ttl"]).toBe(60);
  });

  it("with a record of the same name and another address is not written over: both are named", async () => {
    const world = await aPrivateCluster(inTheirZone, ...aZone, {
      id: theirRecord,
      properties: { ttl: 60, aRecords: [{ ipv4Address: "10.7.7.7" }] },
    });
    expect(addresses(world, theirRecord)).toEqual([{ ipv4Address: "10.7.7.7" }]);
    const told = said(world, "PrivateDNSRecordReady");
    expect(told).toMatchObject({ status: "False", severity: "Warning", reason: "ForeignConflict" });
    for (const word of ["10.7.7.7", "10.0.0.100", theirRecord]) expect(JSON.stringify(told)).toContain(word);
    mutate(world, theirRecord, (body) => ({
      ...body,
      properties: { ttl: 60, aRecords: [{ ipv4Address: "10.0.0.100" }] },
    }));
    await lookAgain(world);
    expect(said(world, "PrivateDNSRecordReady")).toMatchObject({ status: "True" });
  });

  it("is not made, nor its group, when it does not exist in a group that does not exist", async () => {
    const world = createWorld();
    world.restless = "the group never comes";
    applyDefaultCluster(world);
    setNetwork(world, inTheirZone);
    await world.run(hour);
    expect(resources(world)).not.toContain(dnsGroup.toLowerCase());
    expect(said(world, "PrivateDNSZoneReady")).toMatchObject({ status: "False", severity: "Error" });
    expect(JSON.stringify(said(world, "PrivateDNSZoneReady"))).toContain("dns-rg");
  });
});

describe("a network that is linked to another zone of the name", () => {
  const otherZone = `${subscription}/resourceGroups/old-rg/${zoneType}/c1.capz.io`;
  const otherLink = `${otherZone}/virtualNetworkLinks/old`;
  const network = `${subscription}/resourceGroups/net-rg/providers/Microsoft.Network/virtualNetworks/shared`;
  const spec = privateNetwork({ vnet: { name: "shared", resourceGroup: "net-rg" } });
  const before = [
    { id: network, location: "eastus", properties: { addressSpace: { addressPrefixes: ["10.0.0.0/8"] } } },
    { id: otherZone, location: "global", properties: {} },
    { id: otherLink, location: "global", properties: { virtualNetwork: { id: network } } },
  ];

  it("A44: is told before the first write, with zone and link, and goes on once the link is gone", async () => {
    const world = await aPrivateCluster(spec, ...before);
    // Upstream: all of the network, and then a link that fails each time.
    expect(world.writes()).toEqual([]);
    const told = said(world, "PrivateDNSLinkReady");
    expect(told).toMatchObject({ status: "False", severity: "Error", reason: "ForeignConflict" });
    for (const word of [otherLink, "privateDNSZoneName", "c1.capz.io"]) expect(JSON.stringify(told)).toContain(word);
    removeResource(world.arm, otherLink, world.clock.nowMs());
    await world.run(hour);
    expect(said(world, "Ready")).toMatchObject({ status: "True" });
    expect(said(world, "PrivateDNSLinkReady")).toMatchObject({ status: "True" });
  });

  it("A44: stops nothing that stands: a peer that cannot be linked shows at the links alone", async () => {
    const world = await aPrivateCluster();
    world.restless = "Azure refuses the link each time";
    seed(world, { ...before[0]!, id: network, properties: { addressSpace: { addressPrefixes: ["172.16.0.0/16"] } } });
    seed(world, before[1]!, before[2]!);
    const peerings = [{ resourceGroup: "net-rg", remoteVnetName: "shared" }];
    setNetwork(world, privateNetwork({ vnet: { name: "c1-vnet", peerings } }));
    await world.run(hour);
    expect(said(world, "PrivateDNSLinkReady")).toMatchObject({ status: "False", severity: "Error" });
    expect(JSON.stringify(said(world, "PrivateDNSLinkReady"))).toContain("overlapping namespaces");
    expect(said(world, "VnetPeeringReady")).toMatchObject({ status: "True" });
    expect(world.objects.find(key)?.status["ready"]).toBe(true);
  });

  it("is asked about by the first turn alone, however many the cluster takes", async () => {
    const world = await aPrivateCluster();
    const zones = new RegExp(`^${subscription}/providers/Microsoft.Network/privateDnsZones$`, "i");
    expect(world.requests().filter(({ path }) => zones.test(path.split("?")[0] ?? ""))).toHaveLength(1);
  });

  it("is not asked about any more once the cluster stands", async () => {
    const world = await aPrivateCluster();
    const from = world.arm.requests.length;
    await lookAgain(world);
    expect(
      world
        .requests()
        .slice(from)
        .filter(({ path }) => /\/subscriptions\/[^/]+\/providers/.test(path)),
    ).toEqual([]);
    expect(ids.vnet).toBeTruthy();
  });
});

describe("links of the zone", () => {
  it("that somebody else made to our network stay, and are enough", async () => {
    const world = await aPrivateCluster(inTheirZone, ...aZone);
    expect(properties(world, theirLink)["virtualNetwork"]).toBeDefined();
    expect(properties(world, link)).toEqual({});
  });
});
