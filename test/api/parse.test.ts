import fc from "fast-check";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { parseAzureCluster } from "../../src/api/cluster/azureCluster.ts";
import { parseAzureClusterIdentity } from "../../src/api/cluster/azureClusterIdentity.ts";
import { parseCluster } from "../../src/api/clusterApi.ts";
import { parseSpec } from "../../src/api/parse.ts";
import type { JsonObject } from "../../src/core/types.ts";
import { anObject } from "../kinds/aCluster.ts";

const cluster = (spec: JsonObject) =>
  parseAzureCluster(anObject("AzureCluster", { spec: { location: "eastus", ...spec } }));
const value = (spec: JsonObject) => {
  const parsed = cluster(spec);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value;
};

describe("what only looks set", () => {
  it.each<{ readonly when: string; readonly spec: JsonObject; readonly gives: JsonObject }>([
    { when: "an endpoint of Go", spec: { controlPlaneEndpoint: { host: "", port: 0 } }, gives: {} },
    {
      when: "half an endpoint",
      spec: { controlPlaneEndpoint: { host: "", port: 443 } },
      gives: { controlPlaneEndpoint: { port: 443 } },
    },
    { when: "an empty text", spec: { resourceGroup: "", subscriptionID: "" }, gives: {} },
    {
      when: "a gateway of Go",
      spec: {
        networkSpec: {
          subnets: [{ name: "n", role: "node", natGateway: { name: "", ip: { name: "" } }, routeTable: { name: "" } }],
        },
      },
      gives: { networkSpec: { subnets: [{ name: "n", role: "node" }] } },
    },
    { when: "an empty bastion", spec: { bastionSpec: {} }, gives: {} },
    { when: "a null", spec: { additionalTags: null }, gives: {} },
  ])("is dropped: $when", ({ spec, gives }) => expect(value(spec)).toEqual({ location: "eastus", ...gives }));

  it.each<{ readonly when: string; readonly spec: JsonObject }>([
    { when: "a bastion host by its presence", spec: { bastionSpec: { azureBastion: {} } } },
    { when: "a load balancer by its presence", spec: { networkSpec: { nodeOutboundLB: {} } } },
    { when: "a count of none", spec: { networkSpec: { nodeOutboundLB: { frontendIPsCount: 0 } } } },
    { when: "false", spec: { controlPlaneEnabled: false } },
    { when: "a failure domain that says nothing", spec: { failureDomains: { "2": {} } } },
    { when: "the empty value of a tag", spec: { additionalTags: { team: "" } } },
    {
      when: "rules of a group whose name is implied",
      spec: {
        networkSpec: {
          subnets: [
            {
              name: "n",
              role: "node",
              securityGroup: {
                name: "",
                securityRules: [{ name: "r", description: "", protocol: "*", direction: "Inbound" }],
              },
            },
          ],
        },
      },
    },
  ])("is kept: $when", ({ spec }) => expect(value(spec)).toEqual({ location: "eastus", ...spec }));

  it("tells an identity for everybody from one for nobody", () => {
    const identity = (allowedNamespaces: JsonObject | null) =>
      parseAzureClusterIdentity(
        anObject("AzureClusterIdentity", {
          spec: { type: "WorkloadIdentity", clientID: "c", tenantID: "t", allowedNamespaces },
        }),
      );
    expect(identity({})).toMatchObject({ value: { allowedNamespaces: {} } });
    expect(identity({ list: [] })).toMatchObject({ value: { allowedNamespaces: { list: [] } } });
    expect(identity({ selector: {} })).toMatchObject({ value: { allowedNamespaces: { selector: {} } } });
    expect(identity({ list: null, selector: null })).toMatchObject({ value: { allowedNamespaces: {} } });
    expect(identity(null)).not.toHaveProperty("value.allowedNamespaces");
  });

  it("is the port 0 of a Cluster", () =>
    expect(parseCluster(anObject("Cluster", { spec: { clusterNetwork: { apiServerPort: 0 } } }))).toEqual({
      ok: true,
      value: {},
    }));
});

describe("a required field with a default", () => {
  const disk = Type.Object({
    osType: Type.String({ default: "Linux" }),
    size: Type.Optional(Type.Integer({ default: 30 })),
  });
  const schema = Type.Object({ disk, more: Type.Optional(Type.Array(disk)) });
  const parsed = (spec: JsonObject) => parseSpec(schema, { spec }, "Ready");

  it("is filled in where the object has none, as the API server does", () =>
    expect(parsed({ disk: {}, more: [{}, { osType: "Windows" }] })).toEqual({
      ok: true,
      value: { disk: { osType: "Linux" }, more: [{ osType: "Linux" }, { osType: "Windows" }] },
    }));
  it("does not make the object that holds it", () => expect(parsed({}).ok).toBe(false));
});

describe("what has the wrong shape", () => {
  it("is told with field, value and what would be right, all at once", () => {
    const parsed = cluster({
      networkSpec: { subnets: [{ name: "n", role: "worker", cidrBlocks: [7] }], privateDNSZone: "Both" },
    });
    expect(parsed.ok).toBe(false);
    if (parsed.ok) return;
    expect(parsed.error.map(({ message }) => message)).toEqual([
      'spec.networkSpec.subnets[0].role: "worker" must be one of node, control-plane, bastion, cluster',
      "spec.networkSpec.subnets[0].cidrBlocks[0]: 7 must be a string",
      'spec.networkSpec.privateDNSZone: "Both" must be one of System, None',
    ]);
    expect(new Set(parsed.error.map(({ condition }) => condition))).toEqual(new Set(["SpecValid"]));
  });
  it("names what is missing", () =>
    expect(cluster({ networkSpec: { subnets: [{ name: "n" }] } })).toMatchObject({
      error: [{ message: "spec.networkSpec.subnets[0].role: must be given" }],
    }));
  it("is told however much it is", () => {
    const subnets = Array.from({ length: 30 }, (_, at) => ({ name: `n${at}`, role: "worker" }));
    expect(cluster({ networkSpec: { subnets } })).toHaveProperty("error.length", 30);
  });
  it("never throws", () =>
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom("location", "networkSpec", "identityRef", "bastionSpec", "x"), fc.jsonValue()),
        (spec) => {
          expect(typeof parseAzureCluster(anObject("AzureCluster", { spec: spec as JsonObject })).ok).toBe("boolean");
        },
      ),
    ));
});
