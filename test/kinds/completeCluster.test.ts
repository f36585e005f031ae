import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, KubeObject } from "../../src/core/types.ts";
import { azureCluster } from "../../src/kinds/azureCluster.ts";
import { readCluster } from "../../src/kinds/azureClusterInput.ts";
import type { CompleteCluster } from "../../src/kinds/complete.ts";
import { completeCluster } from "../../src/kinds/networkDefaults.ts";
import { anAzureCluster, inputOf, scopeIn, withNetwork } from "./aCluster.ts";
import { anySpec } from "./specArbitrary.ts";

/** The spec as it is read, and its complete form. */
const completed = (object: KubeObject) => {
  const read = readCluster(inputOf(object));
  if (!read.ok) throw new Error(read.error.map(({ message }) => message).join("\n"));
  return { spec: read.value.spec, complete: completeCluster(read.value.facts, read.value.spec) };
};
const complete = (object: KubeObject): CompleteCluster => completed(object).complete;
const withSpec = (spec: object): KubeObject => ({ ...anAzureCluster(), spec: spec as JsonObject });
const isGood = (object: KubeObject): boolean => scopeIn(inputOf(object)).ok;

/** Good ones are one in ten, so each law is tried on fewer. */
const runs = { numRuns: 60 };
const goodObjects = anySpec.map((changes) => anAzureCluster(changes as unknown as JsonObject)).filter(isGood);

/** Every leaf of a spec, by its path. */
const leaves = (value: unknown, path = ""): readonly (readonly [string, unknown])[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => leaves(inner, `${path}/${name}`))
    : [[path, value]];

/** Where a scope still says that a value is ours. */
const ours = (value: unknown, path = ""): readonly string[] =>
  typeof value !== "object" || value === null
    ? []
    : [
        ...("asked" in value && value.asked === false ? [path] : []),
        ...Object.entries(value).flatMap(([name, inner]) => ours(inner, `${path}/${name}`)),
      ];

const wishesOf = (object: KubeObject) => {
  const scope = scopeIn(inputOf(object));
  if (!scope.ok) throw new Error(scope.error.map(({ message }) => message).join("\n"));
  return {
    scope: scope.value,
    wishes: azureCluster.services.flatMap((service) => service.desired(scope.value)),
  };
};

describe("the complete form of any spec", () => {
  it("is complete", () =>
    fc.assert(
      fc.property(goodObjects, (object) => {
        const once = complete(object);
        expect(complete(withSpec(once))).toEqual(once);
      }),
      runs,
    ));

  it("keeps what the user set", () =>
    fc.assert(
      fc.property(goodObjects, (object) => {
        const { spec, complete: all } = completed(object);
        const has = new Map(leaves(all));
        const empty = ([, value]: readonly [string, unknown]): boolean => value === "";
        for (const [path, value] of leaves(spec).filter((leaf) => !empty(leaf)))
          expect([path, has.get(path)]).toEqual([path, value]);
      }),
      runs,
    ));

  it("means the same resources, all of them asked for", () =>
    fc.assert(
      fc.property(goodObjects, (object) => {
        // In a network elsewhere ranges are compared only when they are asked for.
        fc.pre(isGood(withSpec(complete(object))));
        const bare = wishesOf(object);
        const full = wishesOf(withSpec(complete(object)));
        expect(full.wishes.map(({ id, body }) => ({ id, body }))).toEqual(
          bare.wishes.map(({ id, body }) => ({ id, body })),
        );
        // Zones are Azure's, the port of the API server is the Cluster's.
        expect(ours(full.scope).filter((path) => !/zones$|Port$/.test(path))).toEqual([]);
      }),
      runs,
    ));
});

// Fact sheet 6.2 to 6.8 and 13.1 to 13.2.
describe("the complete form", () => {
  it("of the minimal cluster", () =>
    expect(complete(anAzureCluster())).toEqual({
      location: "eastus",
      subscriptionID: "00000000-0000-4000-8000-000000000001",
      resourceGroup: "c1",
      azureEnvironment: "AzurePublicCloud",
      controlPlaneEnabled: true,
      controlPlaneEndpoint: { host: "c1-30dc860e.eastus.cloudapp.azure.com", port: 6443 },
      identityRef: { kind: "AzureClusterIdentity", name: "sp" },
      networkSpec: {
        vnet: { name: "c1-vnet", resourceGroup: "c1", cidrBlocks: ["10.0.0.0/8"] },
        subnets: [
          {
            name: "control-plane-subnet",
            role: "control-plane",
            cidrBlocks: ["10.0.0.0/16"],
            securityGroup: {
              name: "c1-controlplane-nsg",
              securityRules: [
                expect.objectContaining({ name: "allow_ssh", priority: 2200, destinationPorts: "22" }),
                expect.objectContaining({ name: "allow_apiserver", priority: 2201, destinationPorts: "6443" }),
              ],
            },
            routeTable: { name: "c1-node-routetable" },
          },
          {
            name: "node-subnet",
            role: "node",
            cidrBlocks: ["10.1.0.0/16"],
            securityGroup: { name: "c1-node-nsg", securityRules: [] },
            routeTable: { name: "c1-node-routetable" },
            natGateway: { name: "c1-node-natgw-1", ip: { name: "pip-c1-node-natgw-1" } },
          },
        ],
        apiServerLB: {
          name: "c1-public-lb",
          sku: "Standard",
          type: "Public",
          idleTimeoutInMinutes: 4,
          frontendIPs: [
            {
              name: "c1-public-lb-frontEnd",
              publicIP: { name: "pip-c1-apiserver", dnsName: "c1-30dc860e.eastus.cloudapp.azure.com" },
            },
          ],
          backendPool: { name: "c1-public-lb-backendPool" },
        },
      },
    }));

  it("of a private cluster with ways out and a bastion host", () =>
    expect(
      complete(
        withNetwork(
          { apiServerLB: { type: "Internal" }, nodeOutboundLB: {}, controlPlaneOutboundLB: { frontendIPsCount: 2 } },
          { bastionSpec: { azureBastion: {} } },
        ),
      ),
    ).toMatchObject({
      controlPlaneEndpoint: { host: "apiserver.c1.capz.io", port: 6443 },
      bastionSpec: {
        azureBastion: {
          name: "c1-azure-bastion",
          sku: "Basic",
          enableTunneling: false,
          publicIP: { name: "c1-azure-bastion-pip" },
          subnet: { name: "AzureBastionSubnet", role: "bastion", cidrBlocks: ["10.255.255.224/27"] },
        },
      },
      networkSpec: {
        privateDNSZone: "System",
        privateDNSZoneName: "c1.capz.io",
        privateDNSZoneResourceGroup: "c1",
        apiServerLB: {
          name: "c1-internal-lb",
          frontendIPs: [{ name: "c1-internal-lb-frontEnd", privateIP: "10.0.0.100" }],
        },
        nodeOutboundLB: {
          name: "c1",
          frontendIPsCount: 1,
          frontendIPs: [{ name: "c1-frontEnd", publicIP: { name: "pip-c1-node-outbound" } }],
        },
        controlPlaneOutboundLB: {
          name: "c1-outbound-lb",
          frontendIPsCount: 2,
          frontendIPs: [
            { name: "c1-outbound-lb-frontEnd-1", publicIP: { name: "pip-c1-controlplane-outbound-1" } },
            { name: "c1-outbound-lb-frontEnd-2", publicIP: { name: "pip-c1-controlplane-outbound-2" } },
          ],
        },
      },
    }));

  it("has no load balancer and no endpoint for a control plane elsewhere", () => {
    const all = complete(anAzureCluster({ controlPlaneEnabled: false }));
    expect(all.networkSpec).not.toHaveProperty("apiServerLB");
    expect(all).not.toHaveProperty("controlPlaneEndpoint");
  });

  it("names the group of each remote network", () =>
    expect(
      complete(withNetwork({ vnet: { name: "v", peerings: [{ remoteVnetName: "hub" }] } })).networkSpec.vnet.peerings,
    ).toEqual([{ remoteVnetName: "hub", resourceGroup: "c1" }]));
});
