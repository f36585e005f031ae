import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/types.ts";
import { bodyOf, group, ids, key, mutate, ownerTag, withTag } from "../support/defaultCluster.ts";
import { conditionOf, hourOf } from "../support/fights.ts";
import { lookAgain } from "../support/turns.ts";
import { conditionsOf, type World } from "../support/world.ts";
import { network } from "./edits/editCase.ts";
import { refusalsOf, standingCluster, writesAfter, writesOfAnotherLook } from "./edits/editedWorld.ts";
import { rich } from "./edits/richSpec.ts";

const roleTag = "sigs.k8s.io_cluster-api-provider-azure_role";
/** All that can carry tags of ours: everything but subnets, peerings and records. */
const taggable: readonly string[] = [
  "resourceGroups/c1",
  "bastionHosts/c1-azure-bastion",
  "loadBalancers/c1",
  "loadBalancers/c1-internal-lb",
  "loadBalancers/c1-outbound-lb",
  "natGateways/c1-node-natgw-1",
  "networkSecurityGroups/c1-controlplane-nsg",
  "networkSecurityGroups/c1-node-nsg",
  "privateDnsZones/c1.capz.io",
  "privateDnsZones/c1.capz.io/virtualNetworkLinks/c1-vnet-link",
  "privateDnsZones/c1.capz.io/virtualNetworkLinks/hub-link",
  "privateEndpoints/pe",
  "publicIPAddresses/c1-azure-bastion-pip",
  "publicIPAddresses/pip-c1-controlplane-outbound",
  "publicIPAddresses/pip-c1-node-natgw-1",
  "publicIPAddresses/pip-c1-node-outbound",
  "routeTables/c1-node-routetable",
  "virtualNetworks/c1-vnet",
];
const everywhere = (...paths: readonly string[]): readonly string[] =>
  taggable.map((id) => `PATCH ${id}: ${paths.map((path) => `tags.${path}`).join(", ")}`).toSorted();

const tagsOf = (world: World, id: string): JsonObject => (bodyOf(world, id)["tags"] ?? {}) as JsonObject;
const owned = (world: World): readonly string[] =>
  [...world.arm.resources.values()].flatMap(({ id, body }) =>
    ownerTag in ((body["tags"] ?? {}) as JsonObject) ? [id] : [],
  );
const asking = (world: World, additionalTags: JsonObject | null) =>
  writesAfter(world, { additionalTags }).then((writes) => writes.toSorted());
const atRest = { azure: [], object: "unchanged" };
const numbered = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`t${index}`, ""]));

describe("additional tags", () => {
  it("come, change and go with one write a resource, and leave those of others", async () => {
    const world = await standingCluster(rich);
    expect(owned(world)).toHaveLength(taggable.length);
    for (const id of owned(world)) mutate(world, id, (body) => withTag(body, "policy", "theirs"));
    expect(await asking(world, { team: "blue", cost: "7" })).toEqual(everywhere("cost", "team"));
    expect(await writesOfAnotherLook(world)).toEqual(atRest);
    expect(await asking(world, { team: "red" })).toEqual(everywhere("team"));
    expect(await writesOfAnotherLook(world)).toEqual(atRest);
    expect(await asking(world, { cost: null, team: null })).toEqual(everywhere("cost", "team"));
    expect(await writesOfAnotherLook(world)).toEqual(atRest);
    for (const id of owned(world)) {
      expect(tagsOf(world, id), id).toMatchObject({ policy: "theirs", [ownerTag]: "owned" });
      expect(Object.keys(tagsOf(world, id)).filter((name) => name === "team" || name === "cost")).toEqual([]);
    }
  });

  it("that change while others come and go need two writes at most, one that sets and one that takes away", async () => {
    const world = await standingCluster({ additionalTags: { team: "blue" } });
    const writes = await asking(world, { team: null, other: "1" });
    expect(writes.filter((write) => write.includes("loadBalancers/c1-public-lb"))).toHaveLength(2);
    expect(tagsOf(world, ids.lb)).toMatchObject({ other: "1" });
    expect(tagsOf(world, ids.lb)).not.toHaveProperty("team");
    expect(await writesOfAnotherLook(world)).toEqual(atRest);
  });

  it("never take the place of ours, and do not take ours along when they go", async () => {
    const world = await standingCluster();
    await asking(world, { [ownerTag]: "shared", [roleTag]: "mine", Name: "mine" });
    const ours = { [ownerTag]: "owned", [roleTag]: "common", Name: "c1-vnet" };
    expect(tagsOf(world, ids.vnet)).toEqual(ours);
    expect(tagsOf(world, ids.lb)).toEqual({ [ownerTag]: "owned", [roleTag]: "apiserver", Name: "mine" });
    await asking(world, null);
    expect(tagsOf(world, ids.vnet)).toEqual(ours);
    expect(tagsOf(world, ids.lb)).toEqual({ [ownerTag]: "owned", [roleTag]: "apiserver" });
    expect(await writesOfAnotherLook(world)).toEqual(atRest);
  });

  it("are one whatever their case", async () => {
    const world = await standingCluster();
    mutate(world, ids.lb, (body) => withTag(body, "team", "theirs"));
    expect(await asking(world, { TEAM: "blue" })).toContain("PATCH loadBalancers/c1-public-lb: tags.TEAM, tags.team");
    expect(tagsOf(world, ids.lb)).toMatchObject({ TEAM: "blue" });
    expect(tagsOf(world, ids.lb)).not.toHaveProperty("team");
    expect(await asking(world, { TEAM: null, Team: "blue" })).toEqual([]);
    expect(await writesOfAnotherLook(world)).toEqual(atRest);
    await asking(world, { Team: null });
    expect(Object.keys(tagsOf(world, ids.lb)).filter((name) => /^team$/i.test(name))).toEqual([]);
  });

  it("that somebody takes away or rewrites come back, ours too", async () => {
    const world = await standingCluster({ additionalTags: { team: "blue" } });
    await lookAgain(world);
    mutate(world, ids.vnet, (body) => withTag(withTag(withTag(body, "Name", undefined), roleTag, "x"), "team", "red"));
    const sent = world.writes().length;
    await lookAgain(world);
    expect(world.writes().slice(sent)).toHaveLength(1);
    expect(tagsOf(world, ids.vnet)).toMatchObject({ team: "blue", Name: "c1-vnet", [roleTag]: "common" });
  });
});

describe("limits of tags", () => {
  it.each([
    ["a name with a character that Azure refuses", { "a<b": "1" }],
    ["a name of 513 characters", { ["k".repeat(513)]: "1" }],
    ["an empty name", { "": "1" }],
    ["a value of 257 characters", { a: "v".repeat(257) }],
    ["more than fifty, with ours", numbered(48)],
  ])("%s: refused by the API server, and before any write where it was there before", async (_, additionalTags) => {
    const world = await standingCluster();
    expect(refusalsOf(world, { additionalTags })).toMatchObject([
      { path: expect.stringMatching(/^spec\.additionalTags/) },
    ]);
    expect(await asking(world, additionalTags)).toEqual([]);
    expect(conditionsOf(world.objects.find(key))["SpecValid"]).toMatchObject({ status: "False" });
  });

  it.each([
    ["a name of 512 characters", { ["k".repeat(512)]: "1" }],
    ["a value of 256 characters", { a: "v".repeat(256) }],
    ["fifty, with ours", numbered(47)],
  ])("%s: taken", async (_, additionalTags) => {
    const world = await standingCluster();
    expect(refusalsOf(world, { additionalTags })).toEqual([]);
    await asking(world, additionalTags);
    expect(tagsOf(world, ids.vnet)).toMatchObject(additionalTags);
    expect(await writesOfAnotherLook(world)).toEqual(atRest);
  });
});

describe("a fight over a tag", () => {
  it("is told, and keeps nothing else from going on", async () => {
    const world = await standingCluster({ additionalTags: { team: "blue" } });
    await hourOf({ world, deps: world.deps }, () => mutate(world, ids.lb, (body) => withTag(body, "team", "RED")));
    expect(conditionOf(world, "LoadBalancersReady")).toMatchObject({ status: "False", reason: "TagContested" });
    expect(conditionOf(world, "LoadBalancersReady")?.message).toMatch(/tags\.team.*"RED".*"blue"/);
    const ranges = network({ vnet: { cidrBlocks: ["10.0.0.0/8", "172.16.0.0/16"] } });
    expect(await writesAfter(world, ranges)).toContain(
      "PUT virtualNetworks/c1-vnet: properties.addressSpace.addressPrefixes",
    );
  });
});

describe("tags that Azure does not take", () => {
  const withRange = network({ vnet: { cidrBlocks: ["10.0.0.0/8", "172.16.0.0/16"] } });
  const rangeWritten = "PUT virtualNetworks/c1-vnet: properties.addressSpace.addressPrefixes";
  const withForeign = (world: World, id: string, count: number): void =>
    mutate(world, id, (body) => ({ ...body, tags: { ...(body["tags"] as JsonObject), ...numbered(count) } }));

  it("because others' fill the room are left out and named, and all else is written", async () => {
    const world = await standingCluster();
    withForeign(world, group, 46);
    const writes = await writesAfter(world, { additionalTags: { a: "1", b: "2", c: "3" }, ...withRange });
    expect(writes).toContain("PATCH resourceGroups/c1: tags.a");
    expect(writes).toContain(`${rangeWritten}, tags.a, tags.b, tags.c`);
    expect(tagsOf(world, group)).toMatchObject({ a: "1", [ownerTag]: "owned" });
    expect(conditionOf(world, "ResourceGroupReady")).toMatchObject({ status: "False", reason: "TooManyTags" });
    expect(conditionOf(world, "ResourceGroupReady")?.message).toContain(`${group}: tags b, c are left out`);
    expect(await writesOfAnotherLook(world)).toEqual(atRest);
    mutate(world, group, (body) => withTag(withTag(body, "t0", undefined), "t1", undefined));
    await lookAgain(world);
    expect(tagsOf(world, group)).toMatchObject({ a: "1", b: "2", c: "3" });
    expect(conditionOf(world, "ResourceGroupReady")).toMatchObject({ status: "True" });
  });

  it("for a policy's sake hold nothing back but themselves", async () => {
    const world = await standingCluster();
    const match = { method: "PATCH", path: /resourceGroups\/c1\/providers\/Microsoft\.Resources\/tags/i, times: 1_000 };
    const fault = {
      kind: "respond",
      status: 403,
      code: "RequestDisallowedByPolicy",
      message: "Tag a is not allowed.",
    } as const;
    world.arm.faults.push({ rule: { match, fault }, seen: 0 });
    const writes = await writesAfter(world, { additionalTags: { a: "1" }, ...withRange });
    expect(writes).toContain(`${rangeWritten}, tags.a`);
    expect(conditionOf(world, "ResourceGroupReady")).toMatchObject({ status: "False", reason: "Failed" });
    expect(conditionOf(world, "ResourceGroupReady")?.message).toContain("Tag a is not allowed.");
    expect(conditionOf(world, "VNetReady")).toMatchObject({ status: "True" });
    expect(world.objects.find(key)?.status["ready"]).toBe(true);
    world.restless = "the policy refuses for ever";
  });
});
