import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Desired } from "../../src/core/types.ts";
import { clusterServices } from "../../src/services/index.ts";
import { apiVersions } from "../../src/wire/generated/apiVersions.ts";
import { anAzureCluster, inputOf, scopeIn } from "../kinds/aCluster.ts";

const folder = join(import.meta.dirname, "..", "golden", "services");
const golden = (service: string) =>
  JSON.parse(readFileSync(join(folder, `${service}.json`), "utf8")) as {
    /** Where the expectation was taken from, before the code first ran. */
    readonly source: string;
    readonly desired: readonly Desired[];
  };

const byPath = (a: readonly string[], b: readonly string[]): number => (a.join() < b.join() ? -1 : 1);

describe.each(clusterServices)("what $name wants for a minimal public cluster", (service) => {
  const scope = scopeIn(inputOf(anAzureCluster()));
  if (!scope.ok) throw new Error("no scope");
  const desired = service.desired(scope.value);
  const expected = golden(service.name);

  it("is in the golden file", () =>
    expect(desired.map(({ id, body }) => ({ id, body }))).toEqual(
      expected.desired.map(({ id, body }) => ({ id, body })),
    ));
  it("is our own choice only where the file says so", () =>
    expect(desired.map(({ defaults }) => defaults.toSorted(byPath))).toEqual(
      expected.desired.map(({ defaults }) => defaults.toSorted(byPath)),
    ));
});

describe("the list of services", () => {
  it("has a golden file each, and no file too many", () =>
    expect(readdirSync(folder).toSorted()).toEqual(clusterServices.map(({ name }) => `${name}.json`).toSorted()));
  it("names only services of the list as predecessors, without a circle", () => {
    const order = clusterServices.map(({ name }) => name);
    for (const { name, after } of clusterServices)
      for (const before of after)
        expect(order.indexOf(before), `${name} after ${before}`).toBeLessThan(order.indexOf(name));
    for (const { after } of clusterServices) for (const before of after) expect(order).toContain(before);
  });
  it("writes the children of one network one after another", () =>
    expect(clusterServices.filter(({ serialize }) => serialize === "parent").map(({ name }) => name)).toEqual([
      "subnets",
      "vnetPeerings",
    ]));
  it("knows the api-version of every type", () => {
    for (const { type } of clusterServices) expect(apiVersions).toHaveProperty([type]);
  });
  it("has a condition each", () =>
    expect(clusterServices.map(({ condition }) => condition)).toEqual([
      "ResourceGroupReady",
      "VNetReady",
      "SecurityGroupsReady",
      "RouteTablesReady",
      "PublicIPsReady",
      "NATGatewaysReady",
      "SubnetsReady",
      "VnetPeeringReady",
      "LoadBalancersReady",
      "PrivateDNSZoneReady",
      "PrivateDNSLinkReady",
      "PrivateDNSRecordReady",
      "PrivateDNSRecordReady",
      "PrivateEndpointsReady",
      "BastionHostReady",
    ]));
});
