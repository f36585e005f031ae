import { describe, expect, it } from "vitest";
import { idKey } from "../../src/core/ids.ts";
import type { JsonObject } from "../../src/core/types.ts";
import { activeFaults, type FaultRule } from "../../src/sim/arm/faults.ts";
import { key, loseIdentity, mutate, ownerTag, seed, withTag } from "../support/defaultCluster.ts";
import { first } from "../support/identity/heldIdentities.ts";
import {
  type BroughtAlong,
  expectGone,
  groups,
  parts,
  richCluster,
  standing,
  takeAway,
  wholeAzure,
} from "../support/richCluster.ts";
import { conditionsOf, type createWorld, type World } from "../support/world.ts";

const minute = 60_000;
const hour = 60 * minute;
const all: readonly BroughtAlong[] = ["clusterGroup", "networkGroup", "zone"];

/** Something that goes wrong around the deletion of a rich cluster that stands. */
interface Trouble {
  readonly when: string;
  readonly theirs?: readonly BroughtAlong[];
  readonly options?: Parameters<typeof createWorld>[0];
  /** What happens before the deletion. */
  readonly happens: (world: World) => void;
  /** What blocks it, in words of the condition, until somebody does something. */
  readonly blocked?: { readonly says: readonly string[]; readonly until: (world: World) => void };
  /** What stays beside what was there before, as it is when the deletion begins. */
  readonly stays?: readonly string[];
}

const summary = (world: World) => conditionsOf(world.objects.find(key))["NetworkInfrastructureReady"];

const respond = (method: string, id: string, status: number, code: string, message: string) => (world: World) =>
  void world.arm.faults.push(
    ...activeFaults([
      {
        match: { method, path: new RegExp(`${id}$`, "i"), times: Number.POSITIVE_INFINITY },
        fault: { kind: "respond", status, code, message },
      },
    ]),
  );
const heal = (world: World): void => void world.arm.faults.splice(0);

const lockOf = (scope: string): string => `${scope}/providers/Microsoft.Authorization/locks/keep`;
const locked = (what: string, scope: string, theirs: readonly BroughtAlong[] = []): Trouble => ({
  when: `a management lock stands on ${what}`,
  theirs,
  happens: respond("DELETE", scope, 409, "ScopeLocked", `the scope is locked by ${lockOf(scope)}`),
  blocked: { says: [scope, lockOf(scope)], until: heal },
});

/** Goes without a hitch, whatever is not there any more. */
const lost = (what: string, id: string, theirs: readonly BroughtAlong[] = []): Trouble => ({
  when: `${what} is gone`,
  theirs,
  happens: (world) => takeAway(world, id),
});

const failedState = (world: World, id: string): void =>
  mutate(world, id, (body) => ({
    ...body,
    properties: { ...(body["properties"] as JsonObject), provisioningState: "Failed" },
  }));

const kubernetes = { "k8s-azure-service": "default/web", "k8s-azure-cluster-name": "c1" };
const network = (resourceGroup: string): string => `${resourceGroup}/providers/Microsoft.Network`;
const serviceAddress = `${network(groups.cluster)}/publicIPAddresses/kubernetes-a1`;
const serviceBalancer = `${network(groups.cluster)}/loadBalancers/kubernetes-internal`;
const theirNic = `${network(groups.hub)}/networkInterfaces/jump-nic`;

const anAddress: JsonObject = {
  id: serviceAddress,
  location: "eastus",
  tags: kubernetes,
  sku: { name: "Standard" },
  properties: { publicIPAllocationMethod: "Static" },
};
const anInternalBalancer: JsonObject = {
  id: serviceBalancer,
  location: "eastus",
  sku: { name: "Standard" },
  properties: {
    frontendIPConfigurations: [
      { name: "a1", properties: { subnet: { id: parts.nodeSubnet }, privateIPAllocationMethod: "Dynamic" } },
    ],
  },
};
const aNic: JsonObject = {
  id: theirNic,
  location: "eastus",
  tags: { team: "ops" },
  properties: { ipConfigurations: [{ name: "ip", properties: { subnet: { id: parts.nodeSubnet } } }] },
};

/** What the cloud provider inside the workload cluster adds to resources of ours. */
const byCloudProvider = (world: World): void => {
  const list = (body: JsonObject, name: string): readonly JsonObject[] =>
    ((body["properties"] as JsonObject)[name] ?? []) as readonly JsonObject[];
  const add = (id: string, name: string, item: JsonObject): void =>
    mutate(world, id, (body) => ({
      ...body,
      properties: { ...(body["properties"] as JsonObject), [name]: [...list(body, name), item] },
    }));
  add(parts.nodeNsg, "securityRules", {
    name: "k8s-azure-lb_allow_IPv4",
    properties: {
      protocol: "Tcp",
      direction: "Inbound",
      access: "Allow",
      priority: 500,
      sourceAddressPrefix: "Internet",
      sourcePortRange: "*",
      destinationAddressPrefix: "*",
      destinationPortRange: "80",
    },
  });
  add(parts.routeTable, "routes", {
    name: "node-1",
    properties: { addressPrefix: "10.244.0.0/24", nextHopType: "VirtualAppliance", nextHopIpAddress: "10.1.0.4" },
  });
  add(parts.outbound, "frontendIPConfigurations", {
    name: "a1",
    properties: { publicIPAddress: { id: serviceAddress } },
  });
};

const editIdentity = (world: World, name: string): void =>
  void world.objects.edit(first, (object) => ({
    ...object,
    spec: { ...object.spec, clientSecret: { name, namespace: "default" } },
  }));

const identityBack = (world: World): void => {
  world.objects.put({
    apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
    kind: "AzureClusterIdentity",
    metadata: { name: "sp", namespace: "default" },
    spec: {
      type: "ServicePrincipal",
      tenantID: "00000000-0000-4000-8000-0000000000aa",
      clientID: "00000000-0000-4000-8000-0000000000bb",
      clientSecret: { name: "sp-secret", namespace: "default" },
      allowedNamespaces: {},
    },
  });
};

const troubles: readonly Trouble[] = [
  ...[parts.balancer, parts.bastion, parts.gateway, parts.endpoint, parts.vnet].map((id) => ({
    when: `${id.split("/").slice(-2).join(" ")} has failed, and all is deleted one by one`,
    theirs: all,
    happens: (world: World) => failedState(world, id),
  })),
  {
    when: "its identity is gone",
    happens: loseIdentity,
    blocked: { says: [groups.cluster, groups.network, parts.zone, parts.reversePeering], until: identityBack },
  },
  {
    when: "the secret of its identity is gone",
    happens: (world) => editIdentity(world, "none"),
    blocked: {
      says: [groups.cluster, groups.network, parts.zone, parts.reversePeering],
      until: (world) => editIdentity(world, "sp-secret"),
    },
  },
  lost("its group", groups.cluster),
  lost("the group that others made for it", groups.cluster, all),
  lost("the network's group", groups.network),
  lost("the network's group that others made", groups.network, ["networkGroup"]),
  lost("the group of the zone", groups.dns),
  lost("the group of others' zone", groups.dns, all),
  lost("the remote network's group", groups.hub, ["clusterGroup"]),
  lost("the remote network, before the peering in it", parts.hub),
  lost("its zone", parts.zone),
  lost("others' zone", parts.zone, ["zone"]),
  lost("the link of its network", parts.zoneLink, ["networkGroup"]),
  lost("its network", parts.vnet, ["networkGroup"]),
  locked("its group", groups.cluster),
  locked("the network's group", groups.network),
  locked("the network", parts.vnet, all),
  locked("the zone", parts.zone),
  locked("the record in others' zone", parts.record, ["zone"]),
  locked("the peering in the remote network", parts.reversePeering),
  {
    when: "the cloud provider has made things for Services, in groups of the cluster's",
    happens: (world) => {
      seed(world, anAddress, anInternalBalancer);
      byCloudProvider(world);
    },
  },
  {
    when: "the cloud provider has made things for Services, in groups that others made",
    theirs: all,
    happens: (world) => {
      seed(world, anAddress);
      byCloudProvider(world);
    },
    stays: [serviceAddress],
  },
  {
    when: "a Service's load balancer stands in a subnet of others' group",
    theirs: ["networkGroup"],
    happens: (world) => seed(world, anInternalBalancer),
  },
  {
    when: "a Service's load balancer stands in a subnet, and both groups are others'",
    theirs: all,
    happens: (world) => seed(world, anInternalBalancer),
    blocked: { says: [parts.nodeSubnet, serviceBalancer], until: (world) => takeAway(world, serviceBalancer) },
  },
  {
    when: "a machine of somebody else's stands in a subnet",
    theirs: ["networkGroup"],
    happens: (world) => seed(world, aNic),
    blocked: { says: [parts.nodeSubnet, theirNic], until: (world) => takeAway(world, theirNic) },
  },
  {
    when: "deleting the bastion host takes long",
    theirs: all,
    options: { latency: { types: { "Microsoft.Network/bastionHosts": { delete: 40 * minute } } } },
    happens: () => {},
  },
  {
    when: "the owner tag was taken off the zone",
    happens: (world) => mutate(world, parts.zone, (body) => withTag(body, ownerTag, undefined)),
    stays: [parts.zone],
  },
];

describe("a rich cluster goes, and nothing else", () => {
  it.each(troubles)("when $when", async ({ theirs, options, happens, blocked, stays = [] }) => {
    const { world, before } = await standing(theirs, options);
    happens(world);
    const now = wholeAzure(world);
    const stay = new Set(stays.map(idKey));
    const left = Object.entries(now).flatMap(([id, body]) => {
      const is = stay.has(id) ? body : before[id];
      return is === undefined ? [] : [[id, is] as const];
    });
    world.objects.remove(key);
    if (blocked !== undefined) {
      await world.run(hour);
      expect(summary(world)).toMatchObject({ status: "False", severity: "Warning", reason: "DeleteBlocked" });
      for (const words of blocked.says) expect(summary(world)?.message).toContain(words);
      blocked.until(world);
    }
    await world.run(6 * hour);
    await expectGone({ world, before: Object.fromEntries(left) });
  });
});

describe("a bastion host that takes long to go", () => {
  it("lets go meanwhile what does not wait for it, without a word of trouble", async () => {
    const rich = await standing(all, {
      latency: { types: { "Microsoft.Network/bastionHosts": { delete: 40 * minute } } },
    });
    const { world } = rich;
    world.objects.remove(key);
    await world.run(30 * minute);
    const said = conditionsOf(world.objects.find(key));
    expect(summary(world)).toMatchObject({ status: "False", severity: "Info", reason: "Deleting" });
    expect(said["BastionHostReady"]).toMatchObject({ status: "False", severity: "Info", reason: "Deleting" });
    for (const type of ["LoadBalancersReady", "PrivateEndpointsReady", "VnetPeeringReady", "PrivateDNSRecordReady"])
      expect(said[type]).toMatchObject({ reason: "Deleted" });
    // Azure asks to be looked at each ten seconds.
    const polls = world.calls.filter(({ name, path }) => name === "arm poll" && path === parts.bastion);
    expect(polls.length).toBeLessThanOrEqual(6 * 30);
    await world.run(hour);
    await expectGone(rich);
  });
});

const failing = (id: string): FaultRule => ({
  match: { method: "PUT", path: new RegExp(`${id}$`, "i"), times: Number.POSITIVE_INFINITY },
  fault: { kind: "failOperation", code: "InternalServerError", message: "it did not work" },
});
const forbidden = (id: string): FaultRule => ({
  match: { method: "PUT", path: new RegExp(`${id}$`, "i"), times: Number.POSITIVE_INFINITY },
  fault: { kind: "respond", status: 403, code: "RequestDisallowedByPolicy", message: "a policy forbids it" },
});

describe("a rich cluster that never came to stand goes, and nothing else", () => {
  it.each([
    ...[parts.vnet, parts.gateway, parts.balancer, parts.bastion, parts.endpoint].map((id) => ({
      what: `making ${id.split("/").slice(-2).join(" ")} fails`,
      rule: failing(id),
    })),
    ...[groups.network, parts.zone, parts.zoneLink, parts.reversePeering, parts.routeTable, parts.nodeSubnet].map(
      (id) => ({
        what: `a policy forbids ${id.split("/").slice(-2).join(" ")}`,
        rule: forbidden(id),
      }),
    ),
  ])("when $what", async ({ rule }) => {
    for (const theirs of [[], all]) {
      const rich = richCluster(theirs, { latency: 5_000 });
      const { world } = rich;
      world.arm.faults.push(...activeFaults([rule]));
      await world.run(2 * hour);
      // Others made what the rule is about: then all is well.
      if (theirs.length === 0)
        expect(conditionsOf(world.objects.find(key))["Ready"]).toMatchObject({ status: "False" });
      const made = world.writes().length;
      world.objects.remove(key);
      await world.run(2 * hour);
      expect(
        world
          .writes()
          .slice(made)
          .filter(({ method }) => method !== "DELETE"),
      ).toEqual([]);
      await expectGone(rich);
    }
  });
});
