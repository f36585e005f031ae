import { describe, expect, it } from "vitest";
import { adminAnswer } from "../../../src/sim/arm/admin.ts";
import type { Json } from "../../../src/sim/arm/json.ts";
import { mutateResource, removeResource, SeedError, seedResources } from "../../../src/sim/arm/otherWriter.ts";
import { aNetwork, aWorld, bodies, group, location, nsgId, subnetId, type TestWorld, vnetId } from "./aWorld.ts";

const admin = (world: TestWorld, method: string, path: string, body?: Json) =>
  adminAnswer(world.state, method, new URL(path, "http://127.0.0.1"), body, world.now());

describe("seeding", () => {
  it("puts resources in place, settled and filled, and makes their group", () => {
    const world = aWorld({ latency: 60_000 });
    seedResources(
      world.state,
      [
        { id: vnetId, ...(bodies.vnet() as Record<string, Json>) },
        { id: subnetId, ...(bodies.subnet() as Record<string, Json>) },
      ],
      world.now(),
    );
    expect(world.get(group).status).toBe(200);
    expect(world.get(subnetId).body).toMatchObject({ properties: { provisioningState: "Succeeded", delegations: [] } });
    expect(world.put(vnetId, { ...(bodies.vnet() as object), tags: { a: "1" } }).status).toBe(200);
  });

  it.each([{ id: `${vnetId}/subnets` }, { id: subnetId }, { id: "somewhere" }])("refuses $id", ({ id }) =>
    expect(() => seedResources(aWorld().state, [{ id }], 0)).toThrow(SeedError),
  );
});

describe("another writer", () => {
  it("changes a resource: new etag, no checks, entry in the feed", () => {
    const world = aNetwork();
    const before = world.get(vnetId).headers["etag"]!;
    mutateResource(world.state, vnetId, (body) => ({ ...body, tags: { foreign: "yes" } }), world.now());
    expect(world.get(vnetId).body).toMatchObject({ tags: { foreign: "yes" } });
    expect(world.put(vnetId, bodies.vnet(), { headers: { "if-match": before } }).status).toBe(412);
    expect(world.state.changes.at(-1)).toMatchObject({
      by: "another-writer",
      change: "Update",
      fields: expect.arrayContaining([{ path: "tags.foreign", after: "yes" }]),
    });
  });

  it("changes a child in place", () => {
    const world = aNetwork();
    world.put(nsgId, { location, properties: { securityRules: [{ name: "a", properties: bodies.rule(100) }] } });
    world.get(nsgId);
    mutateResource(
      world.state,
      `${nsgId}/securityRules/a`,
      (body) => {
        (body["properties"] as Record<string, Json>)["access"] = "Deny";
        return undefined;
      },
      world.now(),
    );
    expect(world.get(`${nsgId}/securityRules/a`).body).toMatchObject({ properties: { access: "Deny" } });
    expect(() => mutateResource(world.state, `${nsgId}/securityRules/b`, () => undefined, 0)).toThrow(SeedError);
  });

  it("takes resources and children away", () => {
    const world = aNetwork();
    expect(removeResource(world.state, subnetId, world.now())).toBe(true);
    expect(world.get(subnetId).status).toBe(404);
    expect(removeResource(world.state, subnetId, world.now())).toBe(false);
    expect(removeResource(world.state, vnetId, world.now())).toBe(true);
    expect(world.get(vnetId).status).toBe(404);
  });
});

describe("the admin interface", () => {
  it("seeds, merges, deletes, lists", () => {
    const world = aWorld();
    expect(
      admin(world, "PUT", "/_sim/resources", [
        { id: vnetId, ...(bodies.vnet() as object) },
        { id: vnetId, merge: { tags: { a: "1", b: null } } },
      ]),
    ).toEqual({ status: 200, body: { changed: 2 } });
    expect(admin(world, "GET", `/_sim/resources?prefix=${vnetId}`)?.body).toMatchObject([
      { id: vnetId, tags: { a: "1" } },
    ]);
    admin(world, "PUT", "/_sim/resources", { id: vnetId, delete: true });
    expect(admin(world, "GET", `/_sim/resources?prefix=${vnetId}`)?.body).toEqual([]);
    expect(admin(world, "PUT", "/_sim/resources", { id: "x" })?.status).toBe(400);
  });

  it("sets faults, in words and in patterns, and says what is wrong with one", () => {
    const world = aWorld();
    expect(
      admin(world, "POST", "/_sim/faults", [
        {
          match: { method: "GET", pattern: "RESOURCEGROUPS/rg$" },
          fault: { kind: "respond", status: 500, code: "Boom" },
        },
      ])?.status,
    ).toBe(200);
    expect(world.get(group).code).toBe("Boom");
    expect(admin(world, "POST", "/_sim/faults", [{ match: { pattern: "(" }, fault: { kind: "drop" } }])?.status).toBe(
      400,
    );
    expect(admin(world, "POST", "/_sim/faults", [{ match: {}, fault: { kind: "explode" } }])?.status).toBe(400);
    expect(admin(world, "POST", "/_sim/faults", [{ match: {}, fault: { kind: "respond" } }])?.status).toBe(400);
  });

  it("shows requests since a number, sets options, ends operations, and resets", () => {
    const world = aWorld();
    world.get(group);
    world.put(group, { location });
    expect(admin(world, "GET", "/_sim/requests?since=1")?.body).toMatchObject({
      count: 2,
      requests: [{ method: "PUT", status: 201 }],
    });
    admin(world, "PUT", "/_sim/options", { latency: 60_000 });
    const accepted = world.put(vnetId, bodies.vnet());
    admin(world, "POST", "/_sim/finish");
    expect(world.poll(accepted).body).toEqual({ status: "Succeeded" });
    admin(world, "POST", "/_sim/reset");
    expect([world.state.resources.size, world.state.requests.length]).toEqual([0, 0]);
    expect(world.state.options.latency).toBe(60_000);
    expect(admin(world, "GET", "/_sim/none")?.status).toBe(404);
    expect(admin(world, "GET", "/subscriptions")).toBeUndefined();
  });
});
