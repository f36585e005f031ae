import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/types.ts";
import {
  annotate,
  bodyOf,
  group,
  ids,
  key,
  loseIdentity,
  mutate,
  ownerTag,
  resources,
  seed,
  settledCluster,
  subscription,
  withTag,
} from "../support/defaultCluster.ts";
import { lookAgain, ready } from "../support/turns.ts";
import { applyDefaultCluster, conditionsOf, createWorld, type World } from "../support/world.ts";

const hour = 60 * 60_000;
const netGroup = `${subscription}/resourceGroups/net-rg`;
const vnet = `${netGroup}/providers/Microsoft.Network/virtualNetworks/shared`;

const summary = (world: World) => conditionsOf(world.objects.find(key))["NetworkInfrastructureReady"];
const deletes = (world: World): readonly string[] =>
  world.writes().flatMap(({ method, path }) => (method === "DELETE" ? [path] : []));
const fault = (
  world: World,
  match: { readonly method: string; readonly path?: string; readonly times?: number },
  status: number,
  code: string,
  message: string,
): void => {
  const respond = { kind: "respond", status, code, message } as const;
  world.arm.faults.push({ rule: { match: match as { method: "DELETE" }, fault: respond }, seen: 0 });
};

/** A network of somebody else's with all that the cluster wants to be in it, security group and route table included. */
const broughtAlong = (spec: JsonObject, ...subnets: readonly string[]): World => {
  const world = createWorld();
  seed(
    world,
    { id: netGroup, location: "eastus", tags: { team: "net" } },
    { id: `${netGroup}/providers/Microsoft.Network/networkSecurityGroups/theirs`, location: "eastus", properties: {} },
    { id: `${netGroup}/providers/Microsoft.Network/routeTables/theirs`, location: "eastus", properties: {} },
    { id: vnet, location: "eastus", properties: { addressSpace: { addressPrefixes: ["10.0.0.0/8"] }, subnets: [] } },
    ...subnets.map((name, at) => ({ id: `${vnet}/subnets/${name}`, properties: { addressPrefix: `10.${at}.0.0/16` } })),
  );
  applyDefaultCluster(world);
  world.objects.edit(key, (object) => ({
    ...object,
    spec: { ...object.spec, networkSpec: { vnet: { name: "shared", resourceGroup: "net-rg" }, ...spec } },
  }));
  return world;
};
const names = { securityGroup: { name: "theirs" }, routeTable: { name: "theirs" } };
const bothSubnets = [
  { name: "control-plane-subnet", role: "control-plane", ...names },
  { name: "node-subnet", role: "node", ...names },
];

describe("what others brought along", () => {
  it("A34: a security group and a route table that were there before stay when the cluster goes", async () => {
    const world = broughtAlong({ subnets: bothSubnets }, "control-plane-subnet", "node-subnet");
    await world.run(hour);
    const before = resources(world).filter((id) => id.startsWith(netGroup.toLowerCase()));
    expect(before.some((id) => id.includes("routetables/theirs"))).toBe(true);
    world.objects.remove(key);
    await world.run(hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(resources(world)).toEqual(before);
    expect(deletes(world)).toEqual([group]);
  });

  it("A36: no DELETE is even tried for a subnet that was there before", async () => {
    const world = broughtAlong({ subnets: bothSubnets }, "control-plane-subnet", "node-subnet");
    await world.run(hour);
    world.tables.clear();
    world.objects.remove(key);
    await world.run(hour);
    expect(deletes(world).filter((path) => path.startsWith(netGroup))).toEqual([]);
    expect(world.objects.find(key)).toBeUndefined();
  });

  it("a subnet of ours that something in our own group uses goes after that group", async () => {
    const apiServerLB = { type: "Internal", name: "inner", frontendIPs: [{ name: "f", privateIP: "10.1.0.9" }] };
    const subnets = bothSubnets.map(({ name, role }, at) => ({ name, role, cidrBlocks: [`10.${at + 1}.0.0/16`] }));
    const world = broughtAlong({ apiServerLB, subnets });
    await world.run(hour);
    expect(conditionsOf(world.objects.find(key))["LoadBalancersReady"]).toMatchObject({ status: "True" });
    const sinceMs = world.clock.nowMs();
    world.objects.remove(key);
    await world.run(hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(resources(world).filter((id) => id.includes("/subnets/") || id.startsWith(group.toLowerCase()))).toEqual([]);
    expect(world.clock.nowMs() - sinceMs).toBeLessThan(5 * 60_000);
  });
});

describe("a deletion", () => {
  it("A38: nothing is created while the cluster above is being deleted, and it is said", async () => {
    const world = await settledCluster();
    const owner = { kind: "Cluster", namespace: "default", name: "c1" };
    world.objects.edit(owner, (object) => ({
      ...object,
      metadata: { ...object.metadata, finalizers: ["cluster.cluster.x-k8s.io"] },
    }));
    world.objects.remove(owner);
    world.arm.resources.delete(ids.lb.toLowerCase());
    world.clock.advanceTo(world.clock.nowMs() + hour);
    const before = world.writes().length;
    await lookAgain(world);
    expect(world.writes().slice(before)).toEqual([]);
    expect(conditionsOf(world.objects.find(key))["LoadBalancersReady"]).toMatchObject({
      reason: "AncestorDeleting",
      message: expect.stringContaining("Cluster default/c1"),
    });
    world.objects.remove(key);
    await world.run(hour);
    expect(resources(world)).toEqual([]);
  });

  it("A39: everything gone in Azure means that the finalizer goes", async () => {
    const world = await settledCluster();
    world.clock.advanceTo(world.clock.nowMs() + hour);
    world.arm.resources.clear();
    world.objects.remove(key);
    await world.run(hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(deletes(world)).toEqual([]);
  });

  it.each([401, 403])("A39: %i keeps the finalizer and names what remains", async (status) => {
    const world = await settledCluster();
    fault(world, { method: "GET", times: 1_000 }, status, "AuthorizationFailed", "not allowed");
    world.objects.remove(key);
    await world.run(hour);
    expect(world.objects.find(key)?.metadata.finalizers).toHaveLength(1);
    expect(summary(world)).toMatchObject({ reason: "DeleteBlocked", message: expect.stringContaining(group) });
  });

  it("A39: without a credential it names first what is ours by the ledger", async () => {
    const world = await settledCluster();
    loseIdentity(world);
    world.objects.remove(key);
    await world.run();
    const said = summary(world)?.message ?? "";
    expect(said).toContain(`to be deleted: ${group}`);
    expect(said).not.toContain("to be looked for");
  });

  it("A39: what a person gives up lets the finalizer go, is not touched, and is written down", async () => {
    const world = await settledCluster();
    loseIdentity(world);
    annotate(world, "capstan.azure/abandon", group);
    world.objects.remove(key);
    await world.run(hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(deletes(world)).toEqual([]);
    const orphans = world.tables.rows("orphans").map(({ values }) => values);
    expect(orphans).toContainEqual(expect.objectContaining({ id: ids.lb, name: "c1", abandoned: true }));
    expect(world.logs.filter(({ message }) => message === "abandoned").map(({ fields }) => fields["id"])).toContain(
      group,
    );
  });

  it("A40: does not depend on what became of a creation", async () => {
    const world = createWorld();
    seed(world, { id: group, location: "eastus", tags: { team: "x" } });
    applyDefaultCluster(world);
    fault(
      world,
      { method: "PUT", path: ids.lb, times: 1_000 },
      409,
      "OverconstrainedZonalAllocationRequest",
      "no room",
    );
    await world.run(5 * 60_000);
    expect(ready(world)).toMatchObject({ status: "False" });
    world.objects.remove(key);
    await world.run(hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(resources(world)).toEqual([group.toLowerCase()]);
  });

  it("A42: goes on within seconds once nothing uses it any more", async () => {
    const world = await settledCluster();
    annotate(world, "capstan.azure/keep-foreign", "");
    fault(
      world,
      { method: "DELETE", path: ids.nodeNsg, times: 2 },
      400,
      "InUseNetworkSecurityGroupCannotBeDeleted",
      "used",
    );
    const sinceMs = world.clock.nowMs();
    world.objects.remove(key);
    await world.run(hour);
    expect(world.objects.find(key)).toBeUndefined();
    // Today: an hour.
    expect(world.clock.nowMs() - sinceMs).toBeLessThan(2 * 60_000);
  });

  it("A46: a management lock is named and left alone", async () => {
    const world = await settledCluster();
    const lock = `${group}/providers/Microsoft.Authorization/locks/keep`;
    fault(world, { method: "DELETE", path: group, times: 3 }, 409, "ScopeLocked", `the scope is locked by ${lock}`);
    world.objects.remove(key);
    await world.run(30_000);
    expect(summary(world)).toMatchObject({ reason: "DeleteBlocked", message: expect.stringContaining(lock) });
    expect(deletes(world).filter((path) => path.includes("/locks/"))).toEqual([]);
    await world.run(12 * hour);
    expect(world.objects.find(key)).toBeUndefined();
  });

  it("keeps what lost its tag, also when that was in a group of ours that goes", async () => {
    const world = await settledCluster();
    mutate(world, ids.routeTable, (body) => withTag(body, ownerTag, undefined));
    annotate(world, "capstan.azure/keep-foreign", "");
    world.objects.remove(key);
    await world.run(hour);
    expect(resources(world)).toEqual([group, ids.routeTable].map((id) => id.toLowerCase()));
  });
});

describe("a network of ours whose tag was taken off, in a group that stays", () => {
  const lost = async (look: boolean): Promise<World> => {
    const world = await settledCluster();
    annotate(world, "capstan.azure/keep-foreign", "");
    mutate(world, ids.vnet, (body) => withTag(body, ownerTag, undefined));
    if (look) await lookAgain(world);
    world.tables.clear();
    world.objects.remove(key);
    await world.run(hour);
    return world;
  };

  it("its subnets stand on the object as soon as that is seen, and go although the tables are lost", async () => {
    const world = await lost(true);
    expect(world.objects.find(key)).toBeUndefined();
    expect(resources(world)).toEqual([group, ids.vnet].map((id) => id.toLowerCase()));
    expect(bodyOf(world, ids.vnet)["properties"]).toMatchObject({ subnets: [] });
  });

  it("what a subnet uses that nobody can tell is ours is said to block it, and goes or stays as a person says", async () => {
    const world = await lost(false);
    const groups = [ids.nodeNsg, ids.nodeNsg.replace("c1-node", "c1-controlplane")];
    for (const named of [...groups, ids.nodeSubnet, ids.controlPlaneSubnet, "capstan.azure/abandon"])
      expect(summary(world)).toMatchObject({ reason: "DeleteBlocked", message: expect.stringContaining(named) });
    annotate(world, "capstan.azure/abandon", groups.join(","));
    for (const [at, id] of [ids.controlPlaneSubnet, ids.nodeSubnet].entries())
      seed(world, {
        id,
        properties: { addressPrefix: `10.${at}.0.0/16`, networkSecurityGroup: { id: groups[1 - at]! } },
      });
    await world.run(2 * hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(resources(world)).toEqual([group, ids.vnet, ...groups].map((id) => id.toLowerCase()).toSorted());
  });
});

describe("a 404 soon after a write", () => {
  it.each([
    { what: "a load balancer", id: ids.lb },
    { what: "a resource group", id: group },
  ])("A31, A32: means that $what is not yet visible, and nothing is made twice", async ({ id }) => {
    const world = await settledCluster();
    fault(world, { method: "GET", path: id, times: 3 }, 404, "ResourceNotFound", "not yet");
    const before = world.writes().length;
    await lookAgain(world);
    expect(world.writes().slice(before)).toEqual([]);
    expect(ready(world)).toMatchObject({ status: "True" });
  });

  it("A31: is believed after two minutes", async () => {
    const world = await settledCluster();
    world.arm.resources.delete(ids.lb.toLowerCase());
    const before = world.writes().length;
    await lookAgain(world);
    expect(
      world
        .writes()
        .slice(before)
        .map(({ method, path }) => `${method} ${path}`),
    ).toEqual([`PUT ${ids.lb}`]);
  });

  it("A32: what exists already is taken as what it is, not created again for ever", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    fault(world, { method: "PUT", path: group, times: 1 }, 409, "ResourceGroupAlreadyExists", "already exists");
    seed(world, { id: group, location: "eastus", tags: { [ownerTag]: "owned" } });
    fault(world, { method: "GET", path: group, times: 1 }, 404, "ResourceGroupNotFound", "not yet");
    await world.run(hour);
    expect(ready(world)).toMatchObject({ status: "True" });
    expect(world.writes().filter(({ path, status }) => path === group && status < 400)).toEqual([]);
  });

  it("also holds back the end of a deletion", async () => {
    const world = await settledCluster();
    annotate(world, "capstan.azure/keep-foreign", "");
    fault(world, { method: "GET", path: ids.lb, times: 2 }, 404, "ResourceNotFound", "not yet");
    world.objects.remove(key);
    await world.run(hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(resources(world)).toEqual([group.toLowerCase()]);
  });
});
