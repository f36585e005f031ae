import { describe, expect, it } from "vitest";
import { checkObject } from "../../src/api/check/checkObject.ts";
import type { JsonObject, KubeObject } from "../../src/core/types.ts";
import { asManifest } from "../../src/engine/judge.ts";
import { clusterRules } from "../../src/kinds/validation/clusterRules.ts";
import type { TurnRule } from "../../src/kinds/validation/turnRule.ts";
import { turnRules } from "../../src/kinds/validation/turnRules.ts";
import { anAzureCluster, inputOf, problemsIn } from "./aCluster.ts";
import { cp, network, node, rule, subnets, vnet } from "./aNetwork.ts";

const guarded = (...securityRules: readonly JsonObject[]): JsonObject => ({
  securityGroup: { name: "g", securityRules },
});
const gateway = (name: string, ip: string): JsonObject => node({ name, natGateway: { name: "nat", ip: { name: ip } } });
const ownedBy = (name: string): KubeObject =>
  anAzureCluster(
    {},
    { ownerReferences: [{ apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", name, uid: "u" }] },
  );
const target = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/a";
const endpoint = (name: string, ...privateIPAddresses: readonly string[]): JsonObject => ({
  name,
  privateLinkServiceConnections: [{ privateLinkServiceID: target }],
  privateIPAddresses,
});

/** An object that breaks each rule, and where that shows. */
const examples: Readonly<Record<keyof typeof clusterRules, { readonly object: KubeObject; readonly at: string }>> = {
  subscription: { object: anAzureCluster({ subscriptionID: "" }), at: "spec.subscriptionID: must name" },
  networkAddress: {
    object: network({ vnet: { ...vnet, cidrBlocks: ["10.0.0.1/8"] } }),
    at: 'spec.networkSpec.vnet.cidrBlocks[0]: "10.0.0.1/8" must begin',
  },
  subnetNetworkAddress: {
    object: subnets(cp({ cidrBlocks: ["10.0.0.1/16"] }), node()),
    at: 'spec.networkSpec.subnets[0].cidrBlocks[0]: "10.0.0.1/16" must begin',
  },
  subnetRange: {
    object: subnets(cp(), node(), { name: "AzureBastionSubnet", role: "bastion" }),
    at: "spec.networkSpec.subnets[2].cidrBlocks: must list",
  },
  subnetInNetwork: {
    object: network({ vnet: { ...vnet, cidrBlocks: ["10.1.0.0/16"] } }),
    at: "spec.networkSpec.subnets[0].cidrBlocks: must be listed",
  },
  subnetsApart: {
    object: subnets(cp({ cidrBlocks: ["10.1.0.0/24"] }), node()),
    at: "spec.networkSpec.subnets[1].cidrBlocks: ",
  },
  subnetNames: {
    object: subnets(cp({ name: "C1-node-subnet-1" }), node({ name: "" })),
    at: 'spec.networkSpec.subnets[1].name: "c1-node-subnet-1" must differ',
  },
  sharedRules: {
    object: subnets(cp(guarded(rule())), node(guarded(rule({ priority: 300 })))),
    at: 'spec.networkSpec.subnets[1].securityGroup.securityRules[0].name: "r" must mean',
  },
  sharedPriorities: {
    object: subnets(cp(guarded(rule(), rule({ name: "other" }))), node()),
    at: "spec.networkSpec.subnets[0].securityGroup.securityRules[1].priority: 100 must differ",
  },
  sharedGateways: {
    object: subnets(cp(), gateway("n1", "ip1"), gateway("n2", "ip2")),
    at: 'spec.networkSpec.subnets[2].natGateway.ip.name: "ip2" must be',
  },
  endpointAddresses: {
    object: subnets(cp(), node({ privateEndpoints: [endpoint("pe", "10.9.0.4")] })),
    at: 'spec.networkSpec.subnets[1].privateEndpoints[0].privateIPAddresses[0]: "10.9.0.4" must lie',
  },
  endpointNames: {
    object: subnets(cp({ privateEndpoints: [endpoint("pe")] }), node({ privateEndpoints: [endpoint("PE")] })),
    at: 'spec.networkSpec.subnets[1].privateEndpoints[0].name: "PE" must differ',
  },
  reservedEndpointAddress: {
    object: subnets(cp(), node({ privateEndpoints: [endpoint("pe", "10.1.0.3")] })),
    at: 'spec.networkSpec.subnets[1].privateEndpoints[0].privateIPAddresses[0]: "10.1.0.3" must not',
  },
  fixedAddresses: {
    object: network({
      apiServerLB: { type: "Internal" },
      subnets: [cp({ privateEndpoints: [endpoint("pe", "10.0.0.100")] }), node()],
    }),
    at: 'spec.networkSpec.subnets[0].privateEndpoints[0].privateIPAddresses[0]: "10.0.0.100" must be',
  },
  bastionSubnet: {
    object: anAzureCluster({ bastionSpec: { azureBastion: { subnet: { name: "jump", role: "bastion" } } } }),
    at: 'spec.bastionSpec.azureBastion.subnet.name: "jump" must be AzureBastionSubnet',
  },
  reservedAddress: {
    object: network({ apiServerLB: { type: "Internal", frontendIPs: [{ name: "f", privateIP: "10.0.0.3" }] } }),
    at: 'spec.networkSpec.apiServerLB.frontendIPs: "10.0.0.3" must not',
  },
  apiServerPorts: {
    object: network({ additionalAPIServerLBPorts: [{ name: "x", port: 6443 }] }),
    at: "spec.networkSpec.additionalAPIServerLBPorts[0].port: 6443 must differ",
  },
  loadBalancerNames: {
    object: network({ nodeOutboundLB: { name: "c1-public-lb" } }),
    at: 'spec.networkSpec: "c1-public-lb" must give',
  },
  publicIpNames: {
    object: network({ nodeOutboundLB: { frontendIPs: [{ name: "f", publicIP: { name: "pip-c1-apiserver" } }] } }),
    at: 'spec.networkSpec: "pip-c1-apiserver" must give',
  },
  dnsLabel: {
    object: ownedBy("c".repeat(60)),
    at: "spec.networkSpec.apiServerLB.frontendIPs[].publicIP.dnsName: ",
  },
  derivedNames: {
    object: network({ apiServerLB: { name: "x".repeat(76) } }),
    at: "spec.networkSpec: ",
  },
};

describe("rules that a turn judges itself", () => {
  it("are all declared, for the kind that they are about", () =>
    expect(turnRules).toEqual(expect.arrayContaining(Object.values(clusterRules))));
  it("say what would be right, and why the API server cannot", () => {
    for (const { field, says, why } of turnRules) {
      expect(field).toMatch(/^(spec|metadata)(\.|$)/);
      expect(says).toMatch(/^must /);
      expect(why).toMatch(/\.$/);
    }
    expect(new Set(turnRules.map(({ kind, field, says }) => [kind, field, says].join(" "))).size).toBe(
      turnRules.length,
    );
  });

  it.each(Object.entries(examples))("%s", (name, { object, at }) => {
    const { says, field }: TurnRule = clusterRules[name as keyof typeof clusterRules];
    const messages = problemsIn(inputOf(object)).map(({ message }) => message);
    const own = messages.filter((message) => message.includes(says));
    expect(own.length).toBeGreaterThan(0);
    expect(own[0]).toContain(at);
    expect(at.replaceAll(/\[\d+\]/g, "[]")).toContain(field.split("[]")[0]);
    // It shows nothing but this, and the definition lets it pass.
    expect(messages).toEqual(own);
    expect(checkObject("AzureCluster", asManifest(object))).toEqual([]);
  });
});
