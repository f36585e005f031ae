import type { JsonObject } from "../../../src/core/types.ts";
import type { RuleCase, RuleCases } from "../../support/admission/ruleCase.ts";
import { controlPlaneChangeCases } from "./azureManagedControlPlaneChanges.ts";

const spec = (fields: JsonObject): JsonObject => ({ spec: fields });

const subnet = (fields: JsonObject): JsonObject => spec({ virtualNetwork: { subnet: fields } });
const target = { privateLinkServiceID: "/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/v" };
const endpoint = (fields: JsonObject): JsonObject =>
  subnet({
    privateEndpoints: [
      {
        name: "endpoint",
        privateLinkServiceConnections: [target],
        ...fields,
      },
    ],
  });

const network: readonly RuleCase[] = [
  {
    rule: "must be an address range in CIDR form, such as 10.0.0.0/8",
    field: "spec.virtualNetwork.cidrBlock",
    accepts: spec({ virtualNetwork: { cidrBlock: "10.0.0.0/9", subnet: { cidrBlock: "10.1.0.0/16" } } }),
    refuses: spec({ virtualNetwork: { cidrBlock: "10.0.0.0" } }),
  },
  {
    rule: "must be an address range in CIDR form, such as 10.240.0.0/16",
    field: "spec.virtualNetwork.subnet.cidrBlock",
    accepts: subnet({ cidrBlock: "10.1.0.0/16" }),
    refuses: subnet({ cidrBlock: "10.1.0.0/33" }),
  },
  {
    rule: "must contain the range of its subnet: 10.0.0.0/16 does not hold 10.240.0.0/16",
    field: "spec.virtualNetwork.cidrBlock",
    accepts: spec({ virtualNetwork: { cidrBlock: "10.240.0.0/12" } }),
    refuses: spec({ virtualNetwork: { cidrBlock: "10.0.0.0/16" } }),
  },
  {
    rule: "must contain the range of its subnet: 10.240.0.0/16 does not hold 10.224.0.0/16",
    field: "spec.virtualNetwork.cidrBlock",
    accepts: spec({ networkPluginMode: "overlay", virtualNetwork: { cidrBlock: "10.224.0.0/12" } }),
    refuses: spec({ networkPluginMode: "overlay", virtualNetwork: { cidrBlock: "10.240.0.0/16" } }),
  },
  {
    rule: "must have all addresses of its private endpoints in its cidrBlock, 10.240.0.0/16",
    field: "spec.virtualNetwork.subnet.privateEndpoints",
    accepts: endpoint({ privateIPAddresses: ["10.240.0.5"] }),
    refuses: endpoint({ privateIPAddresses: ["10.240.0.5", "10.241.0.5"] }),
  },
  {
    rule: "must be an IP address",
    field: "spec.virtualNetwork.subnet.privateEndpoints[0].privateIPAddresses[0]",
    accepts: endpoint({ privateIPAddresses: ["10.240.0.5"] }),
    refuses: endpoint({ privateIPAddresses: ["10.240.0"] }),
  },
  {
    rule: "must have at most 80 letters",
    field: "spec.virtualNetwork.subnet.privateEndpoints[0].name",
    accepts: endpoint({ name: "an.end-point_1" }),
    refuses: endpoint({ name: "an endpoint" }),
  },
  {
    rule: "must be given",
    field: "spec.virtualNetwork.subnet.privateEndpoints[0].name",
    accepts: endpoint({ name: "e" }),
    refuses: endpoint({ name: "" }),
  },
  {
    rule: "must have at most 80 letters",
    field: "spec.virtualNetwork.subnet.privateEndpoints[0].privateLinkServiceConnections[0].name",
    accepts: endpoint({ privateLinkServiceConnections: [{ ...target, name: "a-connection" }] }),
    refuses: endpoint({ privateLinkServiceConnections: [{ ...target, name: "a connection" }] }),
  },
  {
    rule: "must have a connection",
    field: "spec.virtualNetwork.subnet.privateEndpoints[0].privateLinkServiceConnections",
    accepts: endpoint({}),
    refuses: endpoint({ privateLinkServiceConnections: [] }),
  },
  {
    rule: "must be a resource id",
    field: "spec.virtualNetwork.subnet.privateEndpoints[0].privateLinkServiceConnections[0].privateLinkServiceID",
    accepts: endpoint({}),
    refuses: endpoint({ privateLinkServiceConnections: [{ privateLinkServiceID: "/subscriptions/s" }] }),
  },
  {
    rule: "must not be overlay with networkPlugin kubenet",
    field: "spec.networkPluginMode",
    accepts: spec({ networkPluginMode: "overlay" }),
    refuses: spec({ networkPluginMode: "overlay", networkPlugin: "kubenet" }),
  },
  {
    rule: "must not be cilium with another networkDataplane",
    field: "spec.networkPolicy",
    accepts: spec({ networkPolicy: "cilium" }),
    refuses: spec({ networkPolicy: "cilium", networkDataplane: "azure" }),
  },
  {
    rule: "must not be cilium without networkPluginMode overlay and networkPolicy cilium",
    field: "spec.networkDataplane",
    accepts: spec({ networkPolicy: "cilium", networkDataplane: "cilium", networkPluginMode: "overlay" }),
    refuses: spec({ networkPolicy: "cilium", networkDataplane: "cilium" }),
  },
  {
    rule: "must be of 2 to 54 letters, digits and inner hyphens",
    field: "spec.dnsPrefix",
    accepts: spec({ dnsPrefix: "my-Cluster1" }),
    refuses: spec({ dnsPrefix: "my.cluster" }),
  },
  {
    rule: "must be given where the object's name cannot serve",
    field: "spec.dnsPrefix",
    accepts: { metadata: { name: "my.cluster" }, spec: { dnsPrefix: "my-cluster" } },
    refuses: { metadata: { name: "my.cluster" }, spec: { dnsPrefix: "" } },
  },
  {
    rule: "must be an IPv4 address that ends with .10",
    field: "spec.dnsServiceIP",
    accepts: spec({ dnsServiceIP: "192.168.0.10" }),
    refuses: spec({ dnsServiceIP: "192.168.0.11" }),
  },
];

const balancer = (fields: JsonObject): JsonObject => spec({ loadBalancerProfile: fields });
const access = (fields: JsonObject): JsonObject => spec({ apiServerAccessProfile: fields });
const zone = (name: string): string =>
  `/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/privateDnsZones/${name}`;

const reach: readonly RuleCase[] = [
  {
    rule: "should be greater than or equal to 1",
    field: "spec.loadBalancerProfile.managedOutboundIPs",
    accepts: balancer({ managedOutboundIPs: 1 }),
    refuses: balancer({ managedOutboundIPs: 0 }),
  },
  {
    rule: "should be less than or equal to 100",
    field: "spec.loadBalancerProfile.managedOutboundIPs",
    accepts: balancer({ managedOutboundIPs: 100 }),
    refuses: balancer({ managedOutboundIPs: 101 }),
  },
  {
    rule: "should be greater than or equal to 0",
    field: "spec.loadBalancerProfile.allocatedOutboundPorts",
    accepts: balancer({ allocatedOutboundPorts: 0 }),
    refuses: balancer({ allocatedOutboundPorts: -1 }),
  },
  {
    rule: "should be less than or equal to 64000",
    field: "spec.loadBalancerProfile.allocatedOutboundPorts",
    accepts: balancer({ allocatedOutboundPorts: 64_000 }),
    refuses: balancer({ allocatedOutboundPorts: 64_001 }),
  },
  {
    rule: "should be greater than or equal to 4",
    field: "spec.loadBalancerProfile.idleTimeoutInMinutes",
    accepts: balancer({ idleTimeoutInMinutes: 4 }),
    refuses: balancer({ idleTimeoutInMinutes: 3 }),
  },
  {
    rule: "should be less than or equal to 120",
    field: "spec.loadBalancerProfile.idleTimeoutInMinutes",
    accepts: balancer({ idleTimeoutInMinutes: 120 }),
    refuses: balancer({ idleTimeoutInMinutes: 121 }),
  },
  {
    rule: "must name one of managedOutboundIPs, outboundIPPrefixes and outboundIPs at most",
    field: "spec.loadBalancerProfile",
    accepts: balancer({ outboundIPs: ["id"], outboundIPPrefixes: [] }),
    refuses: balancer({ outboundIPs: ["id"], managedOutboundIPs: 1 }),
  },
  {
    rule: "must be an address range in CIDR form, such as 203.0.113.0/24",
    field: "spec.apiServerAccessProfile.authorizedIPRanges[1]",
    accepts: access({ authorizedIPRanges: ["203.0.113.0/24", "203.0.113.7/32"] }),
    refuses: access({ authorizedIPRanges: ["203.0.113.0/24", "203.0.113.7"] }),
  },
  {
    rule: "must be System, None, or the resource id of a zone",
    field: "spec.apiServerAccessProfile.privateDNSZone",
    accepts: access({ privateDNSZone: "none" }),
    refuses: access({ privateDNSZone: zone("example.org"), enablePrivateCluster: true }),
  },
  {
    rule: "must not be the id of a zone unless enablePrivateCluster is true",
    field: "spec.apiServerAccessProfile.privateDNSZone",
    accepts: access({ privateDNSZone: zone("sub.privatelink.eastus.azmk8s.io"), enablePrivateCluster: true }),
    refuses: access({ privateDNSZone: zone("private.eastus.azmk8s.io") }),
  },
];

const protect = (fields: JsonObject): JsonObject => spec({ securityProfile: fields });
const kms = (fields: JsonObject): JsonObject => ({
  spec: {
    identity: { type: "UserAssigned", userAssignedIdentityResourceID: "id" },
    securityProfile: { azureKeyVaultKms: { enabled: true, keyID: "key", ...fields } },
  },
});
const sshKey = Buffer.from("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA").toString("base64");
const aadProfile = (managed: boolean): JsonObject => ({ managed, adminGroupObjectIDs: ["group"] });

const security: readonly RuleCase[] = [
  {
    rule: "must be in base64",
    field: "spec.sshPublicKey",
    accepts: spec({ sshPublicKey: sshKey }),
    refuses: spec({ sshPublicKey: "ssh-ed25519 AAAA" }),
  },
  {
    rule: "must be given with type UserAssigned, and only then",
    field: "spec.identity.userAssignedIdentityResourceID",
    accepts: spec({ identity: { type: "UserAssigned", userAssignedIdentityResourceID: "id" } }),
    refuses: spec({ identity: { type: "UserAssigned", userAssignedIdentityResourceID: "" } }),
  },
  {
    rule: "must be given with type UserAssigned, and only then",
    field: "spec.identity.userAssignedIdentityResourceID",
    accepts: spec({ identity: { userAssignedIdentityResourceID: "" } }),
    refuses: spec({ identity: { userAssignedIdentityResourceID: "id" } }),
  },
  {
    rule: "must be absent without aadProfile",
    field: "spec.disableLocalAccounts",
    accepts: spec({ disableLocalAccounts: false, aadProfile: aadProfile(true) }),
    refuses: spec({ disableLocalAccounts: false }),
  },
  {
    rule: "must not be true unless aadProfile.managed is true",
    field: "spec.disableLocalAccounts",
    accepts: spec({ disableLocalAccounts: true, aadProfile: aadProfile(true) }),
    refuses: spec({ disableLocalAccounts: true, aadProfile: aadProfile(false) }),
  },
  {
    rule: "must be absent unless identity.type is UserAssigned",
    field: "spec.securityProfile.azureKeyVaultKms",
    accepts: kms({}),
    refuses: { spec: { ...(kms({})["spec"] as JsonObject), identity: { type: "SystemAssigned" } } },
  },
  {
    rule: "must be given with keyVaultNetworkAccess Private, and only then",
    field: "spec.securityProfile.azureKeyVaultKms.keyVaultResourceID",
    accepts: kms({ keyVaultNetworkAccess: "Private", keyVaultResourceID: "vault" }),
    refuses: kms({ keyVaultNetworkAccess: "Private" }),
  },
  {
    rule: "must be given with keyVaultNetworkAccess Private, and only then",
    field: "spec.securityProfile.azureKeyVaultKms.keyVaultResourceID",
    accepts: kms({ keyVaultNetworkAccess: "Public" }),
    refuses: kms({ keyVaultNetworkAccess: "Public", keyVaultResourceID: "vault" }),
  },
  {
    rule: "must be absent unless oidcIssuerProfile.enabled is true",
    field: "spec.securityProfile.workloadIdentity",
    accepts: spec({ oidcIssuerProfile: { enabled: true }, securityProfile: { workloadIdentity: { enabled: true } } }),
    refuses: protect({ workloadIdentity: { enabled: false } }),
  },
  {
    rule: "should be greater than or equal to 24",
    field: "spec.securityProfile.imageCleaner.intervalHours",
    accepts: protect({ imageCleaner: { enabled: true, intervalHours: 24 } }),
    refuses: protect({ imageCleaner: { enabled: true, intervalHours: 23 } }),
  },
  {
    rule: "should be less than or equal to 2160",
    field: "spec.securityProfile.imageCleaner.intervalHours",
    accepts: protect({ imageCleaner: { enabled: true, intervalHours: 2160 } }),
    refuses: protect({ imageCleaner: { enabled: true, intervalHours: 2161 } }),
  },
];

const autoscaler = (field: string, rule: string, good: string, bad: string): RuleCase => ({
  rule,
  field: `spec.autoscalerProfile.${field}`,
  accepts: spec({ autoscalerProfile: { [field]: good } }),
  refuses: spec({ autoscalerProfile: { [field]: bad } }),
});
const whole = (field: string): RuleCase => autoscaler(field, String.raw`should match '^(\d+)$'`, "0", "-1");
const minutes = (field: string): RuleCase => autoscaler(field, String.raw`should match '^(\d+)m$'`, "15m", "15");
const seconds = (field: string): RuleCase => autoscaler(field, String.raw`should match '^(\d+)s$'`, "10s", "1m");

const scaling: readonly RuleCase[] = [
  ...["maxEmptyBulkDelete", "maxGracefulTerminationSec", "okTotalUnreadyCount"].map(whole),
  ...[
    "maxNodeProvisionTime",
    "scaleDownDelayAfterAdd",
    "scaleDownDelayAfterFailure",
    "scaleDownUnneededTime",
    "scaleDownUnreadyTime",
  ].map(minutes),
  ...["scanInterval", "scaleDownDelayAfterDelete"].map(seconds),
  autoscaler("newPodScaleUpDelay", "must be a duration", "1m30.5s", "1d"),
  autoscaler("maxTotalUnreadyPercentage", "must be from 0 to 100", "100", "101"),
  autoscaler("scaleDownUtilizationThreshold", "must be a number from 0 to 1", "0.75", "1.1"),
];

const extension = (fields: JsonObject): JsonObject =>
  spec({ extensions: [{ name: "flux", extensionType: "microsoft.flux", ...fields }] });

const features: readonly RuleCase[] = [
  {
    rule: "must be a whole Kubernetes version, such as v1.34.1",
    field: "spec.version",
    accepts: spec({ version: "1.34.1" }),
    refuses: spec({ version: "v1.34" }),
  },
  {
    rule: "may not be more than 128",
    field: "spec.version",
    accepts: spec({ version: `v1.34.1+${"a".repeat(120)}` }),
    refuses: spec({ version: `v1.34.1+${"a".repeat(121)}` }),
  },
  {
    rule: "must not contain microsoft or windows",
    field: "metadata.name",
    accepts: { metadata: { name: "window" } },
    refuses: { metadata: { name: "my-windows" } },
  },
  {
    rule: "must be absent unless autoUpgradeMinorVersion is false",
    field: "spec.extensions[0].version",
    accepts: extension({ version: "1.2.3", autoUpgradeMinorVersion: false, releaseTrain: "Stable" }),
    refuses: extension({ version: "1.2.3" }),
  },
  {
    rule: "must be given with scopeType Cluster, and only then",
    field: "spec.extensions[0].scope.releaseNamespace",
    accepts: extension({ scope: { scopeType: "Cluster", releaseNamespace: "flux" } }),
    refuses: extension({ scope: { scopeType: "Cluster" } }),
  },
  {
    rule: "must be given with scopeType Namespace, and only then",
    field: "spec.extensions[0].scope.targetNamespace",
    accepts: extension({ scope: { scopeType: "Namespace", targetNamespace: "flux" } }),
    refuses: extension({ scope: { scopeType: "Cluster", releaseNamespace: "flux", targetNamespace: "flux" } }),
  },
  {
    rule: "must be of lower-case letters, digits and inner hyphens",
    field: "spec.fleetsMember.name",
    accepts: spec({ fleetsMember: { name: "member-1", managerName: "fleet", managerResourceGroup: "group" } }),
    refuses: spec({ fleetsMember: { name: "Member", managerName: "fleet", managerResourceGroup: "group" } }),
  },
  {
    rule: "Duplicate value",
    field: "spec.extensions[1]",
    accepts: extension({}),
    refuses: spec({
      extensions: [
        { name: "flux", extensionType: "microsoft.flux" },
        { name: "flux", extensionType: "microsoft.dapr" },
      ],
    }),
  },
  {
    rule: "Duplicate value",
    field: "spec.addonProfiles[1]",
    accepts: spec({ addonProfiles: [{ name: "azurepolicy", enabled: true }] }),
    refuses: spec({
      addonProfiles: [
        { name: "azurepolicy", enabled: true },
        { name: "azurepolicy", enabled: false },
      ],
    }),
  },
  {
    rule: "has more than 80 characters",
    field: "spec.nodeResourceGroupName",
    accepts: spec({ resourceGroupName: "g".repeat(66) }),
    refuses: spec({ resourceGroupName: "g".repeat(67) }),
  },
  {
    rule: "may not be more than 80",
    field: "spec.nodeResourceGroupName",
    accepts: spec({ nodeResourceGroupName: "g".repeat(80) }),
    refuses: spec({ nodeResourceGroupName: "g".repeat(81) }),
  },
];

export const azureManagedControlPlaneCases: RuleCases = {
  kind: "AzureManagedControlPlane",
  base: {
    metadata: { name: "aks", labels: { "cluster.x-k8s.io/cluster-name": "demo" } },
    spec: {
      identityRef: { kind: "AzureClusterIdentity", name: "identity" },
      location: "eastus",
      version: "v1.34.1",
    },
  },
  cases: [...network, ...reach, ...security, ...scaling, ...features, ...controlPlaneChangeCases],
};
