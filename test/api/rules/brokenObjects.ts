import type { JsonObject } from "../../../src/core/types.ts";

/** An object that our rules would refuse, as an earlier release may have admitted it. */
export interface BrokenObject {
  readonly kind: string;
  readonly name: string;
  readonly spec?: JsonObject;
  /** Merge patches of the spec that must pass: changes of other fields, mendings of broken ones; and some that must not. */
  readonly elsewhere: readonly JsonObject[];
  readonly mended: readonly JsonObject[];
  readonly worse: readonly JsonObject[];
}

const frontend = (name: string): JsonObject => ({ name, publicIP: { name: "a/b", dnsName: "A" }, privateIP: "10" });

const brokenNetwork: JsonObject = {
  vnet: {
    name: "a/b",
    resourceGroup: "a.",
    cidrBlocks: ["10.0.0.0/16", "10.0.0.0/24"],
    peerings: [{ remoteVnetName: "hub" }, { remoteVnetName: "hub" }],
  },
  subnets: [
    ...Array.from({ length: 65 }, (_, index) => ({ name: `s${index}`, role: "node", cidrBlocks: ["10.9.0.0/16"] })),
    {
      name: "a/b",
      role: "cluster",
      cidrBlocks: ["x", "10.0.0.0/30", "2001:db8::/65", "10.0.0.0/24", "10.0.0.0/24"],
      securityGroup: {
        name: "a/b",
        securityRules: [
          { name: "a/b", description: "", protocol: "Tcp", direction: "Inbound", source: "*", sources: ["*"] },
        ],
      },
      serviceEndpoints: [{ service: "x", locations: [] }],
      privateEndpoints: [{ name: "", privateIPAddresses: ["x"] }],
    },
    { name: "second", role: "cluster" },
  ],
  apiServerLB: {
    name: "a/b",
    sku: "Basic",
    type: "Other",
    idleTimeoutInMinutes: 1,
    frontendIPsCount: 3,
    frontendIPs: [frontend("a"), frontend("A")],
  },
  nodeOutboundLB: { frontendIPsCount: 17, frontendIPs: [{ name: "a" }] },
  controlPlaneOutboundLB: { idleTimeoutInMinutes: 99 },
  privateDNSZoneName: "10.0.0.1",
  privateDNSZoneResourceGroup: "a.",
  additionalAPIServerLBPorts: [
    { name: "LBRuleHTTPS", port: 0 },
    { name: "b", port: 0 },
  ],
};

const brokenPlace: JsonObject = {
  location: "",
  subscriptionID: "mine",
  resourceGroup: "a.",
  azureEnvironment: "AzureGermanCloud",
  additionalTags: { "a/b": "x".repeat(300) },
};

/** Every family adds its own. */
export const brokenObjects: readonly BrokenObject[] = [
  {
    kind: "AzureCluster",
    name: "a.name.with.dots",
    spec: {
      ...brokenPlace,
      controlPlaneEndpoint: { host: "", port: 70000 },
      bastionSpec: { azureBastion: { enableTunneling: true } },
      networkSpec: brokenNetwork,
    },
    elsewhere: [
      { failureDomains: { 1: { controlPlane: true } } },
      { controlPlaneEndpoint: { host: "example.com" } },
      { networkSpec: { nodeOutboundLB: { backendPool: { name: "pool" } } } },
      { networkSpec: { vnet: { id: "x" } } },
      { cloudProviderConfigOverrides: {} },
    ],
    mended: [
      { identityRef: { kind: "AzureClusterIdentity", name: "identity" } },
      { additionalTags: null },
      { networkSpec: { vnet: { peerings: null } } },
      { networkSpec: { additionalAPIServerLBPorts: [{ name: "b", port: 80 }] } },
      { networkSpec: { subnets: [{ name: "s1", role: "node", cidrBlocks: ["10.0.1.0/24"] }] } },
    ],
    worse: [
      { networkSpec: { subnets: [{ name: "s1", role: "node", cidrBlocks: ["10.8.0.0/16"] }] } },
      { networkSpec: { nodeOutboundLB: { frontendIPsCount: 18 } } },
      { identityRef: null },
    ],
  },
  {
    kind: "AzureCluster",
    name: "without-spec",
    elsewhere: [],
    mended: [{ location: "westeurope", identityRef: { kind: "AzureClusterIdentity", name: "identity" } }],
    worse: [{ location: "eastus" }],
  },
  {
    kind: "AzureClusterTemplate",
    name: "template",
    spec: {
      template: {
        spec: {
          ...brokenPlace,
          networkSpec: {
            vnet: {
              cidrBlocks: ["10.0.0.0/16", "x"],
              peerings: [{ remoteVnetName: "hub" }, { remoteVnetName: "hub" }],
            },
            subnets: [
              { name: "", role: "node", cidrBlocks: ["10.1.0.0/16"] },
              { name: "b", role: "node", cidrBlocks: ["10.1.0.0/16"] },
            ],
            apiServerLB: { type: "Other" },
            controlPlaneOutboundLB: {},
          },
        },
      },
    },
    elsewhere: [{ template: { metadata: { labels: { a: "b" } } } }],
    mended: [],
    worse: [{ template: { spec: { location: "eastus" } } }],
  },
  {
    kind: "AzureClusterIdentity",
    name: "identity",
    spec: {
      type: "WorkloadIdentity",
      clientID: "a",
      tenantID: "b",
      resourceID: "x",
      userAssignedIdentityCredentialsPath: "x",
      userAssignedIdentityCredentialsCloudType: "mars",
    },
    elsewhere: [{ clientID: "other" }, { allowedNamespaces: {} }],
    mended: [{ resourceID: null }],
    worse: [{ resourceID: "y" }, { userAssignedIdentityCredentialsPath: "y" }, { type: "ServicePrincipal" }],
  },
  {
    kind: "AzureClusterIdentity",
    name: "without-spec",
    elsewhere: [],
    mended: [{ type: "WorkloadIdentity", clientID: "a", tenantID: "b" }],
    worse: [{ type: "ServicePrincipal" }],
  },
];
