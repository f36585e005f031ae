import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/types.ts";
import { bodyOf, group, key, subscription } from "../support/defaultCluster.ts";
import type { World } from "../support/world.ts";
import { controlPlane, hour, nodes, other, said, settled, theirs, vnet } from "./broughtAlong/theirNetwork.ts";

/** Specs of a brought-along network that leave ranges out, or say only some. */

const complete = theirs(controlPlane, nodes, other);
const place = { name: "shared", resourceGroup: "net-rg" };
const subnets = (cp: JsonObject = {}, node: JsonObject = {}): readonly JsonObject[] => [
  { name: "cp", role: "control-plane", ...cp },
  { name: "nodes", role: "node", ...node },
];
const inside = (privateIP: string): JsonObject => ({ type: "Internal", frontendIPs: [{ name: "front", privateIP }] });
const frontendIn = (world: World): JsonObject => {
  const { properties } = bodyOf(world, `${group}/providers/Microsoft.Network/loadBalancers/c1-internal-lb`);
  const [first] = (properties as JsonObject)["frontendIPConfigurations"] as readonly JsonObject[];
  return first?.["properties"] as JsonObject;
};

describe("a network that was brought along, of which the spec", () => {
  it.each<readonly [string, JsonObject]>([
    ["says where it is and nothing else", { vnet: place, subnets: subnets() }],
    [
      "says its ranges, and not those of its subnets",
      { vnet: { ...place, cidrBlocks: ["172.16.0.0/16"] }, subnets: subnets() },
    ],
    [
      "says the ranges of one subnet",
      { vnet: { ...place, cidrBlocks: ["172.16.0.0/16"] }, subnets: subnets({ cidrBlocks: ["172.16.1.0/24"] }) },
    ],
    [
      "has an address of the API server, and no ranges",
      { vnet: place, subnets: subnets(), apiServerLB: inside("172.16.1.10") },
    ],
    [
      "has the first address that Azure gives out in a small subnet",
      {
        vnet: { ...place, cidrBlocks: ["172.16.0.0/16"] },
        subnets: subnets({ cidrBlocks: ["172.16.1.0/24"] }),
        apiServerLB: inside("172.16.1.4"),
      },
    ],
  ])("%s: is used as it is, and nothing of what Azure shows gets into the spec", async (_, networkSpec) => {
    const world = await settled(networkSpec, ...complete);
    for (const type of ["SpecValid", "Ready", "SubnetsReady", "VNetReady"]) {
      expect([type, said(world, type)?.status]).toEqual([type, "True"]);
      expect(said(world, type)).not.toHaveProperty("message");
    }
    // Upstream's value here: the observed ranges, ids and tags.
    expect(world.objects.find(key)?.spec["networkSpec"]).toEqual(networkSpec);
    const { apiServerLB } = networkSpec as { readonly apiServerLB?: JsonObject };
    if (apiServerLB !== undefined)
      expect(frontendIn(world)).toMatchObject({
        privateIPAddress: (apiServerLB["frontendIPs"] as readonly JsonObject[])[0]?.["privateIP"],
        subnet: { id: `${vnet}/subnets/cp` },
      });
  });

  it("A80: stores what an earlier provider wrote there means the same, and is kept as it is", async () => {
    // As upstream stores it: observed ranges, ids and tags, and the names of what it did not make.
    const networkSpec = {
      vnet: { ...place, id: vnet, cidrBlocks: ["172.16.0.0/16"], tags: { team: "net", costCentre: "7" } },
      subnets: subnets(
        {
          id: `${vnet}/subnets/cp`,
          cidrBlocks: ["172.16.1.0/24"],
          securityGroup: { name: "c1-controlplane-nsg" },
          routeTable: { name: "c1-node-routetable" },
        },
        {
          id: `${vnet}/subnets/nodes`,
          cidrBlocks: ["172.16.2.0/24"],
          securityGroup: { name: "c1-node-nsg" },
          routeTable: { name: "c1-node-routetable" },
          natGateway: { name: "c1-node-natgw-1", ip: { name: "pip-c1-node-natgw-1" } },
        },
      ),
    };
    const world = await settled(networkSpec, ...complete);
    expect(said(world, "Ready")).toMatchObject({ status: "True" });
    expect(world.objects.find(key)?.spec["networkSpec"]).toEqual(networkSpec);
    expect(world.writes().map(({ path }) => path.split("/").at(-1))).toEqual([
      "c1",
      "pip-c1-apiserver",
      "c1-public-lb",
    ]);
  });

  it("lists a subnet whose range has no room there: Azure's words stand in the condition", async () => {
    const world = await settled(
      { vnet: { ...place, cidrBlocks: ["172.16.0.0/16"] }, subnets: subnets({}, { name: "new" }) },
      ...complete,
    );
    expect(said(world, "SubnetsReady")).toMatchObject({ status: "False", severity: "Error" });
    expect(said(world, "SubnetsReady")?.message).toContain(
      `${vnet}/subnets/new`.slice(subscription.length).split("/").at(-1),
    );
    await world.run(hour);
    expect(world.objects.find(key)?.spec["networkSpec"]).toMatchObject({ vnet: { cidrBlocks: ["172.16.0.0/16"] } });
  });
});
