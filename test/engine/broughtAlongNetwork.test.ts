import { describe, expect, it } from "vitest";
import { annotate, group, ids, key, mutate, ownerTag, resources, seed, withTag } from "../support/defaultCluster.ts";
import { lookAgain } from "../support/turns.ts";
import { applyDefaultCluster, createWorld } from "../support/world.ts";
import {
  abroad,
  controlPlane,
  hour,
  network,
  nodes,
  nsg,
  other,
  routes,
  said,
  setNetwork,
  settled,
  spec,
  subnetOf,
  theirs,
  typed,
  vnet,
} from "./broughtAlong/theirNetwork.ts";

describe("a network that was brought along whole", () => {
  const complete = theirs(controlPlane, nodes, other);

  it("A34: gets nothing beside it: no security group, route table or gateway that is only implied", async () => {
    const world = await settled(spec(), ...complete);
    expect(said(world, "Ready")).toMatchObject({ status: "True" });
    // Upstream's value here: a public IP address of a NAT gateway that it never makes as well.
    expect(typed(world)).toEqual([
      "PUT /resourceGroups/c1",
      "PUT /resourceGroups/c1/providers/Microsoft.Network/publicIPAddresses/pip-c1-apiserver",
      "PUT /resourceGroups/c1/providers/Microsoft.Network/loadBalancers/c1-public-lb",
    ]);
  });

  it("A34: is what it was, byte for byte, after twenty looks and the end of the cluster", async () => {
    const world = createWorld();
    seed(world, ...complete);
    const before = abroad(world);
    applyDefaultCluster(world);
    setNetwork(world, spec());
    await world.run(hour);
    expect(abroad(world)).toEqual(before);
    for (let look = 0; look < 20; look += 1) await lookAgain(world);
    expect(abroad(world)).toEqual(before);
    world.objects.remove(key);
    await world.run(hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(abroad(world)).toEqual(before);
    expect(resources(world).filter((id) => id.startsWith(group.toLowerCase()))).toEqual([]);
  });

  it("is the same for a spec into which upstream's webhook wrote the default names", async () => {
    const world = await settled(
      spec({
        securityGroup: { name: "c1-node-nsg" },
        routeTable: { name: "c1-node-routetable" },
        natGateway: { name: "c1-node-natgw-1", ip: { name: "pip-c1-node-natgw-1" } },
      }),
      ...complete,
    );
    expect(said(world, "Ready")).toMatchObject({ status: "True" });
    expect(typed(world)).toHaveLength(3);
  });

  it("gets what belongs to a network once it is adopted", async () => {
    const world = await settled(spec(), ...complete);
    annotate(world, "capstan.azure/adopt", vnet);
    await world.run(hour);
    const made = resources(world).filter((id) => /networksecuritygroups|routetables|natgateways/.test(id));
    expect(made).toContain(`${network}/networkSecurityGroups/c1-node-nsg`.toLowerCase());
    expect(made).toContain(`${group}/providers/Microsoft.Network/natGateways/c1-node-natgw-1`.toLowerCase());
  });

  it("in the cluster's own group is treated alike", async () => {
    const own = `${group}/providers/Microsoft.Network/virtualNetworks/shared`;
    const world = await settled(
      { ...spec(), vnet: { name: "shared", cidrBlocks: ["172.16.0.0/16"] } },
      { id: group, location: "eastus" },
      { id: own, location: "eastus", properties: { addressSpace: { addressPrefixes: ["172.16.0.0/16"] } } },
      { id: `${own}/subnets/cp`, properties: { addressPrefix: "172.16.1.0/24" } },
      { id: `${own}/subnets/nodes`, properties: { addressPrefix: "172.16.2.0/24" } },
    );
    expect(typed(world)).toHaveLength(2);
    expect(said(world, "Ready")).toMatchObject({ status: "True" });
  });
});

describe("a subnet that such a network lacks", () => {
  const lacking = theirs(controlPlane, other);

  it("is made without what is only implied, and goes with the cluster", async () => {
    const world = await settled(spec({ cidrBlocks: ["172.16.2.0/24"] }), ...lacking);
    expect(said(world, "Ready")).toMatchObject({ status: "True" });
    const made = subnetOf(world, "nodes")!;
    expect(made["addressPrefix"]).toBe("172.16.2.0/24");
    // Upstream's value here: ids of a security group and a route table that nobody makes.
    for (const part of ["networkSecurityGroup", "routeTable", "natGateway"]) expect(made[part]).toBeUndefined();
    world.objects.remove(key);
    await world.run(hour);
    expect(subnetOf(world, "nodes")).toBeUndefined();
    expect(subnetOf(world, "cp")).toBeDefined();
  });

  it("is made with what the spec names and is there", async () => {
    const world = await settled(
      spec({ cidrBlocks: ["172.16.2.0/24"], securityGroup: { name: "theirs" }, routeTable: { name: "theirs" } }),
      ...lacking,
    );
    expect(subnetOf(world, "nodes")).toMatchObject({ networkSecurityGroup: { id: nsg }, routeTable: { id: routes } });
    expect(said(world, "Ready")).toMatchObject({ status: "True" });
  });

  it("waits, and says for what, when the spec names something that is not there", async () => {
    const world = await settled(
      spec({ cidrBlocks: ["172.16.2.0/24"], securityGroup: { name: "to-come" } }),
      ...lacking,
    );
    expect(subnetOf(world, "nodes")).toBeUndefined();
    const told = said(world, "SubnetsReady");
    expect(told).toMatchObject({ status: "False", severity: "Error", reason: "InvalidConfiguration" });
    for (const word of [`${vnet}/subnets/nodes`, "networkSecurityGroup", "to-come"])
      expect(JSON.stringify(told)).toContain(word);
    seed(world, { id: `${network}/networkSecurityGroups/to-come`, location: "eastus", properties: {} });
    await world.run(hour);
    expect(JSON.stringify(subnetOf(world, "nodes")?.["networkSecurityGroup"])).toContain("to-come");
    expect(said(world, "Ready")).toMatchObject({ status: "True" });
  });

  it("gets a NAT gateway that the spec asks for by name", async () => {
    const world = await settled(spec({ cidrBlocks: ["172.16.2.0/24"], natGateway: { name: "mine" } }), ...lacking);
    const mine = `${group}/providers/Microsoft.Network/natGateways/mine`;
    expect(subnetOf(world, "nodes")).toMatchObject({ natGateway: { id: mine } });
    expect(said(world, "Ready")).toMatchObject({ status: "True" });
  });
});

describe("a network of ours", () => {
  it("that loses its tag costs nothing of what stands beside it", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    await world.run(hour);
    const before = resources(world);
    mutate(world, ids.vnet, (body) => withTag(body, ownerTag, undefined));
    await lookAgain(world);
    await world.run(2 * 24 * hour);
    expect(resources(world)).toEqual(before);
    expect(said(world, "VNetReady")).toMatchObject({ status: "False", reason: "OwnershipLost" });
  });
});
