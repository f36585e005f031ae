import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/types.ts";
import { bodyOf, group, ids, key, mutate, resources, seed, subscription, withTag } from "../support/defaultCluster.ts";
import { lookAgain } from "../support/turns.ts";
import { applyDefaultCluster, conditionsOf, createWorld, type World } from "../support/world.ts";

const hour = 60 * 60_000;
const network = `${group}/providers/Microsoft.Network`;
const pe = `${network}/privateEndpoints/pe`;
const nic = `${network}/networkInterfaces/pe.nic`;
const nodeSubnet = `${ids.vnet}/subnets/node-subnet`;
const target = `${subscription}/resourceGroups/data/providers/Microsoft.Storage/storageAccounts/logs`;

const connection: JsonObject = { name: "conn", privateLinkServiceID: target, groupIDs: ["blob"] };
const endpoint = (part: JsonObject = {}): JsonObject => ({
  name: "pe",
  privateLinkServiceConnections: [connection],
  ...part,
});
const networkWith = (endpoints: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  vnet: { name: "c1-vnet" },
  subnets: [
    { name: "control-plane-subnet", role: "control-plane" },
    { name: "node-subnet", role: "node", privateEndpoints: endpoints },
  ],
  ...more,
});
const setNetwork = (world: World, networkSpec: JsonObject): void =>
  void world.objects.edit(key, (object) => ({ ...object, spec: { ...object.spec, networkSpec } }));
const aCluster = async (networkSpec: JsonObject, ...before: readonly JsonObject[]): Promise<World> =>
  aClusterIn(createWorld(), networkSpec, ...before);
const aClusterIn = async (world: World, networkSpec: JsonObject, ...before: readonly JsonObject[]): Promise<World> => {
  seed(world, ...before);
  applyDefaultCluster(world);
  setNetwork(world, networkSpec);
  await world.run(hour);
  return world;
};

const said = (world: World, type = "PrivateEndpointsReady") => conditionsOf(world.objects.find(key))[type];
const short = (path: string): string => path.slice(network.length + 1);
const since = (world: World, count: number): readonly string[] =>
  world
    .writes()
    .slice(count)
    .map(({ method, path }) => `${method} ${short(path)}`);
const properties = (world: World, id: string): JsonObject => (bodyOf(world, id)["properties"] ?? {}) as JsonObject;

type Lists = "privateLinkServiceConnections" | "manualPrivateLinkServiceConnections";
const stateOf = (world: World, list: Lists) => {
  const [first] = properties(world, pe)[list] as readonly JsonObject[];
  return ((first!["properties"] as JsonObject)["privateLinkServiceConnectionState"] as JsonObject)["status"];
};
/** What the owner of the target does. */
const decideOn = (world: World, list: Lists, status: string): void =>
  mutate(world, pe, (body) => {
    const own = body["properties"] as JsonObject;
    const connections = (own[list] as readonly JsonObject[]).map((one) => ({
      ...one,
      properties: {
        ...(one["properties"] as JsonObject),
        privateLinkServiceConnectionState: { status, description: "said so", actionsRequired: "None" },
      },
    }));
    return { ...body, properties: { ...own, [list]: connections } };
  });

describe("a private endpoint", () => {
  it("is made with its fixed address as Azure's services take it, and at rest nothing more is written", async () => {
    const world = await aCluster(networkWith([endpoint({ privateIPAddresses: ["10.1.0.9"] })]));
    expect(said(world)).toMatchObject({ status: "True" });
    expect(properties(world, nic)["ipConfigurations"]).toMatchObject([
      { properties: { privateIPAddress: "10.1.0.9" } },
    ]);
    const count = world.writes().length;
    await lookAgain(world);
    await world.run(2 * 24 * hour);
    expect(since(world, count)).toEqual([]);
  });

  it.each(["Approved", "Rejected", "Disconnected"])(
    "is left as the owner of its target decides: %s is neither written over nor told again and again",
    async (status) => {
      const world = await aCluster(networkWith([endpoint({ manualApproval: true })]));
      expect(stateOf(world, "manualPrivateLinkServiceConnections")).toBe("Pending");
      expect(said(world, "Ready")).toMatchObject({ status: "True" });
      decideOn(world, "manualPrivateLinkServiceConnections", status);
      const [count, version] = [world.writes().length, world.objects.find(key)?.metadata.resourceVersion];
      await lookAgain(world);
      setNetwork(world, networkWith([endpoint({ manualApproval: true })], { additionalAPIServerLBPorts: [] }));
      await world.run(24 * hour);
      expect(since(world, count)).toEqual([]);
      expect(stateOf(world, "manualPrivateLinkServiceConnections")).toBe(status);
      expect(Number(world.objects.find(key)?.metadata.resourceVersion) - Number(version)).toBeLessThanOrEqual(1);
    },
  );

  it("keeps what its owner said when another field of it is written", async () => {
    const world = await aCluster(networkWith([endpoint({ manualApproval: true })]));
    decideOn(world, "manualPrivateLinkServiceConnections", "Rejected");
    const asg = `${network}/applicationSecurityGroups/apps`;
    seed(world, { id: asg, location: "eastus" });
    const count = world.writes().length;
    setNetwork(world, networkWith([endpoint({ manualApproval: true, applicationSecurityGroups: [asg] })]));
    await world.run(hour);
    expect(since(world, count)).toEqual(["PUT privateEndpoints/pe"]);
    expect(properties(world, pe)["applicationSecurityGroups"]).toEqual([{ id: asg }]);
    expect(stateOf(world, "manualPrivateLinkServiceConnections")).toBe("Rejected");
  });

  it("that shall lead elsewhere is not made anew in place of the old one; under another name it is", async () => {
    const world = await aCluster(networkWith([endpoint()]));
    world.restless = "what is refused stays asked for";
    const elsewhere = { privateLinkServiceConnections: [{ ...connection, privateLinkServiceID: `${target}2` }] };
    const count = world.writes().length;
    setNetwork(world, networkWith([endpoint(elsewhere)]));
    await world.run(hour);
    expect(since(world, count)).toEqual([]);
    expect(said(world)).toMatchObject({ status: "False", reason: "ImmutableDrift" });
    for (const word of [target, `${target}2`]) expect(said(world)?.message).toContain(`"${word}"`);
    setNetwork(world, networkWith([endpoint({ ...elsewhere, name: "pe2" })]));
    await world.run(hour);
    expect(since(world, count)).toEqual(["PUT privateEndpoints/pe2", "DELETE privateEndpoints/pe"]);
    expect(said(world)).toMatchObject({ status: "True" });
  });

  it("of somebody else is used as it is, and stays", async () => {
    const theirs = {
      id: pe,
      location: "eastus",
      tags: { team: "data" },
      properties: { privateLinkServiceConnections: [{ name: "other", properties: { privateLinkServiceId: target } }] },
    };
    const world = await aCluster(networkWith([endpoint()]), { id: group, location: "eastus" }, theirs);
    expect(said(world, "Ready")).toMatchObject({ status: "True" });
    expect(world.writes().filter(({ path }) => path === pe)).toEqual([]);
    world.objects.remove(key);
    await world.run(hour);
    expect(resources(world)).toContain(pe.toLowerCase());
  });

  it("named in two subnets is refused before anything is written", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    setNetwork(world, {
      vnet: { name: "c1-vnet" },
      subnets: [
        { name: "control-plane-subnet", role: "control-plane", privateEndpoints: [endpoint()] },
        { name: "node-subnet", role: "node", privateEndpoints: [endpoint()] },
      ],
    });
    await world.run(hour);
    expect(world.writes()).toEqual([]);
    expect(said(world, "SpecValid")?.message).toContain("subnets[1].privateEndpoints[0].name");
  });
});

describe("the subnet of a private endpoint", () => {
  it("is not written for it, whatever others set there for such endpoints", async () => {
    const world = await aCluster(networkWith([]));
    mutate(world, ids.vnet, (body) => {
      const own = body["properties"] as JsonObject;
      const subnets = (own["subnets"] as readonly JsonObject[]).map((one) => ({
        ...one,
        properties: { ...(one["properties"] as JsonObject), privateEndpointNetworkPolicies: "Enabled" },
      }));
      return { ...body, properties: { ...own, subnets } };
    });
    const count = world.writes().length;
    setNetwork(world, networkWith([endpoint()]));
    await world.run(hour);
    expect(since(world, count)).toEqual(["PUT privateEndpoints/pe"]);
    const subnets = properties(world, ids.vnet)["subnets"] as readonly JsonObject[];
    expect(subnets.map((one) => (one["properties"] as JsonObject)["privateEndpointNetworkPolicies"])).toEqual([
      "Enabled",
      "Enabled",
    ]);
  });

  it("is there before it, and goes after it when both go from the spec, however long Azure takes", async () => {
    const slow = createWorld({ latency: { types: { "Microsoft.Network/privateEndpoints": 60_000 } } });
    const world = await aClusterIn(slow, networkWith([endpoint()]));
    const { subnets, ...rest } = networkWith([]);
    const [controlPlane] = subnets as readonly JsonObject[];
    const others = [controlPlane!, { name: "other", role: "node", cidrBlocks: ["10.3.0.0/16"] }];
    setNetwork(world, { ...rest, subnets: others });
    await world.run(hour);
    const about = since(world, 0).filter((write) => [pe, nodeSubnet].some((id) => write.endsWith(` ${short(id)}`)));
    // Each is asked for once, so Azure has refused none.
    expect(about).toEqual(
      ["PUT", "PUT", "DELETE", "DELETE"].map((method, at) => `${method} ${short(at % 3 === 0 ? nodeSubnet : pe)}`),
    );
    expect(said(world, "Ready")).toMatchObject({ status: "True" });
  });

  it("may be somebody else's; the endpoint goes with the cluster, and the interface that Azure made for it", async () => {
    const netGroup = `${subscription}/resourceGroups/net-rg`;
    const vnet = `${netGroup}/providers/Microsoft.Network/virtualNetworks/shared`;
    const theirs = [
      { id: group, location: "eastus", tags: { team: "net" } },
      { id: netGroup, location: "eastus" },
      { id: vnet, location: "eastus", properties: { addressSpace: { addressPrefixes: ["10.0.0.0/8"] } } },
      { id: `${vnet}/subnets/control-plane-subnet`, properties: { addressPrefix: "10.0.0.0/16" } },
      { id: `${vnet}/subnets/node-subnet`, properties: { addressPrefix: "10.1.0.0/16" } },
    ];
    const spec = networkWith([endpoint()], { vnet: { name: "shared", resourceGroup: "net-rg" } });
    const world = await aCluster(spec, ...theirs);
    expect(said(world)).toMatchObject({ status: "True" });
    expect((properties(world, pe)["subnet"] as JsonObject)["id"]).toBe(`${vnet}/subnets/node-subnet`);
    expect(world.writes().filter(({ path }) => path.startsWith(vnet))).toEqual([]);
    expect(resources(world)).toContain(nic.toLowerCase());
    const count = world.writes().length;
    world.objects.remove(key);
    await world.run(hour);
    expect(since(world, count)).toContain("DELETE privateEndpoints/pe");
    expect(since(world, count).filter((write) => write.includes("networkInterfaces"))).toEqual([]);
    expect(resources(world)).toEqual([group, netGroup, vnet].map((id) => id.toLowerCase()).toSorted());
  });

  it("of the bastion host takes one too", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    const azureBastion = {
      subnet: { name: "AzureBastionSubnet", role: "bastion", privateEndpoints: [endpoint()] },
    };
    world.objects.edit(key, (object) => ({ ...object, spec: { ...object.spec, bastionSpec: { azureBastion } } }));
    await world.run(hour);
    expect((properties(world, pe)["subnet"] as JsonObject)["id"]).toBe(`${ids.vnet}/subnets/AzureBastionSubnet`);
    expect(said(world)).toMatchObject({ status: "True" });
  });
});

describe("a tag taken off a private endpoint", () => {
  it("keeps it from being written or deleted", async () => {
    const world = await aCluster(networkWith([endpoint()]));
    world.restless = "somebody has to put the tag back";
    mutate(world, pe, (body) => withTag(body, "sigs.k8s.io_cluster-api-provider-azure_cluster_c1", undefined));
    const count = world.writes().length;
    await lookAgain(world);
    expect(said(world)).toMatchObject({ status: "False", reason: "OwnershipLost" });
    expect(since(world, count)).toEqual([]);
  });
});
