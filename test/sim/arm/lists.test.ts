import { describe, expect, it } from "vitest";
import { aGroup, aMachine, bodies, group, lbId, location, network, subscription, vnetId } from "./aWorld.ts";

const errorOf = (answer: { readonly status: number; readonly code: string }) => `${answer.status} ${answer.code}`;
const valuesOf = (answer: { readonly body: unknown }) =>
  (answer.body as { value: { name: string; id: string }[] }).value;
const namesOf = (answer: { readonly body: unknown }) => valuesOf(answer).map(({ name }) => name);
const sub = `/subscriptions/${subscription}`;

describe("lists", () => {
  it("by parent, group, subscription, and across groups", () => {
    const world = aMachine();
    const other = `${sub}/resourceGroups/other`;
    world.put(other, { location: "westus" });
    world.put(`${other}/providers/Microsoft.Network/virtualNetworks/far`, {
      ...(bodies.vnet() as object),
      location: "westus",
    });
    expect(namesOf(world.get(`${network}/virtualNetworks`))).toEqual(["vnet"]);
    expect(namesOf(world.get(`${sub}/providers/Microsoft.Network/virtualNetworks`))).toEqual(["vnet", "far"]);
    expect(namesOf(world.get(`${lbId}/backendAddressPools`))).toEqual(["pool"]);
    expect(namesOf(world.get(`${sub}/resourcegroups`))).toEqual(["rg", "other"]);
    expect(namesOf(world.get(`${other}/resources`))).toEqual(["far"]);
    expect(namesOf(world.get(`${group}/resources`))).toEqual(
      expect.arrayContaining(["vnet", "lb", "nic", "vm", "vm_OSDisk", "pip"]),
    );
    expect(errorOf(world.get(`${sub}/resourceGroups/none/resources`))).toBe("404 ResourceGroupNotFound");
  });

  it.each([
    { filter: "tagName eq 'owner' and tagValue eq 'me'", gives: ["vnet"] },
    { filter: "tagName eq 'OWNER'", gives: ["vnet", "p2"] },
    { filter: "tagName eq 'owner' and tagValue eq 'ME'", gives: [] },
    { filter: "resourceType eq 'Microsoft.Network/publicIPAddresses'", gives: ["p2"] },
  ])("$filter", ({ filter, gives }) => {
    const world = aGroup();
    world.put(vnetId, { ...(bodies.vnet() as object), tags: { Owner: "me" } });
    world.put(`${network}/publicIPAddresses/p2`, { ...(bodies.pip() as object), tags: { owner: "you" } });
    expect(namesOf(world.get(`${sub}/resources?$filter=${encodeURIComponent(filter)}`))).toEqual(gives);
  });

  it("come in pages whose links carry host, query and place", () => {
    const world = aGroup({ pageSize: 2 });
    for (const name of ["a", "b", "c", "d", "e"])
      world.put(`${network}/routeTables/${name}`, { location, properties: {} });
    const seen: string[] = [];
    let next: string | undefined = `${network}/routeTables?api-version=2025-09-01`;
    let pages = 0;
    while (next !== undefined) {
      const answer = world.get(next);
      seen.push(...namesOf(answer));
      next = (answer.body as { nextLink?: string }).nextLink;
      if (next !== undefined) expect(next).toMatch(/^https:\/\/management\.azure\.com\/.*api-version=2025-09-01/);
      pages += 1;
    }
    expect([seen, pages]).toEqual([["a", "b", "c", "d", "e"], 3]);
  });
});
