import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  childId,
  extensionId,
  idKey,
  parentOf,
  parseId,
  resourceGroupId,
  resourceGroupOf,
  resourceId,
  sameId,
  typeOf,
} from "../../src/core/ids.ts";

const subscription = "00000000-0000-4000-8000-000000000001";
const group = resourceGroupId(subscription, "Demo");
const vnet = resourceId(subscription, "Demo", "Microsoft.Network/virtualNetworks", "vnet");
const subnet = resourceId(subscription, "Demo", "Microsoft.Network/virtualNetworks/subnets", "vnet", "nodes");
const role = extensionId(vnet, "Microsoft.Authorization/roleAssignments", "r1");
const location = resourceId(subscription, undefined, "Microsoft.Compute/locations", "westeurope");

describe("ids", () => {
  it.each([
    { id: group, text: `/subscriptions/${subscription}/resourceGroups/Demo` },
    { id: vnet, text: `${group}/providers/Microsoft.Network/virtualNetworks/vnet` },
    { id: subnet, text: `${vnet}/subnets/nodes` },
    { id: childId(vnet, "subnets", "nodes"), text: subnet },
    { id: role, text: `${vnet}/providers/Microsoft.Authorization/roleAssignments/r1` },
    { id: location, text: `/subscriptions/${subscription}/providers/Microsoft.Compute/locations/westeurope` },
  ])("$text", ({ id, text }) => expect(id).toBe(text));

  it.each([
    { id: group, type: "Microsoft.Resources/resourceGroups", parent: undefined, inGroup: group },
    { id: vnet, type: "Microsoft.Network/virtualNetworks", parent: group, inGroup: group },
    { id: subnet, type: "Microsoft.Network/virtualNetworks/subnets", parent: vnet, inGroup: group },
    { id: role, type: "Microsoft.Authorization/roleAssignments", parent: vnet, inGroup: group },
    { id: location, type: "Microsoft.Compute/locations", parent: undefined, inGroup: undefined },
    { id: `/subscriptions/${subscription}`, type: undefined, parent: undefined, inGroup: undefined },
    { id: "", type: undefined, parent: undefined, inGroup: undefined },
    { id: "vnet", type: undefined, parent: undefined, inGroup: undefined },
  ])("$id is a $type", ({ id, type, parent, inGroup }) => {
    expect(typeOf(id)).toBe(type);
    expect(parentOf(id)).toBe(parent);
    expect(resourceGroupOf(id)).toBe(inGroup);
  });

  it("takes the group from any case that Azure answers in", () =>
    expect(parseId(subnet.toLowerCase())).toEqual({
      subscription,
      resourceGroup: "demo",
      provider: "microsoft.network",
      types: ["virtualnetworks", "subnets"],
      names: ["vnet", "nodes"],
    }));

  it.each(["", "a/b", "a?x", "a#y"])("refuses the name %j", (name) => {
    expect(() => resourceGroupId(subscription, name)).toThrow(RangeError);
    expect(() => childId(vnet, "subnets", name)).toThrow(RangeError);
  });
  it("refuses a wrong number of names", () =>
    expect(() => resourceId(subscription, "rg", "Microsoft.Network/virtualNetworks/subnets", "vnet")).toThrow(
      RangeError,
    ));

  const word = fc
    .stringMatching(/^[A-Za-z0-9_.()-]{1,12}$/)
    .filter((text) => !/^(providers|resourcegroups)$/i.test(text));
  const levels = fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 3 });

  it("come apart into what they were made of", () =>
    fc.assert(
      fc.property(word, word, word, levels, (sub, rg, provider, made) => {
        const types = made.map(([type]) => type);
        const names = made.map(([, name]) => name);
        const id = resourceId(sub, rg, [provider, ...types].join("/"), ...names);
        expect(parseId(id)).toEqual({ subscription: sub, resourceGroup: rg, provider, types, names });
        expect(resourceGroupOf(id)).toBe(resourceGroupId(sub, rg));
        expect(parentOf(childId(id, "children", "one"))).toBe(id);
        expect(parentOf(extensionId(id, "Some.Provider/links", "one"))).toBe(id);
        expect(sameId(id.toUpperCase(), id)).toBe(true);
      }),
    ));
  it("never throws on any text", () =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(word).map((words) => `/${words.join("/")}`),
        ),
        (text) => {
          const known = parseId(text) !== undefined;
          expect(typeOf(text) !== undefined).toBe(known);
          expect(idKey(idKey(text))).toBe(idKey(text));
          parentOf(text);
          resourceGroupOf(text);
        },
      ),
    ));
});
