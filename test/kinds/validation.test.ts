import { describe, expect, it } from "vitest";
import type { JsonObject, KubeObject } from "../../src/core/types.ts";
import { anAzureCluster, inputOf, problemsIn, scopeIn, withNetwork } from "./aCluster.ts";
import { cp, network, node, rule, subnets, vnet } from "./aNetwork.ts";

const problemsOf = (object: KubeObject): readonly string[] => problemsIn(inputOf(object)).map(({ message }) => message);

const rules = (...listed: readonly JsonObject[]): KubeObject =>
  subnets(cp({ securityGroup: { name: "g", securityRules: listed } }), node());
const endpoint = (rest: JsonObject): KubeObject => subnets(cp(), node({ privateEndpoints: [{ name: "pe", ...rest }] }));
const storage = { service: "Microsoft.Storage", locations: ["*"] };
const target = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/a";

interface Row {
  readonly when: string;
  readonly object: KubeObject;
  /** Parts of the one message that is wanted; none: the spec is good. */
  readonly says: readonly string[];
}

// Fact sheet 7.1, and what section 12 says upstream should have refused.
const names: readonly Row[] = [
  { when: "the name has a dot", object: anAzureCluster({}, { name: "a.b" }), says: ["metadata.name", '"a.b"', "44"] },
  { when: "the name is one letter", object: anAzureCluster({}, { name: "a" }), says: ["metadata.name"] },
  {
    when: "the group ends with a dot",
    object: anAzureCluster({ resourceGroup: "rg." }),
    says: ["spec.resourceGroup", '"rg."'],
  },
  { when: "the region is missing", object: anAzureCluster({ location: "" }), says: ["spec.location", "region"] },
  {
    when: "the cloud is closed",
    object: anAzureCluster({ azureEnvironment: "AzureGermanCloud" }),
    says: ["spec.azureEnvironment", "AzureGermanCloud", "AzurePublicCloud"],
  },
  {
    when: "the subscription is a path",
    object: anAzureCluster({ subscriptionID: "a/b" }),
    says: ["spec.subscriptionID", "a/b"],
  },
  {
    when: "the network's name has a slash",
    object: network({ vnet: { name: "a/b" } }),
    says: ["spec.networkSpec.vnet.name", "a/b"],
  },
  {
    when: "the network's group has a slash",
    object: network({ vnet: { ...vnet, resourceGroup: "a/b" } }),
    says: ["vnet.resourceGroup"],
  },
  {
    when: "a subnet's name has a slash",
    object: subnets(cp(), node({ name: "a/b" })),
    says: ["subnets[1].name", "a/b"],
  },
  {
    when: "two subnets differ in case only",
    object: subnets(cp(), node(), node({ name: "NODES" })),
    says: ["spec.networkSpec.subnets", "names differ"],
  },
  {
    when: "a DNS label begins with a digit",
    object: network({
      apiServerLB: { frontendIPs: [{ name: "f", publicIP: { name: "ip", dnsName: "9x.eastus.cloudapp.azure.com" } }] },
    }),
    says: ["publicIP.dnsName", "9x.eastus", "letter"],
  },
  {
    when: "the cluster's name makes a DNS label too long",
    object: anAzureCluster(
      {},
      {
        ownerReferences: [{ apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", name: "c".repeat(60), uid: "u" }],
      },
    ),
    says: ["publicIP.dnsName", "63"],
  },
  {
    when: "an address serves two things",
    object: network({ nodeOutboundLB: { frontendIPs: [{ name: "f", publicIP: { name: "pip-c1-apiserver" } }] } }),
    says: ["pip-c1-apiserver", "serves several"],
  },
];

const addresses: readonly Row[] = [
  {
    when: "the network's range is none",
    object: network({ vnet: { ...vnet, cidrBlocks: ["10.0.0.0"] } }),
    says: ["vnet.cidrBlocks[0]", '"10.0.0.0"', "CIDR"],
  },
  {
    when: "a subnet's range is none",
    object: subnets(cp({ cidrBlocks: ["10.0.0.0/33"] }), node()),
    says: ["subnets[0].cidrBlocks[0]", "10.0.0.0/33"],
  },
  {
    when: "a range has bits behind its prefix",
    object: subnets(cp({ cidrBlocks: ["10.0.0.1/16"] }), node()),
    says: ["10.0.0.1/16", "network address"],
  },
  {
    when: "a subnet lies outside",
    object: subnets(cp({ cidrBlocks: ["192.168.0.0/16"] }), node()),
    says: ["192.168.0.0/16", "inside", "10.0.0.0/8"],
  },
  {
    when: "a subnet is wider than its network",
    object: network({
      vnet: { ...vnet, cidrBlocks: ["10.0.0.0/16", "10.3.0.0/16"] },
      subnets: [cp({ cidrBlocks: ["10.0.0.0/15"] }), node({ cidrBlocks: ["10.3.0.0/16"] })],
    }),
    says: ["10.0.0.0/15", "inside"],
  },
  {
    when: "subnets overlap",
    object: subnets(cp({ cidrBlocks: ["10.2.0.0/16"] }), node({ cidrBlocks: ["10.2.128.0/17"] })),
    says: ["10.2.128.0/17", "do not overlap", "10.2.0.0/16"],
  },
  {
    when: "a listed range meets a default one",
    object: subnets(cp({ cidrBlocks: ["10.1.0.0/24"] }), node()),
    says: ["subnets[1].cidrBlocks", "apart", "10.1.0.0/24 of subnet cp"],
  },
  {
    when: "defaults meet in a network elsewhere",
    object: network({
      vnet: { ...vnet, resourceGroup: "net" },
      subnets: [cp({ cidrBlocks: ["10.1.0.0/24"] }), node()],
    }),
    says: [],
  },
  {
    when: "an IPv6 subnet is not a /64",
    object: network({
      vnet: { ...vnet, cidrBlocks: ["10.0.0.0/8", "2001:db8::/56"] },
      subnets: [cp(), node({ cidrBlocks: ["2001:db8::/60"] })],
    }),
    says: ["2001:db8::/60", "64"],
  },
  {
    when: "a bastion subnet has no range",
    object: subnets(cp(), node(), { name: "AzureBastionSubnet", role: "bastion" }),
    says: ["subnets[2].cidrBlocks", "must list a range"],
  },
];

const securityRules: readonly Row[] = [
  {
    when: "a rule has no priority",
    object: rules(rule({ priority: 0 })),
    says: ["securityRules[0].priority", "0", "100 to 4096"],
  },
  { when: "a priority is too high", object: rules(rule({ priority: 4097 })), says: ["4097"] },
  {
    when: "a rule has both kinds of sources",
    object: rules(rule({ source: "*", sources: ["10.0.0.0/8"] })),
    says: ["sources", "source"],
  },
  {
    when: "two rules share priority and direction",
    object: rules(rule(), rule({ name: "other" })),
    says: ["securityRules[1].priority", "100", "r has it too"],
  },
  {
    when: "two rules share a priority in different directions",
    object: rules(rule(), rule({ name: "other", direction: "Outbound" })),
    says: [],
  },
  {
    when: "subnets that share a group disagree on a rule",
    object: subnets(
      cp({ securityGroup: { name: "g", securityRules: [rule()] } }),
      node({ securityGroup: { name: "G", securityRules: [rule({ priority: 300 })] } }),
    ),
    says: ["subnets[1].securityGroup.securityRules[0].name", "subnets[0]", "same rule"],
  },
];

const endpoints: readonly Row[] = [
  {
    when: "a service is none",
    object: subnets(cp(), node({ serviceEndpoints: [{ service: "Storage", locations: ["*"] }] })),
    says: ["serviceEndpoints[0].service", "Storage"],
  },
  {
    when: "a service has no region",
    object: subnets(cp(), node({ serviceEndpoints: [{ service: "Microsoft.Storage", locations: [] }] })),
    says: ["locations"],
  },
  {
    when: "a region is none",
    object: subnets(cp(), node({ serviceEndpoints: [{ service: "Microsoft.Storage", locations: ["West US"] }] })),
    says: ["West US"],
  },
  { when: "a private endpoint leads nowhere", object: endpoint({}), says: ["privateLinkServiceConnections"] },
  {
    when: "a connection's target is no id",
    object: endpoint({ privateLinkServiceConnections: [{ privateLinkServiceID: "x" }] }),
    says: ["privateLinkServiceID", '"x"'],
  },
  {
    when: "a private endpoint's address lies outside",
    object: endpoint({
      privateLinkServiceConnections: [{ privateLinkServiceID: target }],
      privateIPAddresses: ["10.9.0.4"],
    }),
    says: ["10.9.0.4"],
  },
  {
    when: "a private endpoint in a network elsewhere has an address outside of what would be the default range",
    object: network({
      vnet: { ...vnet, resourceGroup: "net" },
      subnets: [
        cp(),
        node({
          privateEndpoints: [
            {
              name: "pe",
              privateLinkServiceConnections: [{ privateLinkServiceID: target }],
              privateIPAddresses: ["172.16.0.9"],
            },
          ],
        }),
      ],
    }),
    says: [],
  },
  {
    when: "a private endpoint is well",
    object: endpoint({
      privateLinkServiceConnections: [{ privateLinkServiceID: target }],
      privateIPAddresses: ["10.1.0.4"],
    }),
    says: [],
  },
];

const internal = (rest: JsonObject = {}): JsonObject => ({ apiServerLB: { type: "Internal", ...rest } });
const loadBalancers: readonly Row[] = [
  {
    when: "the SKU is Basic",
    object: network({ apiServerLB: { sku: "Basic" } }),
    says: ["apiServerLB.sku", "Standard"],
  },
  {
    when: "the type is none",
    object: network({ apiServerLB: { type: "Private" } }),
    says: ["apiServerLB.type", "Private", "Internal"],
  },
  {
    when: "the idle time-out is short",
    object: network({ apiServerLB: { idleTimeoutInMinutes: 3 } }),
    says: ["idleTimeoutInMinutes", "3", "4 to 30"],
  },
  {
    when: "a public one has two addresses",
    object: network({
      apiServerLB: {
        frontendIPs: [
          { name: "a", publicIP: { name: "a" } },
          { name: "b", publicIP: { name: "b" } },
        ],
      },
    }),
    says: ["apiServerLB.frontendIPs", "exactly one"],
  },
  {
    when: "a public one has a frontend of nothing",
    object: network({ apiServerLB: { frontendIPs: [{ name: "a" }] } }),
    says: ["exactly one"],
  },
  {
    when: "a public one counts",
    object: network({ apiServerLB: { frontendIPsCount: 2 } }),
    says: ["frontendIPsCount"],
  },
  {
    when: "an inside address lies outside",
    object: network({
      apiServerLB: {
        frontendIPs: [
          { name: "a", publicIP: { name: "a" } },
          { name: "b", privateIP: "10.1.0.100" },
        ],
      },
    }),
    says: ["privateIP", "10.0.0.0/16"],
  },
  {
    when: "an internal one has a public address",
    object: network(internal({ frontendIPs: [{ name: "a", publicIP: { name: "a" } }] })),
    says: ["publicIP"],
  },
  {
    when: "an internal one lies outside its subnet",
    object: withNetwork({ vnet, subnets: [cp({ cidrBlocks: ["10.4.0.0/16"] }), node()], ...internal() }),
    says: ["10.0.0.100", "10.4.0.0/16"],
  },
  {
    when: "an internal one has an address of Azure's",
    object: network(internal({ frontendIPs: [{ name: "a", privateIP: "10.0.0.3" }] })),
    says: ["10.0.0.3", "keeps for itself"],
  },
  {
    when: "outbound frontends are too many",
    object: network({ nodeOutboundLB: { frontendIPsCount: 17 } }),
    says: ["nodeOutboundLB.frontendIPsCount", "17", "16"],
  },
  {
    when: "the outbound idle time-out is long",
    object: network({ nodeOutboundLB: { idleTimeoutInMinutes: 31 } }),
    says: ["31"],
  },
  {
    when: "a public control plane has an outbound one",
    object: network({ controlPlaneOutboundLB: {} }),
    says: ["controlPlaneOutboundLB", "must be absent"],
  },
  {
    when: "two share a name",
    object: network({ nodeOutboundLB: { name: "c1-public-lb" } }),
    says: ["c1-public-lb", "several load balancers"],
  },
  {
    when: "an additional port is the API server's",
    object: network({ additionalAPIServerLBPorts: [{ name: "x", port: 6443 }] }),
    says: ["additionalAPIServerLBPorts[0].port", "6443", "API server"],
  },
  {
    when: "an additional port is the one behind the API server's",
    object: withNetwork(
      { vnet, subnets: [cp(), node()], additionalAPIServerLBPorts: [{ name: "x", port: 6443 }] },
      { controlPlaneEndpoint: { host: "api.example.com", port: 443 } },
    ),
    says: ["additionalAPIServerLBPorts[0].port", "6443", "behind"],
  },
  {
    when: "an additional port is the one in front of the API server's",
    object: withNetwork(
      { vnet, subnets: [cp(), node()], additionalAPIServerLBPorts: [{ name: "x", port: 443 }] },
      { controlPlaneEndpoint: { host: "api.example.com", port: 443 } },
    ),
    says: ["additionalAPIServerLBPorts[0].port", "443", "in front"],
  },
  {
    when: "an additional port is none",
    object: network({ additionalAPIServerLBPorts: [{ name: "x", port: 70_000 }] }),
    says: ["70000"],
  },
  {
    when: "a control plane elsewhere leaves nonsense behind",
    object: withNetwork(
      { vnet, subnets: [node()], ...internal({ frontendIPs: [{ name: "f", privateIP: "10.0.0.3" }] }) },
      { controlPlaneEnabled: false },
    ),
    says: [],
  },
];

const others: readonly Row[] = [
  {
    when: "a public cluster names a private zone",
    object: network({ privateDNSZoneName: "my.zone" }),
    says: ["privateDNSZoneName", "Internal"],
  },
  {
    when: "a private zone is an address",
    object: network({ ...internal(), privateDNSZoneName: "10.0.0.1" }),
    says: ["DNS name"],
  },
  {
    when: "a zone's group stands alone",
    object: network({ ...internal(), privateDNSZoneResourceGroup: "rg" }),
    says: ["privateDNSZoneResourceGroup"],
  },
  {
    when: "a peering occurs twice",
    object: network({
      vnet: { ...vnet, peerings: [{ remoteVnetName: "hub" }, { remoteVnetName: "hub", resourceGroup: "c1" }] },
    }),
    says: ["vnet.peerings", "once"],
  },
  {
    when: "a Basic bastion tunnels",
    object: anAzureCluster({ bastionSpec: { azureBastion: { enableTunneling: true } } }),
    says: ["azureBastion.sku", "Standard"],
  },
  {
    when: "a tag has a slash",
    object: anAzureCluster({ additionalTags: { "a/b": "" } }),
    says: ["additionalTags", "without <>%&"],
  },
  {
    when: "a tag is long",
    object: anAzureCluster({ additionalTags: { a: "x".repeat(257) } }),
    says: ["additionalTags", "at most 256 characters"],
  },
  {
    when: "tags are many",
    object: anAzureCluster({
      additionalTags: Object.fromEntries(Array.from({ length: 48 }, (_, at) => [`t${at}`, ""])),
    }),
    says: ["additionalTags", "47"],
  },
  {
    when: "a tag is a number",
    object: anAzureCluster({ additionalTags: { a: 7 } }),
    says: ["additionalTags", "7 must be a string"],
  },
  {
    when: "a service occurs twice",
    object: subnets(cp(), node({ serviceEndpoints: [storage, storage] })),
    says: ["serviceEndpoints[1]", "must occur once", "Microsoft.Storage"],
  },
  {
    when: "a role is missing",
    object: subnets(cp(), node(), { name: "x" }),
    says: ["subnets[2].role: must be given"],
  },
  {
    when: "an enum has another word",
    object: subnets({ name: "x", role: "worker" }),
    says: ["subnets[0].role", '"worker" must be one of', "control-plane"],
  },
];

describe.each([
  { about: "names", rows: names },
  { about: "addresses", rows: addresses },
  { about: "security rules", rows: securityRules },
  { about: "endpoints", rows: endpoints },
  { about: "load balancers", rows: loadBalancers },
  { about: "other fields", rows: others },
])("what is refused about $about", ({ rows }) => {
  it.each(rows)("when $when", ({ object, says }) => {
    const problems = problemsOf(object);
    if (says.length === 0) return expect(problems).toEqual([]);
    expect(problems).toHaveLength(1);
    for (const part of says) expect(problems[0]).toContain(part);
  });
});

describe("a spec with problems", () => {
  const broken = network({ apiServerLB: { sku: "Basic", idleTimeoutInMinutes: 1 } });
  it("tells all of them at once", () => expect(problemsOf(broken)).toHaveLength(2));
  it("shows them as an error of the spec", () => {
    const scope = scopeIn(inputOf(broken));
    expect(scope).toMatchObject({
      error: [{ condition: "SpecValid", severity: "Error", reason: "InvalidConfiguration" }, {}],
    });
  });
  it("can still be deleted", () => {
    const metadata = { ...broken.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" };
    expect(scopeIn(inputOf({ ...broken, metadata }))).toMatchObject({ ok: true });
  });
});
