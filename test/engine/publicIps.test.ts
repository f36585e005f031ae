import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/types.ts";
import { bodyOf, group, key, mutate, resources, seed } from "../support/defaultCluster.ts";
import { lookAgain } from "../support/turns.ts";
import { applyDefaultCluster, conditionsOf, createWorld, type World } from "../support/world.ts";

const hour = 60 * 60_000;
const network = `${group}/providers/Microsoft.Network`;
const address = (name: string): string => `${network}/publicIPAddresses/${name}`;
const api = address("api-ip");
const hashed = "c1-30dc860e.eastus.cloudapp.azure.com";

/** An address that somebody made beforehand, with a name in DNS or without. */
const theirs = (id: string, label?: string): JsonObject => ({
  id,
  location: "eastus",
  sku: { name: "Standard" },
  tags: { team: "net" },
  properties: {
    publicIPAllocationMethod: "Static",
    ...(label !== undefined && { dnsSettings: { domainNameLabel: label } }),
  },
});
const theirGroup = { id: group, location: "eastus", tags: { team: "net" } };

const specWith = (publicIP: JsonObject, more: JsonObject = {}): JsonObject => ({
  networkSpec: {
    vnet: { name: "c1-vnet" },
    subnets: [
      { name: "control-plane-subnet", role: "control-plane" },
      { name: "node-subnet", role: "node" },
    ],
    apiServerLB: { frontendIPs: [{ name: "front", publicIP }] },
  },
  ...more,
});
const setSpec = (world: World, spec: JsonObject): void =>
  void world.objects.edit(key, (object) => ({ ...object, spec: { ...object.spec, ...spec } }));
const aCluster = async (
  spec: JsonObject,
  before: readonly JsonObject[] = [],
  prepare: (world: World) => void = () => undefined,
): Promise<World> => {
  const world = createWorld();
  seed(world, ...before);
  prepare(world);
  applyDefaultCluster(world);
  setSpec(world, spec);
  await world.run(hour);
  return world;
};

const said = (world: World, type = "PublicIPsReady") => conditionsOf(world.objects.find(key))[type];
const endpoint = (world: World) => world.objects.find(key)?.spec["controlPlaneEndpoint"];
const since = (world: World, count: number): readonly string[] =>
  world
    .writes()
    .slice(count)
    .map(({ method, path }) => `${method} ${path.slice(network.length + 1)}`);
const writesTo = (world: World, id: string) => world.writes().filter(({ path }) => path.startsWith(id));
const dnsOf = (world: World, id: string) => (bodyOf(world, id)["properties"] as JsonObject)["dnsSettings"];

describe("an address of the API server that was brought along", () => {
  it("under the name that the spec gives is used as it is, and stays", async () => {
    const dnsName = "their-api.eastus.cloudapp.azure.com";
    const world = await aCluster(specWith({ name: "api-ip", dnsName }), [theirGroup, theirs(api, "their-api")]);
    expect(said(world, "Ready")).toMatchObject({ status: "True" });
    expect(endpoint(world)).toEqual({ host: dnsName, port: 6443 });
    world.objects.remove(key);
    await world.run(hour);
    expect(writesTo(world, api)).toEqual([]);
    expect(resources(world)).toContain(api.toLowerCase());
  });

  it.each([
    { what: "another name", label: "their-api", has: "their-api.eastus.cloudapp.azure.com" },
    { what: "no name", label: undefined, has: "null" },
  ])("with $what makes no endpoint that nothing resolves: both names are told", async ({ label, has }) => {
    const world = await aCluster(specWith({ name: "api-ip" }), [theirGroup, theirs(api, label)], (it) => {
      it.restless = "the name has to be said by a person";
    });
    // Upstream's endpoint: the hash of a name that the address does not have.
    expect(endpoint(world)).toBeUndefined();
    expect(said(world)).toMatchObject({ status: "False", reason: "ForeignConflict" });
    for (const word of [api, "properties.dnsSettings.fqdn", has]) expect(said(world)?.message).toContain(word);
    expect(writesTo(world, api)).toEqual([]);
    const dnsName = "their-api.eastus.cloudapp.azure.com";
    const dnsSettings = { domainNameLabel: "their-api", fqdn: dnsName };
    mutate(world, api, (body) => ({ ...body, properties: { ...(body["properties"] as JsonObject), dnsSettings } }));
    setSpec(world, specWith({ name: "api-ip", dnsName }));
    await lookAgain(world);
    expect(said(world)).toMatchObject({ status: "True" });
    expect(endpoint(world)).toEqual({ host: dnsName, port: 6443 });
  });

  it("needs no name when the spec says where the API server is found", async () => {
    const controlPlaneEndpoint = { host: "api.example.com", port: 6443 };
    const world = await aCluster(specWith({ name: "api-ip" }, { controlPlaneEndpoint }), [theirGroup, theirs(api)]);
    expect(said(world, "Ready")).toMatchObject({ status: "True" });
    expect(endpoint(world)).toEqual(controlPlaneEndpoint);
    expect(writesTo(world, api)).toEqual([]);
  });
});

describe("an address of ours", () => {
  it("has its label also where the spec says that the API server is found elsewhere", async () => {
    const world = await aCluster(
      specWith({ name: "pip-c1-apiserver" }, { controlPlaneEndpoint: { host: "api.example.com", port: 6443 } }),
    );
    expect(dnsOf(world, address("pip-c1-apiserver"))).toEqual({ domainNameLabel: "c1-30dc860e", fqdn: hashed });
    const count = world.writes().length;
    await lookAgain(world);
    expect(since(world, count)).toEqual([]);
  });

  it("keeps the name under which the cluster is found, whatever the spec says later", async () => {
    const world = await aCluster(specWith({ name: "pip-c1-apiserver" }));
    expect(endpoint(world)).toEqual({ host: hashed, port: 6443 });
    const count = world.writes().length;
    for (const dnsName of ["other.eastus.cloudapp.azure.com", hashed, ""]) {
      setSpec(world, specWith({ name: "pip-c1-apiserver", dnsName }));
      await world.run(hour);
    }
    await lookAgain(world);
    expect(since(world, count)).toEqual([]);
    expect(dnsOf(world, address("pip-c1-apiserver"))).toMatchObject({ fqdn: hashed });
    expect(endpoint(world)).toEqual({ host: hashed, port: 6443 });
  });

  it("whose name is taken in the region says so, and takes another one", async () => {
    const taken = "taken.eastus.cloudapp.azure.com";
    const world = await aCluster(
      specWith({ name: "pip-c1-apiserver", dnsName: taken }),
      [theirGroup, theirs(address("other"), "taken")],
      (it) => {
        it.restless = "the name stays taken";
      },
    );
    expect(endpoint(world)).toBeUndefined();
    expect(said(world)).toMatchObject({ status: "False", severity: "Error" });
    for (const word of ["DnsRecordInUse", taken, "choose another one"]) expect(said(world)?.message).toContain(word);
    setSpec(world, specWith({ name: "pip-c1-apiserver", dnsName: "free.eastus.cloudapp.azure.com" }));
    await world.run(hour);
    expect(said(world, "Ready")).toMatchObject({ status: "True" });
    expect(endpoint(world)).toEqual({ host: "free.eastus.cloudapp.azure.com", port: 6443 });
  });

  it("keeps its zones when the region has others later: nothing is written", async () => {
    const world = await aCluster(specWith({ name: "pip-c1-apiserver" }));
    const zones = () => bodyOf(world, address("pip-c1-apiserver"))["zones"];
    expect(zones()).toEqual(["1", "2", "3"]);
    world.faults.zones = () => ["1", "2"];
    const count = world.writes().length;
    await lookAgain(world);
    await lookAgain(world);
    expect(since(world, count)).toEqual([]);
    expect(zones()).toEqual(["1", "2", "3"]);
    expect(said(world)).toMatchObject({ status: "True" });
  });

  it("that shall serve two things is refused before anything is written", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    setSpec(world, { ...specWith({ name: "one" }), bastionSpec: { azureBastion: { publicIP: { name: "ONE" } } } });
    await world.run(hour);
    expect(world.writes()).toEqual([]);
    expect(said(world, "SpecValid")?.message).toContain("serves several");
  });
});
