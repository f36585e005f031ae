import { describe, expect, it } from "vitest";
import { apiServerHost, fnv1a32 } from "../../src/kinds/apiServerHost.ts";

// Fact sheet 3.3.
describe("DNS name of the API server", () => {
  const dnsSuffix = "cloudapp.azure.com";
  const publicIp = "pip-my-cluster-apiserver";

  it.each([
    { subscription: "123", resourceGroup: "my-rg", location: "westus2", hash: "3f5c6fa8" },
    {
      subscription: "00000000-0000-0000-0000-000000000000",
      resourceGroup: "my-cluster",
      location: "eastus",
      hash: "6394e63b",
    },
  ])("$subscription/$resourceGroup in $location has $hash", ({ hash, ...place }) =>
    expect(apiServerHost({ ...place, clusterName: "my-cluster", publicIp, dnsSuffix })).toBe(
      `my-cluster-${hash}.${place.location}.${dnsSuffix}`,
    ),
  );

  it("does not pad the hash", () => expect(fnv1a32("sub/rg/pip-c6-apiserver").toString(16)).toBe("3991d9"));

  it("is lower-case throughout", () =>
    expect(
      apiServerHost({
        subscription: "s",
        resourceGroup: "r",
        location: "East US",
        publicIp,
        clusterName: "Mine",
        dnsSuffix,
      }),
    ).toMatch(/^mine-[0-9a-f]+\.eastus\.cloudapp\.azure\.com$/));
});
