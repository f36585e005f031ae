import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/types.ts";
import { bodyOf, group, key, mutate, seed } from "../support/defaultCluster.ts";
import { lookAgain } from "../support/turns.ts";
import { applyDefaultCluster, conditionsOf, createWorld, type World } from "../support/world.ts";

const hour = 60 * 60_000;
const network = `${group}/providers/Microsoft.Network`;
const apiServer = `${network}/loadBalancers/c1-public-lb`;
const nodesOut = `${network}/loadBalancers/c1`;

const networkWith = (more: JsonObject): JsonObject => ({
  vnet: { name: "c1-vnet" },
  subnets: [
    { name: "control-plane-subnet", role: "control-plane" },
    { name: "node-subnet", role: "node" },
  ],
  ...more,
});
const setNetwork = (world: World, more: JsonObject): void =>
  void world.objects.edit(key, (object) => ({ ...object, spec: { ...object.spec, networkSpec: networkWith(more) } }));
const aCluster = async (more: JsonObject): Promise<World> => {
  const world = createWorld();
  applyDefaultCluster(world);
  setNetwork(world, more);
  await world.run(hour);
  return world;
};

const said = (world: World, type = "LoadBalancersReady") => conditionsOf(world.objects.find(key))[type];
const since = (world: World, count: number): readonly string[] =>
  world
    .writes()
    .slice(count)
    .map(({ method, path }) => `${method} ${path.slice(network.length + 1)}`);
const list = (world: World, id: string, name: string): readonly JsonObject[] =>
  ((bodyOf(world, id)["properties"] as JsonObject | undefined)?.[name] ?? []) as readonly JsonObject[];
const namesIn = (world: World, id: string, name: string) => list(world, id, name).map((item) => item["name"]);
const nameOf = (reference: unknown): string | undefined => (reference as { id: string }).id.split("/").at(-1);
/** Frontends through which the outbound rule leads. */
const leads = (world: World, id: string) => {
  const [rule] = list(world, id, "outboundRules");
  const { frontendIPConfigurations = [] } = (rule?.["properties"] ?? {}) as {
    readonly frontendIPConfigurations?: readonly unknown[];
  };
  return frontendIPConfigurations.map(nameOf);
};
/** What is written at once may be written in any order. */
const inWaves = (writes: readonly string[]): readonly string[] => {
  const at = writes.indexOf("PUT loadBalancers/c1");
  return [
    ...writes.slice(0, at).toSorted(byText),
    ...writes.slice(at, at + 1),
    ...writes.slice(at + 1).toSorted(byText),
  ];
};
const byText = (a: string, b: string): number => a.localeCompare(b);
const idOf = (item: JsonObject | undefined): string => (item as { readonly id: string } | undefined)?.id ?? "";
const withItem = (body: JsonObject, name: string, item: JsonObject): JsonObject => {
  const properties = body["properties"] as JsonObject;
  return {
    ...body,
    properties: { ...properties, [name]: [...((properties[name] ?? []) as readonly JsonObject[]), item] },
  };
};

describe("ways out of nodes", () => {
  it("are more or fewer without a moment in which there is none: addresses first, then the rule, then what is left over", async () => {
    const world = await aCluster({ nodeOutboundLB: {} });
    const steps = [
      {
        count: 3,
        writes: [
          "PUT publicIPAddresses/pip-c1-node-outbound-1",
          "PUT publicIPAddresses/pip-c1-node-outbound-2",
          "PUT publicIPAddresses/pip-c1-node-outbound-3",
          "PUT loadBalancers/c1",
          "DELETE publicIPAddresses/pip-c1-node-outbound",
        ],
        frontends: ["c1-frontEnd-1", "c1-frontEnd-2", "c1-frontEnd-3"],
      },
      {
        count: 2,
        writes: ["PUT loadBalancers/c1", "DELETE publicIPAddresses/pip-c1-node-outbound-3"],
        frontends: ["c1-frontEnd-1", "c1-frontEnd-2"],
      },
      {
        count: 1,
        writes: [
          "PUT publicIPAddresses/pip-c1-node-outbound",
          "PUT loadBalancers/c1",
          "DELETE publicIPAddresses/pip-c1-node-outbound-1",
          "DELETE publicIPAddresses/pip-c1-node-outbound-2",
        ],
        frontends: ["c1-frontEnd"],
      },
    ];
    for (const { count: frontendIPsCount, writes, frontends } of steps) {
      const count = world.writes().length;
      setNetwork(world, { nodeOutboundLB: { frontendIPsCount } });
      await world.run(hour);
      expect(inWaves(since(world, count))).toEqual(writes);
      // Upstream's rule keeps to the frontends that it was made with.
      expect(leads(world, nodesOut)).toEqual(frontends);
      expect(namesIn(world, nodesOut, "frontendIPConfigurations")).toEqual(frontends);
      expect(said(world, "Ready")).toMatchObject({ status: "True" });
    }
  });

  it("that the spec lists stay, addresses and all, when more are counted", async () => {
    const frontendIPs = [{ name: "mine", publicIP: { name: "ip-mine" } }];
    const world = await aCluster({ nodeOutboundLB: { frontendIPs } });
    const count = world.writes().length;
    setNetwork(world, { nodeOutboundLB: { frontendIPs, frontendIPsCount: 2 } });
    await world.run(hour);
    expect(since(world, count)).toEqual(["PUT publicIPAddresses/pip-c1-node-outbound-2", "PUT loadBalancers/c1"]);
    expect(leads(world, nodesOut)).toEqual(["mine", "c1-frontEnd-2"]);
  });

  it("that the cloud provider added for its services stay when ours change", async () => {
    const world = await aCluster({ nodeOutboundLB: { frontendIPsCount: 2 } });
    const ip = `${network}/publicIPAddresses/kubernetes-abc`;
    seed(world, { id: ip, location: "eastus", sku: { name: "Standard" }, properties: {} });
    mutate(world, nodesOut, (body) =>
      withItem(body, "frontendIPConfigurations", { name: "abc", properties: { publicIPAddress: { id: ip } } }),
    );
    setNetwork(world, { nodeOutboundLB: { frontendIPsCount: 3 } });
    await world.run(hour);
    expect(namesIn(world, nodesOut, "frontendIPConfigurations").map(String).toSorted(byText)).toEqual([
      "abc",
      "c1-frontEnd-1",
      "c1-frontEnd-2",
      "c1-frontEnd-3",
    ]);
    expect(leads(world, nodesOut)).toEqual(["c1-frontEnd-1", "c1-frontEnd-2", "c1-frontEnd-3"]);
  });
});

describe("the frontends of a public API server", () => {
  const outside = { name: "outside", publicIP: { name: "ip-api" } };
  const inside = { name: "inside", privateIP: "10.0.0.50" };

  it.each([
    { order: "the public one first", frontendIPs: [outside, inside] },
    { order: "the private one first", frontendIPs: [inside, outside] },
  ])("are told apart by what they are: $order", async ({ frontendIPs }) => {
    const world = await aCluster({ apiServerLB: { frontendIPs } });
    expect(said(world, "Ready")).toMatchObject({ status: "True" });
    expect(namesIn(world, apiServer, "frontendIPConfigurations")).toEqual(["outside"]);
    expect(namesIn(world, `${apiServer}-internal`, "frontendIPConfigurations")).toEqual(["inside"]);
    expect(leads(world, apiServer)).toEqual(["outside"]);
    expect(leads(world, `${apiServer}-internal`)).toEqual([]);
    // The hash is of the public address, whichever is listed first.
    expect(world.objects.find(key)?.spec["controlPlaneEndpoint"]).toMatchObject({
      host: expect.stringMatching(/^c1-[0-9a-f]+\.eastus\.cloudapp\.azure\.com$/),
    });
    const count = world.writes().length;
    await lookAgain(world);
    expect(since(world, count)).toEqual([]);
  });

  it("of which an earlier provider stored a private one with its gate on make a load balancer inside, too", async () => {
    const world = await aCluster({
      apiServerLB: {
        name: "c1-public-lb",
        sku: "Standard",
        type: "Public",
        idleTimeoutInMinutes: 4,
        frontendIPs: [
          { name: "c1-public-lb-frontEnd", publicIP: { name: "pip-c1-apiserver", dnsName: "" } },
          { name: "c1-public-lb-frontEnd-internal-ip", privateIP: "10.0.0.100" },
        ],
        backendPool: { name: "c1-public-lb-backendPool" },
      },
    });
    const internal = `${apiServer}-internal`;
    expect(said(world, "Ready")).toMatchObject({ status: "True" });
    expect(namesIn(world, internal, "backendAddressPools")).toEqual(["c1-public-lb-backendPool-internal"]);
    expect(namesIn(world, internal, "frontendIPConfigurations")).toEqual(["c1-public-lb-frontEnd-internal-ip"]);
  });
});

describe("what others put on the API server's load balancer", () => {
  it("stays with every write of ours: NAT rules of machines, pools and rules", async () => {
    const world = await aCluster({});
    const [frontend] = list(world, apiServer, "frontendIPConfigurations");
    const natRule = {
      name: "machine-0",
      properties: {
        frontendIPConfiguration: { id: idOf(frontend) },
        protocol: "Tcp",
        frontendPort: 22,
        backendPort: 22,
      },
    };
    mutate(world, apiServer, (body) =>
      withItem(withItem(body, "inboundNatRules", natRule), "backendAddressPools", { name: "theirs" }),
    );
    setNetwork(world, { additionalAPIServerLBPorts: [{ name: "rke2", port: 9345 }] });
    await world.run(hour);
    // Upstream's PUT leaves the NAT rules out.
    expect(namesIn(world, apiServer, "inboundNatRules")).toEqual(["machine-0"]);
    expect(namesIn(world, apiServer, "backendAddressPools")).toEqual(["c1-public-lb-backendPool", "theirs"]);
    expect(namesIn(world, apiServer, "loadBalancingRules")).toEqual(["LBRuleHTTPS", "rke2"]);
    setNetwork(world, {});
    await world.run(hour);
    expect(namesIn(world, apiServer, "loadBalancingRules")).toEqual(["LBRuleHTTPS"]);
    expect(namesIn(world, apiServer, "inboundNatRules")).toEqual(["machine-0"]);
  });

  it("on a port that the spec asks for is not written over: both rules are named", async () => {
    const world = await aCluster({});
    world.restless = "their rule stays";
    const [own] = list(world, apiServer, "loadBalancingRules");
    const properties = { ...(own?.["properties"] as JsonObject), frontendPort: 9345, backendPort: 9345 };
    mutate(world, apiServer, (body) => withItem(body, "loadBalancingRules", { name: "theirs", properties }));
    const count = world.writes().length;
    setNetwork(world, { additionalAPIServerLBPorts: [{ name: "rke2", port: 9345 }] });
    await world.run(hour);
    expect(since(world, count)).toEqual([]);
    expect(said(world)).toMatchObject({ status: "False", reason: "ForeignConflict" });
    for (const word of ["rke2", "theirs"]) expect(said(world)?.message).toContain(word);
  });

  it("into the pool keeps the pool from getting another name: Azure says so, and nothing is half done", async () => {
    const world = await aCluster({});
    world.restless = "the pool is in use as long as the machines live";
    const [pool] = list(world, apiServer, "backendAddressPools");
    const set = `${group}/providers/Microsoft.Compute/virtualMachineScaleSets/pool`;
    const [subnet] = list(world, `${network}/virtualNetworks/c1-vnet`, "subnets");
    const ipConfiguration = {
      name: "ip",
      properties: { subnet: { id: idOf(subnet) }, loadBalancerBackendAddressPools: [{ id: idOf(pool) }] },
    };
    const nic = { name: "nic", properties: { primary: true, ipConfigurations: [ipConfiguration] } };
    seed(world, {
      id: set,
      location: "eastus",
      sku: { name: "Standard_D2s_v3", capacity: 0 },
      properties: {
        orchestrationMode: "Uniform",
        virtualMachineProfile: { networkProfile: { networkInterfaceConfigurations: [nic] } },
      },
    });
    setNetwork(world, { apiServerLB: { backendPool: { name: "other" } } });
    await world.run(hour);
    expect(namesIn(world, apiServer, "backendAddressPools")).toEqual(["c1-public-lb-backendPool"]);
    expect(list(world, apiServer, "loadBalancingRules")).toMatchObject([
      { properties: { backendAddressPool: { id: idOf(pool) } } },
    ]);
    expect(JSON.stringify(said(world))).toContain("virtualMachineScaleSets/pool");
    setNetwork(world, {});
    await world.run(hour);
    expect(said(world)).toMatchObject({ status: "True" });
  });
});
