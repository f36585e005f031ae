import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/types.ts";
import { privateEndpoints } from "../../src/services/privateEndpoints.ts";
import { inputOf, scopeIn } from "../kinds/aCluster.ts";
import { cp, node, subnets } from "../kinds/aNetwork.ts";

const providers = "/subscriptions/s/resourceGroups/g/providers";
const vault = `${providers}/Microsoft.KeyVault/vaults/v`;
const registry = `${providers}/Microsoft.ContainerRegistry/registries/r`;
const offered = `${providers}/Microsoft.Network/privateLinkServices/ours`;

const wanted = (endpoint: JsonObject) => {
  const object = subnets(cp(), node({ privateEndpoints: [{ name: "pe", ...endpoint }] }));
  const scope = scopeIn(inputOf(object));
  if (!scope.ok) throw new Error(JSON.stringify(scope.error));
  const [only] = privateEndpoints.desired(scope.value);
  return only!;
};
const addressesOf = (endpoint: JsonObject) => (wanted(endpoint).body["properties"] as JsonObject)["ipConfigurations"];
const to = (privateLinkServiceID: string, ...groupIDs: readonly string[]): JsonObject => ({
  privateLinkServiceConnections: [{ name: "conn", privateLinkServiceID, groupIDs }],
});

describe("fixed addresses of a private endpoint", () => {
  it.each([
    {
      what: "a sub-resource whose member is called like it",
      endpoint: { ...to(`${providers}/Microsoft.Web/sites/a`, "sites"), privateIPAddresses: ["10.1.0.9"] },
      are: [{ name: "pe-1", properties: { groupId: "sites", memberName: "sites", privateIPAddress: "10.1.0.9" } }],
    },
    {
      what: "a vault, whose member is called default",
      endpoint: { ...to(vault, "vault"), privateIPAddresses: ["10.1.0.9"] },
      are: [{ name: "pe-1", properties: { groupId: "vault", memberName: "default", privateIPAddress: "10.1.0.9" } }],
    },
    {
      what: "a registry, whose second member holds the data",
      endpoint: { ...to(registry, "registry"), privateIPAddresses: ["10.1.0.9", "10.1.0.10"], location: "West Europe" },
      are: [
        { name: "pe-1", properties: { groupId: "registry", memberName: "registry", privateIPAddress: "10.1.0.9" } },
        {
          name: "pe-2",
          properties: {
            groupId: "registry",
            memberName: "registry_data_westeurope",
            privateIPAddress: "10.1.0.10",
          },
        },
      ],
    },
    {
      what: "members that only their service knows, which Azure then names",
      endpoint: { ...to(vault, "vault"), privateIPAddresses: ["10.1.0.9", "10.1.0.10"] },
      are: [
        { name: "pe-1", properties: { groupId: "vault", memberName: "default", privateIPAddress: "10.1.0.9" } },
        { name: "pe-2", properties: { groupId: "vault", privateIPAddress: "10.1.0.10" } },
      ],
    },
    {
      what: "a private link service, which has no members",
      endpoint: { ...to(offered), privateIPAddresses: ["10.1.0.9"] },
      are: [{ properties: { privateIPAddress: "10.1.0.9" } }],
    },
    {
      what: "one of several sub-resources, and nobody says which",
      endpoint: { ...to(vault, "a", "b"), privateIPAddresses: ["10.1.0.9"] },
      are: [{ properties: { privateIPAddress: "10.1.0.9" } }],
    },
    { what: "nothing, when none is asked for", endpoint: to(vault, "vault"), are: undefined },
  ])("are for $what", ({ endpoint, are }) => expect(addressesOf(endpoint)).toEqual(are));

  it("name and members are our own choice, the address is asked for", () => {
    const { defaults } = wanted({ ...to(vault, "vault"), privateIPAddresses: ["10.1.0.9"] });
    const own = defaults.filter(([, list]) => list === "ipConfigurations").map((path) => path.at(-1));
    expect(new Set(own)).toEqual(new Set(["groupId", "memberName", "name"]));
  });
});
