import type { JsonObject } from "../../../src/core/types.ts";
import type { RuleCase } from "../../support/admission/ruleCase.ts";
import { loadBalancerChangeCases } from "./loadBalancerChangeCases.ts";

/** Changes of an AzureCluster called `c1`, with the defaults that earlier providers stored. */

const ofSpec = (spec: JsonObject): JsonObject => ({ spec });
const ofNetwork = (networkSpec: JsonObject): JsonObject => ({ spec: { networkSpec } });

const place: readonly RuleCase[] = [
  {
    rule: "must stay as it is: a cluster cannot move",
    field: "spec.location",
    from: {},
    accepts: ofSpec({ location: "westeurope", additionalTags: { a: "b" } }),
    refuses: ofSpec({ location: "eastus" }),
  },
  {
    rule: "must stay as it is; the name of this object when absent",
    field: "spec.resourceGroup",
    from: {},
    accepts: ofSpec({ resourceGroup: "c1" }),
    refuses: ofSpec({ resourceGroup: "other" }),
  },
  {
    rule: "must stay as it is; the name of this object when absent",
    field: "spec.resourceGroup",
    from: ofSpec({ resourceGroup: "c1" }),
    accepts: ofSpec({ resourceGroup: null }),
    refuses: ofSpec({ resourceGroup: "other" }),
  },
  {
    rule: "must stay as it is: make a new cluster in another subscription",
    field: "spec.subscriptionID",
    from: ofSpec({ subscriptionID: "00000000-0000-4000-8000-000000000001" }),
    accepts: ofSpec({ subscriptionID: "00000000-0000-4000-8000-000000000001" }),
    refuses: ofSpec({ subscriptionID: null }),
  },
  {
    rule: "must stay as it is: make a new cluster in another subscription",
    field: "spec.subscriptionID",
    from: ofSpec({ subscriptionID: "00000000-0000-4000-8000-000000000001" }),
    accepts: ofSpec({ additionalTags: {} }),
    refuses: ofSpec({ subscriptionID: "00000000-0000-4000-8000-000000000002" }),
  },
  {
    rule: "must stay as it is; AzurePublicCloud when absent",
    field: "spec.azureEnvironment",
    from: ofSpec({ azureEnvironment: "AzurePublicCloud" }),
    accepts: ofSpec({ azureEnvironment: null }),
    refuses: ofSpec({ azureEnvironment: "AzureChinaCloud" }),
  },
  {
    rule: "must stay as it was at creation",
    field: "spec.cloudProviderConfigOverrides",
    from: {},
    accepts: ofSpec({ cloudProviderConfigOverrides: { backOffs: { cloudProviderBackoff: false } } }),
    refuses: ofSpec({ cloudProviderConfigOverrides: { backOffs: { cloudProviderBackoff: true } } }),
  },
  {
    rule: "must stay as it is once it is set",
    field: "spec.controlPlaneEndpoint.host",
    from: ofSpec({ controlPlaneEndpoint: { host: "a", port: 0 } }),
    accepts: ofSpec({ controlPlaneEndpoint: { port: 6443 } }),
    refuses: ofSpec({ controlPlaneEndpoint: { host: "" } }),
  },
  {
    rule: "must stay as it is once it is set",
    field: "spec.controlPlaneEndpoint.port",
    from: ofSpec({ controlPlaneEndpoint: { host: "", port: 6443 } }),
    accepts: ofSpec({ controlPlaneEndpoint: { host: "a" } }),
    refuses: ofSpec({ controlPlaneEndpoint: null }),
  },
];

const standing: readonly RuleCase[] = [
  {
    rule: "must stay as it is once the network stands",
    field: "spec.networkSpec.vnet.name",
    from: { ...ofNetwork({ vnet: { name: "c1-vnet" } }), status: { ready: true } },
    accepts: ofNetwork({ vnet: { name: "" } }),
    refuses: ofNetwork({ vnet: { name: "other" } }),
  },
  {
    rule: "must stay as it is once the network stands",
    field: "spec.networkSpec.vnet.resourceGroup",
    from: { ...ofNetwork({ vnet: { name: "c1-vnet" } }), status: { ready: true } },
    accepts: ofNetwork({ vnet: { resourceGroup: "C1" } }),
    refuses: ofNetwork({ vnet: { resourceGroup: "other" } }),
  },
  {
    rule: "must stay as it is once the cluster stands",
    field: "spec.controlPlaneEnabled",
    from: { status: { ready: true } },
    accepts: ofSpec({ controlPlaneEnabled: true }),
    refuses: ofSpec({ controlPlaneEnabled: false }),
  },
  {
    rule: "must stay as it is: make a new cluster in another subscription",
    field: "spec.subscriptionID",
    from: { status: { ready: true } },
    accepts: ofSpec({ subscriptionID: "" }),
    refuses: ofSpec({ subscriptionID: "00000000-0000-4000-8000-000000000001" }),
  },
  {
    rule: "must stay as it is: make a new cluster in another subscription",
    field: "spec.subscriptionID",
    from: ofSpec({ subscriptionID: "00000000-0000-4000-8000-000000000001" }),
    accepts: ofNetwork({ vnet: { name: "other" } }),
    refuses: ofSpec({ subscriptionID: "00000000-0000-4000-8000-000000000002" }),
  },
];

const internal = { apiServerLB: { type: "Internal" } };

const privateDns: readonly RuleCase[] = [
  {
    rule: "must stay as it is; System when absent",
    field: "spec.networkSpec.privateDNSZone",
    from: {},
    accepts: ofNetwork({ privateDNSZone: "System" }),
    refuses: ofNetwork({ privateDNSZone: "None" }),
  },
  {
    rule: "must stay as it was at creation",
    field: "spec.networkSpec.privateDNSZoneName",
    from: ofNetwork(internal),
    accepts: ofNetwork({ privateDNSZoneName: "" }),
    refuses: ofNetwork({ privateDNSZoneName: "example.com" }),
  },
  {
    rule: "must stay as it is; the resource group of the cluster when absent",
    field: "spec.networkSpec.privateDNSZoneResourceGroup",
    from: ofNetwork({ ...internal, privateDNSZoneName: "example.com" }),
    accepts: ofNetwork({ privateDNSZoneResourceGroup: "c1" }),
    refuses: ofNetwork({ privateDNSZoneResourceGroup: "dns" }),
  },
];

/** As an earlier provider stored it. */
const storedBastion = {
  name: "c1-azure-bastion",
  publicIP: { name: "c1-azure-bastion-pip" },
  sku: "Basic",
  enableTunneling: false,
  subnet: {
    name: "AzureBastionSubnet",
    role: "bastion",
    cidrBlocks: ["10.255.255.224/27"],
    securityGroup: { name: "" },
    routeTable: { name: "" },
    natGateway: { name: "", ip: { name: "" } },
  },
};

const bastion: readonly RuleCase[] = [
  {
    rule: "must stay as it is once it is there",
    field: "spec.bastionSpec.azureBastion",
    from: ofSpec({ bastionSpec: { azureBastion: storedBastion } }),
    accepts: ofSpec({ bastionSpec: { azureBastion: { name: null, publicIP: null, subnet: null } } }),
    refuses: ofSpec({ bastionSpec: null }),
  },
  {
    rule: "must stay as it is once it is there",
    field: "spec.bastionSpec.azureBastion",
    from: ofSpec({ bastionSpec: { azureBastion: {} } }),
    accepts: ofSpec({ bastionSpec: { azureBastion: storedBastion } }),
    refuses: ofSpec({ bastionSpec: { azureBastion: { sku: "Standard" } } }),
  },
];

const ofSubnet = (subnet: JsonObject, network: JsonObject = {}): JsonObject =>
  ofNetwork({ ...network, subnets: [{ name: "a", role: "node", ...subnet }] });
const owned = { vnet: { tags: { "sigs.k8s.io_cluster-api-provider-azure_cluster_other": "owned" } } };

const subnets: readonly RuleCase[] = [
  {
    rule: "must keep the securityGroup.name of each subnet",
    field: "spec.networkSpec.subnets",
    from: ofSubnet({ securityGroup: { name: "c1-node-nsg" } }),
    accepts: ofSubnet({}),
    refuses: ofSubnet({ securityGroup: { name: "other" } }),
  },
  {
    rule: "must keep the securityGroup.name of each subnet",
    field: "spec.networkSpec.subnets",
    from: ofSubnet({ role: "control-plane" }),
    accepts: ofSubnet({ role: "control-plane", securityGroup: { name: "c1-controlplane-nsg" } }),
    refuses: ofSubnet({ role: "control-plane", securityGroup: { name: "c1-node-nsg" } }),
  },
  // Another role has another default.
  {
    rule: "must keep the securityGroup.name of each subnet",
    field: "spec.networkSpec.subnets",
    from: ofSubnet({}),
    accepts: ofSubnet({ securityGroup: { name: "c1-node-nsg" } }),
    refuses: ofSubnet({ role: "control-plane" }),
  },
  {
    rule: "must keep the routeTable.name of each subnet once it has one",
    field: "spec.networkSpec.subnets",
    from: ofSubnet({ securityGroup: { name: "own" } }),
    accepts: ofSubnet({ securityGroup: { name: "own" }, routeTable: { name: "c1-node-routetable" } }),
    refuses: ofSubnet({ role: "cluster", securityGroup: { name: "own" } }),
  },
  {
    rule: "must keep the routeTable.name of each subnet once it has one",
    field: "spec.networkSpec.subnets",
    from: ofSubnet({ routeTable: { name: "c1-node-routetable" } }),
    accepts: ofSubnet({ routeTable: { name: "" } }),
    refuses: ofSubnet({ routeTable: { name: "other" } }),
  },
  {
    rule: "must keep the routeTable.name of each subnet once it has one",
    field: "spec.networkSpec.subnets",
    from: ofSubnet({ role: "control-plane", routeTable: { name: "one" } }),
    accepts: ofSubnet({ role: "control-plane", routeTable: { name: "one" } }),
    refuses: ofSubnet({ role: "control-plane", routeTable: { name: "other" } }),
  },
  {
    rule: "must keep the natGateway.name of each subnet once it has one",
    field: "spec.networkSpec.subnets",
    from: ofSubnet({ natGateway: { name: "c1-node-natgw-1", ip: { name: "pip-c1-node-natgw-1" } } }),
    accepts: ofSubnet({}),
    refuses: ofSubnet({ natGateway: { name: "other" } }),
  },
  {
    rule: "must keep the natGateway.name of each subnet once it has one",
    field: "spec.networkSpec.subnets",
    from: ofSubnet({}),
    accepts: ofSubnet({ natGateway: { name: "c1-node-natgw-1" } }),
    refuses: ofSubnet({ natGateway: { name: "other" } }),
  },
  {
    rule: "must keep the natGateway.name of each subnet once it has one",
    field: "spec.networkSpec.subnets",
    from: ofSubnet({ natGateway: { name: "mine" } }),
    accepts: ofSubnet({ natGateway: { name: "mine", zones: ["1"] } }),
    refuses: ofSubnet({}),
  },
  {
    rule: "must keep the cidrBlocks of each subnet in a virtual network that was made for this cluster",
    field: "spec.networkSpec.subnets",
    from: ofSubnet({ cidrBlocks: ["10.1.0.0/16"] }, owned),
    accepts: ofSubnet({}),
    refuses: ofSubnet({ cidrBlocks: ["10.2.0.0/16"] }),
  },
  {
    rule: "must keep the cidrBlocks of each subnet in a virtual network that was made for this cluster",
    field: "spec.networkSpec.subnets",
    from: ofSubnet({ cidrBlocks: ["10.1.1.0/24"] }, owned),
    accepts: ofSubnet({ cidrBlocks: ["10.1.1.0/24"], serviceEndpoints: [] }),
    refuses: ofSubnet({}),
  },
];

/** Changes that are let pass and refused. */
export const clusterChangeCases: readonly RuleCase[] = [
  ...place,
  ...standing,
  ...privateDns,
  ...bastion,
  ...loadBalancerChangeCases,
  ...subnets,
];
