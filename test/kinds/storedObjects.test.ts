import { describe, expect, it } from "vitest";
import type { Json, JsonObject, KubeObject } from "../../src/core/types.ts";
import { azureCluster } from "../../src/kinds/azureCluster.ts";
import { anAzureCluster, inputOf, scopeIn, withNetwork } from "./aCluster.ts";

const wishesOf = (object: KubeObject): readonly { readonly id: string; readonly body: Json }[] => {
  const scope = scopeIn(inputOf(object));
  if (!scope.ok) throw new Error(scope.error.map(({ message }) => message).join("\n"));
  return azureCluster.services.flatMap((service) => service.desired(scope.value).map(({ id, body }) => ({ id, body })));
};

/** What upstream's defaulting stores of rules that a control plane needs (fact sheet 5.3.5 and 6.8). */
const storedRule = (name: string, description: string, priority: number, destinationPorts: string): JsonObject => ({
  name,
  description,
  priority,
  destinationPorts,
  protocol: "Tcp",
  direction: "Inbound",
  source: "*",
  sourcePorts: "*",
  destination: "*",
});
const storedRules = [
  storedRule("allow_ssh", "Allow SSH", 2200, "22"),
  storedRule("allow_apiserver", "Allow K8s API Server", 2201, "6443"),
];
const host = "c1-30dc860e.eastus.cloudapp.azure.com";
const idOf = (type: string, name: string): string =>
  `/subscriptions/s/resourceGroups/c1/providers/Microsoft.Network/${type}/${name}`;

/** The minimal cluster of fact sheet 13.1 as upstream stores it, empty structs and observed fields included. */
const storedNetwork = (rules: readonly JsonObject[]): JsonObject => ({
  vnet: {
    name: "c1-vnet",
    resourceGroup: "c1",
    id: idOf("virtualNetworks", "c1-vnet"),
    cidrBlocks: ["10.0.0.0/8"],
    tags: { "sigs.k8s.io_cluster-api-provider-azure_cluster_c1": "owned" },
  },
  subnets: [
    {
      name: "control-plane-subnet",
      role: "control-plane",
      id: idOf("virtualNetworks", "c1-vnet/subnets/control-plane-subnet"),
      cidrBlocks: ["10.0.0.0/16"],
      securityGroup: { name: "c1-controlplane-nsg", securityRules: rules },
      routeTable: { name: "c1-node-routetable" },
      natGateway: { name: "", ip: { name: "" } },
    },
    {
      name: "node-subnet",
      role: "node",
      id: idOf("virtualNetworks", "c1-vnet/subnets/node-subnet"),
      cidrBlocks: ["10.1.0.0/16"],
      securityGroup: { name: "c1-node-nsg" },
      routeTable: { name: "c1-node-routetable" },
      natGateway: { name: "c1-node-natgw-1", ip: { name: "pip-c1-node-natgw-1" } },
    },
  ],
  apiServerLB: {
    name: "c1-public-lb",
    sku: "Standard",
    type: "Public",
    idleTimeoutInMinutes: 4,
    frontendIPs: [{ name: "c1-public-lb-frontEnd", publicIP: { name: "pip-c1-apiserver", dnsName: host } }],
    backendPool: { name: "c1-public-lb-backendPool" },
  },
});
const stored = (networkSpec: JsonObject, more: JsonObject = {}): KubeObject =>
  anAzureCluster({
    azureEnvironment: "AzurePublicCloud",
    resourceGroup: "c1",
    controlPlaneEnabled: true,
    controlPlaneEndpoint: { host, port: 6443 },
    bastionSpec: {},
    networkSpec,
    ...more,
  });

const machines = [
  { name: "control-plane-subnet", role: "control-plane" },
  { name: "node-subnet", role: "node" },
];
const privateManifest = withNetwork({
  vnet: { name: "c1-vnet" },
  subnets: machines,
  apiServerLB: { type: "Internal" },
  nodeOutboundLB: { frontendIPsCount: 2 },
  controlPlaneOutboundLB: {},
});
const outbound = (name: string, pool: string, ...frontends: readonly (readonly [string, string])[]): JsonObject => ({
  name,
  sku: "Standard",
  type: "Public",
  idleTimeoutInMinutes: 4,
  frontendIPs: frontends.map(([frontend, ip]) => ({ name: frontend, publicIP: { name: ip } })),
  frontendIPsCount: frontends.length,
  backendPool: { name: pool },
});
const privateStored = stored(
  {
    ...storedNetwork(storedRules),
    apiServerLB: {
      name: "c1-internal-lb",
      sku: "Standard",
      type: "Internal",
      idleTimeoutInMinutes: 4,
      frontendIPs: [{ name: "c1-internal-lb-frontEnd", privateIP: "10.0.0.100" }],
      backendPool: { name: "c1-internal-lb-backendPool" },
    },
    nodeOutboundLB: outbound(
      "c1",
      "c1-outboundBackendPool",
      ["c1-frontEnd-1", "pip-c1-node-outbound-1"],
      ["c1-frontEnd-2", "pip-c1-node-outbound-2"],
    ),
    controlPlaneOutboundLB: outbound("c1-outbound-lb", "c1-outbound-lb-outboundBackendPool", [
      "c1-outbound-lb-frontEnd",
      "pip-c1-controlplane-outbound",
    ]),
  },
  { controlPlaneEndpoint: { host: "apiserver.c1.capz.io", port: 6443 } },
);

interface Row {
  readonly what: string;
  readonly manifest: KubeObject;
  readonly object: KubeObject;
}

const rows: readonly Row[] = [
  {
    what: "all defaults filled in",
    manifest: anAzureCluster(),
    object: stored(storedNetwork(storedRules.map((rule) => ({ ...rule, action: "Allow" })))),
  },
  {
    what: "rules from before they had an action",
    manifest: anAzureCluster(),
    object: stored(storedNetwork(storedRules)),
  },
  {
    what: "the first pass of defaulting, before rules, endpoint and DNS name were known",
    manifest: anAzureCluster(),
    object: stored(
      {
        ...storedNetwork([]),
        apiServerLB: {
          name: "c1-public-lb",
          frontendIPs: [{ name: "c1-public-lb-frontEnd", publicIP: { name: "pip-c1-apiserver", dnsName: "" } }],
        },
      },
      { controlPlaneEndpoint: { host: "", port: 0 } },
    ),
  },
  {
    what: "an API server's load balancer from before it had a name, a pool or a SKU",
    manifest: anAzureCluster(),
    object: stored({ ...storedNetwork(storedRules), apiServerLB: { type: "Public" } }),
  },
  {
    what: "no word on who provides the control plane, and nulls for what is unset",
    manifest: anAzureCluster(),
    object: stored(
      { ...storedNetwork(storedRules), nodeOutboundLB: null, controlPlaneOutboundLB: null, privateDNSZoneName: "" },
      {
        controlPlaneEnabled: null,
        bastionSpec: null,
        extendedLocation: null,
        additionalTags: null,
        failureDomains: {},
      },
    ),
  },
  {
    what: "fields that no release has any more",
    manifest: anAzureCluster(),
    object: stored(
      { ...storedNetwork(storedRules), oldField: { deep: [1] } },
      { networkResourceGroup: "gone", caKeyPair: { cert: "x" }, identityName: 7 },
    ),
  },
  {
    what: "empty structs everywhere",
    manifest: anAzureCluster(),
    object: anAzureCluster({
      resourceGroup: "",
      azureEnvironment: "",
      controlPlaneEndpoint: { host: "", port: 0 },
      bastionSpec: {},
      cloudProviderConfigOverrides: null,
      networkSpec: {
        vnet: { name: "c1-vnet", resourceGroup: "", id: "", cidrBlocks: [] },
        subnets: machines.map((subnet) => ({
          ...subnet,
          id: "",
          cidrBlocks: [],
          securityGroup: { name: "", id: "", securityRules: [] },
          routeTable: { name: "", id: "" },
          natGateway: { name: "", id: "", ip: { name: "", dnsName: "" }, zones: [] },
          serviceEndpoints: [],
          privateEndpoints: [],
        })),
        apiServerLB: { name: "", sku: "", type: "", frontendIPs: [], backendPool: {}, availabilityZones: [] },
        additionalAPIServerLBPorts: [],
      },
    }),
  },
  { what: "a private cluster with ways out", manifest: privateManifest, object: privateStored },
];

describe("objects that upstream stored mean what their manifests mean", () => {
  it.each(rows)("$what", ({ manifest, object }) => {
    const byId = (wishes: ReturnType<typeof wishesOf>) => wishes.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(byId(wishesOf(object))).toEqual(byId(wishesOf(manifest)));
  });
});
