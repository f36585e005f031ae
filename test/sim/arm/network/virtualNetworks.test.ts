import { describe, expect, it } from "vitest";
import type { Json } from "../../../../src/sim/arm/json.ts";
import { aGroup, aMachine, aNetwork, bodies, location, network, nicId, subnetId, vmId, vnetId } from "../aWorld.ts";

const errorOf = (answer: { readonly status: number; readonly code: string }) => `${answer.status} ${answer.code}`;
const properties = (answer: { readonly body: unknown }) =>
  (answer.body as { properties: Record<string, Json> }).properties;
const names = (list: Json | undefined) => (list as { name: string }[]).map(({ name }) => name);

describe("virtual networks and their subnets", () => {
  it("a subnet inline and by its own URL are one object", () => {
    const world = aGroup();
    world.put(vnetId, {
      location,
      properties: {
        addressSpace: { addressPrefixes: ["10.0.0.0/8"] },
        subnets: [{ name: "node", properties: { addressPrefix: "10.1.0.0/16" } }],
      },
    });
    expect(world.get(subnetId).body).toMatchObject({
      id: subnetId,
      type: "Microsoft.Network/virtualNetworks/subnets",
      properties: { addressPrefix: "10.1.0.0/16" },
    });
    world.put(subnetId, bodies.subnet("10.2.0.0/16"));
    expect(properties(world.get(vnetId))["subnets"]).toMatchObject([
      { name: "node", properties: { addressPrefix: "10.2.0.0/16" } },
    ]);
    expect(world.get(`${vnetId}/subnets`).body).toMatchObject({ value: [{ name: "node" }] });
    world.del(subnetId);
    expect(properties(world.get(vnetId))["subnets"]).toEqual([]);
  });

  it.each([
    { when: "a PUT leaves the list out", apiVersion: "2023-11-01", subnets: undefined, left: ["node"] },
    { when: "an old api-version leaves the list out", apiVersion: "2021-08-01", subnets: undefined, left: [] },
    {
      when: "a PUT names one other",
      apiVersion: "2025-09-01",
      subnets: [{ name: "b", properties: { addressPrefix: "10.9.0.0/16" } }],
      left: ["b"],
    },
    { when: "a PUT names none", apiVersion: "2025-09-01", subnets: [], left: [] },
  ])("$when: $left remain", ({ apiVersion, subnets, left }) => {
    const world = aNetwork();
    world.put(
      vnetId,
      {
        location,
        properties: {
          addressSpace: { addressPrefixes: ["10.0.0.0/8"] },
          ...(subnets === undefined ? {} : { subnets }),
        },
      },
      { apiVersion },
    );
    expect(names(properties(world.get(vnetId))["subnets"])).toEqual(left);
  });

  it.each([
    { when: "outside of the address space", prefix: "192.168.0.0/24", gives: "400 NetcfgInvalidSubnet" },
    { when: "overlapping another", prefix: "10.1.128.0/24", gives: "400 NetcfgSubnetRangesOverlap" },
    { when: "with host bits", prefix: "10.2.0.1/16", gives: "400 InvalidCIDRNotation" },
    { when: "that is none", prefix: "ten", gives: "400 InvalidCIDRNotation" },
  ])("a prefix $when: $gives", ({ prefix, gives }) =>
    expect(errorOf(aNetwork().put(`${vnetId}/subnets/other`, bodies.subnet(prefix)))).toBe(gives),
  );

  it("a subnet in use is neither deleted, left out, nor re-addressed", () => {
    const world = aMachine();
    expect(errorOf(world.del(subnetId))).toBe("400 InUseSubnetCannotBeDeleted");
    expect(errorOf(world.del(vnetId))).toBe("400 InUseSubnetCannotBeDeleted");
    expect(
      errorOf(
        world.put(vnetId, { location, properties: { addressSpace: { addressPrefixes: ["10.0.0.0/8"] }, subnets: [] } }),
      ),
    ).toBe("400 InUseSubnetCannotBeDeleted");
    expect(errorOf(world.put(subnetId, bodies.subnet("10.7.0.0/16")))).toBe("400 InUsePrefixCannotBeDeleted");
    expect(properties(world.get(subnetId))["ipConfigurations"]).toEqual([{ id: `${nicId}/ipConfigurations/ip` }]);
  });

  it.each([
    { subnetPrefixes: "asSent", gives: { addressPrefix: "10.1.0.0/16", addressPrefixes: undefined } },
    { subnetPrefixes: "list", gives: { addressPrefix: undefined, addressPrefixes: ["10.1.0.0/16"] } },
    { subnetPrefixes: "both", gives: { addressPrefix: "10.1.0.0/16", addressPrefixes: ["10.1.0.0/16"] } },
    { subnetPrefixes: "single", gives: { addressPrefix: "10.1.0.0/16", addressPrefixes: undefined } },
  ] as const)("one prefix comes back as option $subnetPrefixes says", ({ subnetPrefixes, gives }) => {
    const { addressPrefix, addressPrefixes } = properties(aNetwork({ subnetPrefixes }).get(subnetId)) as Record<
      string,
      Json
    >;
    expect({ addressPrefix, addressPrefixes }).toEqual(gives);
  });

  it("a child needs its parent", () => {
    const world = aGroup();
    expect(errorOf(world.put(subnetId, bodies.subnet()))).toBe("404 ParentResourceNotFound");
    expect(errorOf(world.put(`${vmId}/extensions/e`, { location, properties: {} }))).toBe("404 ParentResourceNotFound");
    expect(errorOf(world.get(`${vnetId}/subnets`))).toBe("404 ParentResourceNotFound");
  });
});

describe("etags and conditions", () => {
  it.each([
    { when: "If-Match is current", path: vnetId, header: "if-match", stale: false, gives: 200 },
    { when: "If-Match is stale", path: vnetId, header: "if-match", stale: true, gives: 412 },
    { when: "If-Match of a child is current", path: subnetId, header: "if-match", stale: false, gives: 200 },
    { when: "If-Match of a child is stale", path: subnetId, header: "if-match", stale: true, gives: 412 },
  ])("$when: $gives", ({ path, header, stale, gives }) => {
    const world = aNetwork();
    const etag = stale ? 'W/"00000000-0000-0000-0000-000000000000"' : world.get(path).headers["etag"]!;
    const body = path === vnetId ? { ...(bodies.vnet() as object), tags: { a: "1" } } : bodies.subnet("10.3.0.0/16");
    expect(world.put(path, body, { headers: { [header]: etag } }).status).toBe(gives);
  });

  it("If-None-Match * makes a PUT a creation, If-Match * an update", () => {
    const world = aNetwork();
    expect(world.put(vnetId, bodies.vnet(), { headers: { "if-none-match": "*" } })).toMatchObject({
      status: 412,
      code: "PreconditionFailed",
    });
    expect(
      world.put(`${network}/virtualNetworks/new`, bodies.vnet(), { headers: { "if-none-match": "*" } }).status,
    ).toBe(201);
    expect(world.put(`${network}/virtualNetworks/none`, bodies.vnet(), { headers: { "if-match": "*" } }).status).toBe(
      412,
    );
    expect(world.del(vnetId, { headers: { "if-match": 'W/"x"' } }).status).toBe(412);
  });
});

describe("PATCH on network resources", () => {
  it("sets tags and nothing else", () => {
    const world = aNetwork();
    expect(
      world.patch(vnetId, { tags: { a: "1" }, properties: { addressSpace: { addressPrefixes: [] } } }),
    ).toMatchObject({
      status: 200,
      body: { tags: { a: "1" }, properties: { addressSpace: { addressPrefixes: ["10.0.0.0/8"] } } },
    });
    expect(world.patch(`${network}/virtualNetworks/none`, { tags: {} }).status).toBe(404);
  });
});
