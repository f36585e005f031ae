import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/types.ts";
import { resync } from "../../src/engine/resync.ts";
import {
  annotate,
  bodyOf,
  group,
  ids,
  key,
  mutate,
  ownerTag,
  resources,
  seed,
  withTag,
} from "../support/defaultCluster.ts";
import { type Call, intercept } from "../support/intercept.ts";
import { lookAgain, rowOf, runBy } from "../support/turns.ts";
import { applyDefaultCluster, createWorld, type World } from "../support/world.ts";
import {
  controlPlane,
  hour,
  netGroup,
  network,
  nodes,
  nsg,
  other,
  routes,
  said,
  setNetwork,
  settled,
  spec,
  theirs,
  typed,
  vnet,
} from "./broughtAlong/theirNetwork.ts";

const complete = theirs(controlPlane, nodes, other);
const implied = `${network}/networkSecurityGroups/c1-node-nsg`;
const asked = (world: World): readonly string[] =>
  world.calls.filter(({ port }) => port === "arm").map(({ name, path }) => `${name} ${path}`);
const day = 24 * hour;

describe("what is passed over beside a network that was brought along", () => {
  it("costs no read in a turn that has nothing to do, and one a day", async () => {
    const world = await settled(spec(), ...complete);
    world.calls.length = 0;
    annotate(world, "capstan.azure/retry", "1");
    await world.run(hour);
    expect(asked(world)).toEqual([]);
    await resync(world.clock.nowMs(), world.deps);
    await world.run(hour);
    expect(asked(world)).toEqual([]);
    const [beganMs, days] = [world.clock.nowMs(), 4];
    await world.run(days * day);
    expect(world.clock.nowMs() - beganMs).toBeGreaterThan((days - 1) * day);
    const reads = asked(world).filter((call) => call === `arm GET ${implied}`);
    expect(reads.length).toBeGreaterThan(0);
    expect(reads.length).toBeLessThanOrEqual(days);
    expect(asked(world).filter((call) => !call.startsWith("arm GET"))).toEqual([]);
  });

  it("A35: is somebody else's when somebody makes it there: it is used, not written, and stays", async () => {
    const world = await settled(spec(), ...complete);
    seed(world, { id: implied, location: "eastus", tags: { team: "net" }, properties: {} });
    const before = structuredClone(bodyOf(world, implied));
    await lookAgain(world);
    world.objects.remove(key);
    await world.run(hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(bodyOf(world, implied)).toEqual(before);
  });

  it("is ours when it carries our tag, and is kept up and deleted as ever", async () => {
    const world = await settled(spec(), ...complete);
    seed(world, { id: implied, location: "eastus", tags: { [ownerTag]: "owned" }, properties: {} });
    await lookAgain(world);
    expect(rowOf(world, implied)?.known).toBe("adopted");
    world.objects.remove(key);
    await world.run(hour);
    expect(resources(world)).not.toContain(implied.toLowerCase());
  });

  it("is made at once when the network is adopted, however lately it was looked for", async () => {
    const world = await settled(spec(), ...complete);
    expect(resources(world)).not.toContain(implied.toLowerCase());
    annotate(world, "capstan.azure/adopt", vnet);
    await world.run(10 * 60_000);
    expect(resources(world)).toContain(implied.toLowerCase());
  });

  it("was ours once: it is not made anew while the network is not ours, and its subnet is left alone", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    await world.run(hour);
    mutate(world, ids.vnet, (body) => withTag(body, ownerTag, undefined));
    world.arm.resources.delete(ids.nodeNsg.toLowerCase());
    const before = world.writes().length;
    await lookAgain(world);
    expect(world.writes().slice(before)).toEqual([]);
    // Whoever makes one of that name now has nothing to do with ours.
    seed(world, { id: ids.nodeNsg, location: "eastus", tags: { team: "x" }, properties: {} });
    await lookAgain(world);
    expect(rowOf(world, ids.nodeNsg)?.known).toBe("seenUnmanaged");
    expect(said(world, "SecurityGroupsReady")).toMatchObject({ status: "True" });
    world.arm.resources.delete(ids.nodeNsg.toLowerCase());
    mutate(world, ids.vnet, (body) => withTag(body, ownerTag, "owned"));
    await lookAgain(world);
    expect(bodyOf(world, ids.nodeNsg)["tags"]).toMatchObject({ [ownerTag]: "owned" });
  });

  it("is neither made nor passed over as long as nobody can tell whose the network is", async () => {
    const world = createWorld();
    seed(world, ...complete);
    applyDefaultCluster(world);
    setNetwork(world, spec());
    const refused = { kind: "auth", code: "AuthorizationFailed", message: "no", status: 403 } as const;
    let isLocked = true;
    const deps = intercept(
      world.deps,
      async <T>(call: Call, run: () => Promise<T>): Promise<T> =>
        isLocked && call.name === "arm GET" && call.path === vnet ? ({ ok: false, error: refused } as T) : run(),
    );
    await runBy(world, deps, hour);
    // The address of the API server is no part of any network.
    const address = "/resourceGroups/c1/providers/Microsoft.Network/publicIPAddresses/pip-c1-apiserver";
    expect(typed(world)).toEqual(["PUT /resourceGroups/c1", `PUT ${address}`]);
    expect(said(world, "VNetReady")).toMatchObject({ status: "False" });
    expect(rowOf(world, implied)).toBeUndefined();
    isLocked = false;
    await runBy(world, deps, 2 * hour);
    expect(said(world, "Ready")).toMatchObject({ status: "True" });
    expect(typed(world)).toHaveLength(3);
  });

  it("a network of ours that cannot be read for a while costs nothing of what stands beside it", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    await world.run(hour);
    const before = resources(world);
    const writes = world.writes().length;
    const cut = { kind: "transient", code: "NoAnswer", message: "cut" } as const;
    const deps = intercept(
      world.deps,
      async <T>(call: Call, run: () => Promise<T>): Promise<T> =>
        call.name === "arm GET" && call.path === ids.vnet ? ({ ok: false, error: cut } as T) : run(),
    );
    await runBy(world, deps, 2 * day);
    await lookAgain(world);
    expect(resources(world)).toEqual(before);
    expect(world.writes().slice(writes)).toEqual([]);
  });
});

describe("what Azure shows of others' resources otherwise than the spec has it", () => {
  const cut = (one: JsonObject, ...fields: readonly string[]): JsonObject => ({
    ...one,
    properties: Object.fromEntries(
      Object.entries(one["properties"] as JsonObject).filter(([name]) => !fields.includes(name)),
    ),
  });

  it("is told once in a condition that stays True, and nothing is written", async () => {
    const bare = cut(nodes, "networkSecurityGroup", "natGateway");
    const world = await settled(
      spec({
        cidrBlocks: ["172.16.3.0/24"],
        securityGroup: { name: "theirs" },
        routeTable: { name: "theirs" },
        natGateway: { name: "mine" },
        serviceEndpoints: [{ service: "Microsoft.Storage", locations: ["eastus"] }],
      }),
      ...theirs(controlPlane, bare, other),
    );
    const told = said(world, "SubnetsReady");
    expect(told).toMatchObject({ status: "True" });
    for (const words of [
      `${vnet}/subnets/nodes is not ours and is used as it is`,
      'addressPrefix is "172.16.2.0/24", the spec asks for "172.16.3.0/24"',
      nsg,
      `${group}/providers/Microsoft.Network/natGateways/mine`,
      "Microsoft.Storage",
    ])
      expect(told?.message).toContain(words);
    expect(told?.message).not.toContain(routes);
    expect(said(world, "Ready")).toMatchObject({ status: "True" });
    const before = world.objects.find(key)?.metadata.resourceVersion;
    await lookAgain(world);
    await world.run(2 * day);
    expect(world.objects.find(key)?.metadata.resourceVersion).toBe(before);
    expect(typed(world).filter((write) => write.includes("net-rg"))).toEqual([]);
  });

  it("is no longer told once it is as asked", async () => {
    const bare = cut(nodes, "securityGroup", "natGateway");
    const world = await settled(spec({ natGateway: { name: "mine" } }), ...theirs(controlPlane, bare, other));
    expect(said(world, "SubnetsReady")?.message).toContain("natGateways/mine");
    // As a person does by hand.
    const mine = { id: `${group}/providers/Microsoft.Network/natGateways/mine` };
    mutate(world, `${vnet}/subnets/nodes`, (body) => ({
      ...body,
      properties: { ...(body["properties"] as JsonObject), natGateway: mine },
    }));
    await lookAgain(world);
    expect(said(world, "SubnetsReady")).not.toHaveProperty("message");
  });

  it("is not told of what the spec leaves to us", async () => {
    const world = await settled(
      {
        vnet: { name: "shared", resourceGroup: "net-rg" },
        subnets: [
          { name: "cp", role: "control-plane" },
          { name: "nodes", role: "node" },
        ],
      },
      ...complete,
    );
    for (const type of ["SubnetsReady", "VNetReady", "Ready"]) {
      expect(said(world, type)).toMatchObject({ status: "True" });
      expect(said(world, type)).not.toHaveProperty("message");
    }
  });

  it("tells of a network elsewhere, and of rules that somebody's security group lacks", async () => {
    const rule = {
      name: "web",
      description: "web",
      protocol: "Tcp",
      direction: "Inbound",
      priority: 3000,
      destinationPorts: "443",
      action: "Allow",
    };
    const far = complete.map((one) => (one["id"] === vnet ? { ...one, location: "westus" } : one));
    const world = await settled(
      {
        ...spec({ securityGroup: { name: "theirs", securityRules: [rule] } }),
        vnet: { name: "shared", resourceGroup: "net-rg", cidrBlocks: ["172.16.0.0/12"] },
      },
      ...far,
    );
    expect(said(world, "VNetReady")?.message).toContain('location is "westus", the spec asks for "eastus"');
    expect(said(world, "VNetReady")?.message).toContain("172.16.0.0/12");
    expect(said(world, "SecurityGroupsReady")).toMatchObject({ status: "True" });
    expect(said(world, "SecurityGroupsReady")?.message).toContain("web");
    expect(typed(world).filter((write) => write.includes(netGroup))).toEqual([]);
  });
});
