import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resourceTarget } from "../../../src/sim/arm/resourceTarget.ts";

const base = "/subscriptions/s/resourceGroups/rg";
const vnet = `${base}/providers/Microsoft.Network/virtualNetworks/v`;

describe("resourceTarget", () => {
  it.each([
    { path: "/subscriptions", gives: { kind: "subscriptions" } },
    { path: "/subscriptions/s", gives: { kind: "subscription", subscription: "s" } },
    { path: "/subscriptions/s/resourcegroups", gives: { kind: "subscriptionList", list: "resourcegroups" } },
    { path: "/subscriptions/s/resources", gives: { kind: "subscriptionList", list: "resources" } },
    { path: base, gives: { kind: "resourceGroup", group: "rg", id: base } },
    { path: `${base}/resources`, gives: { kind: "groupResources", scope: base } },
    {
      path: vnet,
      gives: { kind: "resource", type: "Microsoft.Network/virtualNetworks", names: ["v"], parent: undefined },
    },
    {
      path: `${vnet}/subnets/a`,
      gives: { kind: "resource", type: "Microsoft.Network/virtualNetworks/subnets", parent: vnet },
    },
    { path: `${vnet}/subnets`, gives: { kind: "collection", last: "subnets", id: vnet } },
    {
      path: `${base}/providers/Microsoft.Network/virtualNetworks`,
      gives: { kind: "collection", type: "Microsoft.Network", scope: base },
    },
    { path: `${vnet}/providers/Microsoft.Resources/tags/default`, gives: { kind: "tags", scope: vnet } },
    {
      path: `${vnet}/providers/Microsoft.Authorization/roleAssignments/r`,
      gives: { kind: "resource", type: "Microsoft.Authorization/roleAssignments", scope: vnet, group: "rg" },
    },
    { path: "/subscriptions/s/providers/Microsoft.Compute", gives: { kind: "provider", verb: "" } },
    { path: "/subscriptions/s/providers/Microsoft.Compute/register", gives: { kind: "provider", verb: "register" } },
    {
      path: "/subscriptions/s/providers/Microsoft.Network/locations/eastus/operations/ID",
      gives: { kind: "operation", operation: "id", result: false },
    },
    {
      path: "/subscriptions/s/providers/Microsoft.Network/locations/eastus/operationResults/id",
      gives: { kind: "operation", result: true },
    },
    { path: "/subscriptions/s/operationresults/id", gives: { kind: "operation", result: true } },
    {
      path: `${base}/providers/Microsoft.Network/privateDnsOperationStatuses/id`,
      gives: { kind: "operation", result: false },
    },
    { path: "/providers/Microsoft.ResourceGraph/resources", gives: { kind: "tenant" } },
    { path: "/elsewhere", gives: { kind: "unknown" } },
  ])("$path is $gives.kind", ({ path, gives }) => expect(resourceTarget(path)).toMatchObject(gives));

  it("never throws, whatever the path", () => {
    const segment = fc.constantFrom("subscriptions", "s", "resourceGroups", "providers", "locations", "%", "a", "");
    const path = fc.oneof(
      fc.string(),
      fc.array(segment).map((segments) => `/${segments.join("/")}`),
    );
    fc.assert(
      fc.property(path, (text) => {
        expect(resourceTarget(text)).toHaveProperty("kind");
      }),
    );
  });
});
