import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/sim/arm/json.ts";
import {
  aGroup,
  aMachine,
  aNetwork,
  aWorld,
  bodies,
  group,
  location,
  nicId,
  pipId,
  subscription,
  type TestWorld,
  vmId,
  vnetId,
} from "./aWorld.ts";

const errorOf = (answer: { readonly status: number; readonly code: string }) => `${answer.status} ${answer.code}`;
const valuesOf = (answer: { readonly body: unknown }) =>
  (answer.body as { value: { name: string; id: string }[] }).value;
const namesOf = (answer: { readonly body: unknown }) => valuesOf(answer).map(({ name }) => name);
const sub = `/subscriptions/${subscription}`;

describe("types without rules of their own", () => {
  const id = `${group}/providers/Contoso.Widgets/gadgets/g`;

  it("are stored as they come, with tags, etag and an operation", () => {
    const world = aGroup({ latency: 1_000 });
    const accepted = world.put(id, {
      location,
      tags: { a: "1" },
      sku: { name: "x" },
      properties: { deep: [{ b: null }] },
    });
    expect(accepted).toMatchObject({
      status: 201,
      body: { properties: { provisioningState: "Creating", deep: [{ b: null }] } },
    });
    world.advance(1_000);
    expect(world.poll(accepted).body).toMatchObject({ status: "Succeeded" });
    expect(world.get(id).body).toMatchObject({
      type: "Contoso.Widgets/gadgets",
      etag: expect.any(String),
      sku: { name: "x" },
    });
    expect(world.patch(id, { properties: { more: 1 } })).toMatchObject({
      body: { properties: { more: 1, deep: [{ b: null }] } },
    });
    world.advance(1_000);
    expect(world.post(`${id}/polish`).status).toBe(202);
    expect(world.del(id).status).toBe(202);
    world.advance(1_000);
    expect(world.get(id).status).toBe(404);
  });

  it("can stand below others and at any scope", () => {
    const world = aMachine();
    expect(world.put(`${vmId}/runCommands/r`, { location, properties: {} }).status).toBe(201);
    expect(world.put(`${vmId}/providers/Contoso.Locks/locks/l`, { properties: {} }).status).toBe(201);
    expect(namesOf(world.get(`${vmId}/providers/Contoso.Locks/locks`))).toEqual(["l"]);
  });
});

describe("tags at a scope", () => {
  const tags = (scope: string) => `${scope}/providers/Microsoft.Resources/tags/default`;
  const tagged = (): TestWorld => {
    const world = aGroup();
    world.put(vnetId, { ...(bodies.vnet() as object), tags: { A: "1", b: "2" } });
    return world;
  };

  it.each([
    { operation: "Merge", given: { a: "9", c: "3" }, gives: { b: "2", a: "9", c: "3" } },
    { operation: "Replace", given: { c: "3" }, gives: { c: "3" } },
    { operation: "Delete", given: { a: "1", b: "not this value" }, gives: { b: "2" } },
  ])("$operation", ({ operation, given, gives }) => {
    const world = tagged();
    const before = world.get(vnetId).headers["etag"];
    expect(world.patch(tags(vnetId), { operation, properties: { tags: given } })).toMatchObject({
      status: 200,
      body: { name: "default" },
    });
    expect((world.get(vnetId).body as { tags: Json }).tags).toEqual(gives);
    expect(world.get(tags(vnetId)).body).toMatchObject({ properties: { tags: gives } });
    expect(world.get(vnetId).headers["etag"]).not.toBe(before);
  });

  it("PUT replaces, also on groups and subscriptions; what is missing is a 404", () => {
    const world = tagged();
    for (const scope of [vnetId, group, sub]) {
      world.put(tags(scope), { properties: { tags: { only: "this" } } });
      expect(world.get(tags(scope)).body).toMatchObject({ properties: { tags: { only: "this" } } });
    }
    expect(world.get(group).body).toMatchObject({ tags: { only: "this" } });
    expect(world.get(tags(pipId)).status).toBe(404);
    expect(errorOf(world.patch(tags(vnetId), { operation: "Sort", properties: {} }))).toBe(
      "400 InvalidTagPatchOperation",
    );
    expect(
      errorOf(
        world.put(tags(vnetId), {
          properties: { tags: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`t${at}`, ""])) },
        }),
      ),
    ).toBe("400 TooManyTags");
  });
});

describe("the request log", () => {
  it("keeps method, path, version, body without secrets, status and findings", () => {
    const bodiesSeen: (Json | undefined)[] = [];
    const world = aNetwork({
      validate: ({ method, path, apiVersion, body }) => {
        bodiesSeen.push(body);
        return [`${method} ${path.split("/").at(-1)} ${apiVersion}`];
      },
    });
    world.put(nicId, bodies.nic());
    world.put(
      vmId,
      bodies.vm({
        osProfile: {
          computerName: "vm",
          adminUsername: "u",
          adminPassword: "p4ss",
          linuxConfiguration: { ssh: { publicKeys: [{ keyData: "ssh-rsa AAAA" }] } },
        },
      }),
    );
    const entry = world.state.requests.at(-1);
    expect(entry).toMatchObject({
      method: "PUT",
      path: vmId,
      apiVersion: "2025-09-01",
      status: 201,
      at: expect.any(String),
      findings: ["PUT vm 2025-09-01"],
      body: {
        properties: {
          osProfile: {
            adminPassword: "***",
            linuxConfiguration: { ssh: { publicKeys: [{ keyData: "ssh-rsa AAAA" }] } },
          },
        },
      },
    });
    expect(JSON.stringify(world.state.requests)).not.toContain("p4ss");
    expect(JSON.stringify(bodiesSeen)).toContain("p4ss");
  });

  it("keeps only so many", () => {
    const world = aWorld({ keepRequests: 3 });
    for (let at = 0; at < 5; at += 1) world.get(`${group}${at}`);
    expect(world.state.requests.map(({ path }) => path.at(-1))).toEqual(["2", "3", "4"]);
  });
});
