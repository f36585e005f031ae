import { describe, expect, it } from "vitest";
import { lean, missingMessage } from "../../src/core/passedOver.ts";
import type { Desired, JsonObject, ResourceId } from "../../src/core/types.ts";

const id = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/a" as ResourceId;
const nsg = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/networkSecurityGroups/N";
const wanting = (body: JsonObject, ...ifThere: (readonly string[])[]): Desired => ({ id, body, defaults: [], ifThere });
const isPassedOver = (key: string): boolean => key === nsg.toLowerCase();
const body = { properties: { addressPrefix: "10.0.0.0/24", networkSecurityGroup: { id: nsg } } };

describe("what refers to a resource that is not made", () => {
  it("goes without the reference where that may be missing", () =>
    expect(lean(wanting(body, ["properties", "networkSecurityGroup"]), isPassedOver)).toMatchObject({
      desired: { body: { properties: { addressPrefix: "10.0.0.0/24" } } },
      missing: [],
    }));
  it("names it where it may not", () => {
    const { desired, missing } = lean(wanting(body), isPassedOver);
    expect(desired.body).toEqual(body);
    expect(missing).toEqual([{ path: "properties.networkSecurityGroup.id", id: nsg }]);
    for (const word of [id, nsg, "properties.networkSecurityGroup"])
      expect(missingMessage(id, missing)).toContain(word);
  });
  it("is the very same when all is there", () => {
    const desired = wanting(body, ["properties", "networkSecurityGroup"]);
    expect(lean(desired, () => false)).toEqual({ desired, missing: [] });
    expect(lean(desired, () => false).desired).toBe(desired);
  });
  it("is looked through in lists too", () =>
    expect(lean(wanting({ properties: { list: [{ id: "x" }, { id: nsg }] } }), isPassedOver).missing).toEqual([
      { path: "properties.list.id", id: nsg },
    ]));
});
