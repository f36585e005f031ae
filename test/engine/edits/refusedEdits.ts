import type { JsonObject } from "../../../src/core/types.ts";
import { cp, internal, network, node, nodes, type Refused, subnets } from "./editCase.ts";

const lb = (name: string, part: JsonObject): JsonObject => network({ [name]: part });
const privateApi = (part: JsonObject = {}): JsonObject => network({ apiServerLB: { type: "Internal" }, ...part });
const egress = privateApi({ controlPlaneOutboundLB: {} });
const stay = "must stay as it is";

const refused = (fields: readonly string[], edit: JsonObject, says: string, more: Partial<Refused> = {}): Refused => ({
  title: fields[0] ?? "",
  fields,
  edit,
  field: fields[0] ?? "",
  says,
  ...more,
});

const place: readonly Refused[] = [
  refused(["location"], { location: "westus" }, "a cluster cannot move"),
  refused(
    ["subscriptionID"],
    { subscriptionID: "00000000-0000-4000-8000-000000000009" },
    "make a new cluster in another subscription",
  ),
  refused(["resourceGroup"], { resourceGroup: "other" }, "the name of this object when absent"),
  refused(["azureEnvironment"], { azureEnvironment: "AzureChinaCloud" }, "AzurePublicCloud when absent"),
  refused(["identityRef.kind"], { identityRef: { kind: "Secret" } }, "must have the kind AzureClusterIdentity", {
    field: "identityRef",
  }),
  refused(["identityRef.name"], { identityRef: { name: "" } }, "must name an AzureClusterIdentity", {
    field: "identityRef",
  }),
  refused(["controlPlaneEnabled"], { controlPlaneEnabled: false }, "because its endpoint does"),
  refused(["extendedLocation.type"], { extendedLocation: { name: "x", type: "Zone" } }, "EdgeZone"),
  refused(["controlPlaneEndpoint.host"], { controlPlaneEndpoint: { host: "other" } }, "once it is set"),
  refused(["controlPlaneEndpoint.port"], { controlPlaneEndpoint: { port: 443 } }, "once it is set"),
];

const rateLimit = (config: JsonObject, name = "defaultRateLimit"): JsonObject => ({
  cloudProviderConfigOverrides: { rateLimits: [{ name, config }] },
});
const overridden = (fields: readonly string[], edit: JsonObject): Refused =>
  refused(
    fields.map((field) => `cloudProviderConfigOverrides.${field}`),
    edit,
    "must stay as it was at creation",
    { field: "cloudProviderConfigOverrides", from: rateLimit({ cloudProviderRateLimit: true }) },
  );
const overrides: readonly Refused[] = [
  overridden(["rateLimits[].name"], rateLimit({ cloudProviderRateLimit: true }, "diskRateLimit")),
  ...(
    [
      ["cloudProviderRateLimit", false],
      ["cloudProviderRateLimitQPS", "2"],
      ["cloudProviderRateLimitBucket", 2],
      ["cloudProviderRateLimitQPSWrite", "2"],
      ["cloudProviderRateLimitBucketWrite", 2],
    ] as const
  ).map(([name, value]) => overridden([`rateLimits[].config.${name}`], rateLimit({ [name]: value }))),
  ...(
    [
      ["cloudProviderBackoff", true],
      ["cloudProviderBackoffRetries", 2],
      ["cloudProviderBackoffExponent", "1.5"],
      ["cloudProviderBackoffDuration", 2],
      ["cloudProviderBackoffJitter", "1.5"],
    ] as const
  ).map(([name, value]) =>
    overridden([`backOffs.${name}`], { cloudProviderConfigOverrides: { backOffs: { [name]: value } } }),
  ),
];

const bastion = (azureBastion: JsonObject | null): JsonObject => ({ bastionSpec: { azureBastion } });
const host = (subnet: JsonObject): JsonObject =>
  bastion({ subnet: { name: "AzureBastionSubnet", role: "bastion", ...subnet } });
const pip = (part: JsonObject): JsonObject => bastion({ publicIP: { name: "c1-azure-bastion-pip", ...part } });
const hosted = (name: string, edit: JsonObject): Refused =>
  refused([`bastionSpec.azureBastion.${name}`], edit, "once it is there", {
    field: "bastionSpec.azureBastion",
    from: bastion({}),
  });
const bastions: readonly Refused[] = [
  hosted("name", bastion({ name: "other" })),
  { ...hosted("name", bastion(null)), title: "a bastion host goes" },
  hosted("sku", bastion({ sku: "Standard" })),
  hosted("enableTunneling", bastion({ sku: "Standard", enableTunneling: true })),
  hosted("publicIP.name", pip({ name: "other" })),
  hosted("publicIP.dnsName", pip({ dnsName: "jump.eastus.cloudapp.azure.com" })),
  hosted("publicIP.ipTags[].type", pip({ ipTags: [{ type: "RoutingPreference", tag: "Internet" }] })),
  hosted("publicIP.ipTags[].tag", pip({ ipTags: [{ type: "RoutingPreference", tag: "Other" }] })),
  hosted("subnet.name", host({ name: "other" })),
  hosted("subnet.cidrBlocks[]", host({ cidrBlocks: ["10.200.0.0/26"] })),
  hosted("subnet.securityGroup.name", host({ securityGroup: { name: "other" } })),
  hosted("subnet.routeTable.name", host({ routeTable: { name: "other" } })),
  hosted("subnet.natGateway.name", host({ natGateway: { name: "other" } })),
];

const listed = (part: string, edit: JsonObject, says: string, from?: JsonObject): Refused =>
  refused([`networkSpec.subnets[].${part}`], edit, says, {
    field: "networkSpec.subnets",
    ...(from !== undefined && { from }),
  });
const networks: readonly Refused[] = [
  refused(["networkSpec.vnet.name"], network({ vnet: { name: "other" } }), "because machines live in it"),
  refused(
    ["networkSpec.vnet.resourceGroup"],
    network({ vnet: { resourceGroup: "hub-rg" } }),
    "because machines live in it",
  ),
  listed("securityGroup.name", nodes({ securityGroup: { name: "other" } }), "must keep the securityGroup.name"),
  listed("routeTable.name", nodes({ routeTable: { name: "other" } }), "must keep the routeTable.name"),
  listed("natGateway.name", nodes({ natGateway: { name: "other" } }), "must keep the natGateway.name"),
  listed("role", subnets(cp, { ...node, role: "cluster" }), "must keep the securityGroup.name"),
  listed(
    "cidrBlocks[]",
    nodes({ cidrBlocks: ["10.3.0.0/16"] }),
    "must keep the cidrBlocks of each subnet in a virtual network that was made for this cluster",
    network({ vnet: { tags: { "sigs.k8s.io_cluster-api-provider-azure_cluster_c1": "owned" } } }),
  ),
  refused(["networkSpec.privateDNSZone"], network({ privateDNSZone: "None" }), stay, { from: internal }),
  refused(["networkSpec.privateDNSZoneName"], network({ privateDNSZoneName: "corp.internal" }), "at creation", {
    from: internal,
  }),
  refused(["networkSpec.privateDNSZoneResourceGroup"], network({ privateDNSZoneResourceGroup: "hub-rg" }), stay, {
    from: privateApi({ privateDNSZoneName: "corp.internal", privateDNSZoneResourceGroup: "dns" }),
  }),
];

const api = (name: string, part: JsonObject, says = stay, more: Partial<Refused> = {}): Refused =>
  refused([`networkSpec.apiServerLB.${name}`], lb("apiServerLB", part), says, more);
const nodesOut = (name: string, part: JsonObject, says: string, more: Partial<Refused> = {}): Refused =>
  refused([`networkSpec.nodeOutboundLB.${name}`], lb("nodeOutboundLB", part), says, {
    from: lb("nodeOutboundLB", {}),
    ...more,
  });
const cpOut = (name: string, part: JsonObject, says = "at creation", more: Partial<Refused> = {}): Refused =>
  refused([`networkSpec.controlPlaneOutboundLB.${name}`], lb("controlPlaneOutboundLB", part), says, {
    field: "networkSpec.controlPlaneOutboundLB",
    from: egress,
    ...more,
  });
const zones = {
  from: lb("apiServerLB", { availabilityZones: ["1"] }),
  field: "networkSpec.apiServerLB.availabilityZones",
};
const ipv6: JsonObject = network({
  vnet: { cidrBlocks: ["10.0.0.0/8", "2001:db8::/56"] },
  subnets: [cp, { ...node, cidrBlocks: ["10.1.0.0/16", "2001:db8::/64"] }],
});

const balancers: readonly Refused[] = [
  api("name", { name: "other" }),
  api("sku", { sku: "Basic" }, "must be Standard"),
  api("type", { type: "Internal" }, "Public when absent"),
  api("idleTimeoutInMinutes", { idleTimeoutInMinutes: 5 }, "4 when absent"),
  api("availabilityZones[]", { availabilityZones: ["1", "2"] }, "must stay the same zones", zones),
  api("frontendIPsCount", { frontendIPsCount: 2 }, "must be 1 or absent unless the type is Internal"),
  api("frontendIPs[].privateIP", { frontendIPs: [{ name: "x", privateIP: "10.0.0.9" }] }, "must keep the privateIP", {
    from: internal,
    field: "networkSpec.apiServerLB.frontendIPs",
  }),
  nodesOut("name", { name: "other" }, "the name of this object when absent"),
  nodesOut("sku", { sku: "Basic" }, "must be Standard"),
  nodesOut("availabilityZones[]", { availabilityZones: ["1"] }, "must stay the same zones", {
    field: "networkSpec.nodeOutboundLB.availabilityZones",
  }),
  nodesOut("idleTimeoutInMinutes", { idleTimeoutInMinutes: 5 }, "where subnets have IPv6 ranges", { from: ipv6 }),
  nodesOut("frontendIPsCount", { frontendIPsCount: 17 }, "must be from 0 to 16"),
  nodesOut("frontendIPs[].privateIP", { frontendIPs: [{ name: "x", privateIP: "10.0.0.9" }] }, "with a publicIP", {
    field: "networkSpec.nodeOutboundLB.frontendIPs",
  }),
  cpOut("name", { name: "other" }),
  cpOut("sku", { sku: "Basic" }, "must be Standard", { field: "networkSpec.controlPlaneOutboundLB.sku" }),
  cpOut("idleTimeoutInMinutes", { idleTimeoutInMinutes: 5 }),
  cpOut("backendPool.name", { backendPool: { name: "other" } }),
  cpOut("availabilityZones[]", { availabilityZones: ["1"] }),
  cpOut("frontendIPsCount", { frontendIPsCount: 2 }),
  {
    ...cpOut("name", {}),
    title: "a way out of the control plane goes",
    edit: network({ controlPlaneOutboundLB: null }),
  },
];

/** Edits that the API server refuses. */
export const refusedEdits: readonly Refused[] = [...place, ...overrides, ...bastions, ...networks, ...balancers];
