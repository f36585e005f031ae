import { group } from "../aWorld.ts";
import type { Exchange, Step } from "./exchange.ts";
import { aGroup } from "./resourceGroups.ts";

const source = "Test_AKS_ManagedCluster_CRUD.yaml, 2021-05-01 (recorded 2023)";
const apiVersion = "2021-05-01";
const clusterId = `${group}/providers/Microsoft.ContainerService/managedClusters/cluster`;
const shownId = clusterId.replace("/resourceGroups/", "/resourcegroups/");
const pool = { name: "ap1", mode: "System", count: 1, osType: "Linux", vmSize: "Standard_D2s_v3" };
const body = {
  location: "westus3",
  identity: { type: "SystemAssigned" },
  properties: { dnsPrefix: "aso", agentPoolProfiles: [pool] },
};
const paid = { ...body, sku: { name: "Base", tier: "Standard" } };
const aCluster: Step = { method: "PUT", to: clusterId, body, apiVersion };
const running = { "azure-asyncoperation": "operation of another version" } as const;

const shape = {
  id: shownId,
  name: "cluster",
  type: "Microsoft.ContainerService/ManagedClusters",
  location: "westus3",
  "identity.type": "SystemAssigned",
  "properties.powerState": { code: "Running" },
  "properties.nodeResourceGroup": "MC_rg_cluster_westus3",
  "properties.enableRBAC": true,
  "properties.maxAgentPools": 100,
  "properties.networkProfile.networkPlugin": "kubenet",
  "properties.networkProfile.outboundType": "loadBalancer",
  "properties.networkProfile.serviceCidr": "10.0.0.0/16",
  "properties.agentPoolProfiles.0.name": "ap1",
} as const;

export const containers = [
  {
    when: "a managed cluster is read that never was",
    source,
    before: [aGroup],
    ask: { method: "GET", to: clusterId, apiVersion },
    answer: {
      status: 404,
      headers: { "x-ms-failure-cause": "gateway" },
      body: { only: ["error"], values: { "error.code": "ResourceNotFound" }, omits: ["error.details"] },
    },
  },
  {
    when: "a managed cluster is created",
    source,
    before: [aGroup],
    ask: { method: "PUT", to: clusterId, body, apiVersion },
    answer: {
      status: 201,
      headers: running,
      body: {
        values: {
          ...shape,
          "properties.provisioningState": "Creating",
          "properties.servicePrincipalProfile": { clientId: "msi" },
        },
        shows: [
          "identity.principalId",
          "identity.tenantId",
          "sku.name",
          "properties.fqdn",
          "properties.azurePortalFQDN",
          "properties.kubernetesVersion",
          "properties.networkProfile.loadBalancerProfile.managedOutboundIPs.count",
        ],
        omits: ["tags", "properties.identityProfile", "properties.privateFQDN"],
      },
    },
  },
  {
    when: "the creation of a managed cluster is polled while it runs",
    source,
    before: [aGroup, { ...aCluster, running: true }],
    ask: { method: "GET", to: { named: "azure-asyncoperation" } },
    answer: { status: 200, body: { only: ["name", "status", "startTime"], values: { status: "InProgress" } } },
  },
  {
    when: "the creation of a managed cluster is polled after its end",
    source,
    before: [aGroup, aCluster],
    ask: { method: "GET", to: { named: "azure-asyncoperation" } },
    answer: {
      status: 200,
      body: { only: ["name", "status", "startTime", "endTime"], values: { status: "Succeeded" } },
    },
  },
  {
    when: "a managed cluster is read after its creation",
    source,
    before: [aGroup, aCluster],
    ask: { method: "GET", to: clusterId, apiVersion },
    answer: {
      status: 200,
      body: {
        values: { ...shape, "properties.provisioningState": "Succeeded" },
        shows: [
          "properties.identityProfile.kubeletidentity.resourceId",
          "properties.identityProfile.kubeletidentity.clientId",
          "properties.identityProfile.kubeletidentity.objectId",
          "properties.networkProfile.loadBalancerProfile.effectiveOutboundIPs.0.id",
          "properties.agentPoolProfiles.0.nodeImageVersion",
        ],
      },
    },
  },
  {
    when: "a managed cluster is changed",
    source,
    before: [aGroup, aCluster],
    ask: { method: "PUT", to: clusterId, body: paid, apiVersion },
    answer: {
      status: 200,
      headers: running,
      body: {
        values: { "properties.provisioningState": "Updating", "sku.tier": "Standard" },
        shows: ["properties.identityProfile.kubeletidentity.clientId", "properties.fqdn"],
      },
    },
  },
  {
    when: "a managed cluster is deleted",
    source,
    before: [aGroup, aCluster],
    ask: { method: "DELETE", to: clusterId, apiVersion },
    answer: { status: 202, headers: { ...running, location: "operation result of another version" }, body: "none" },
  },
  {
    when: "a managed cluster is read after its deletion",
    source,
    before: [aGroup, aCluster, { method: "DELETE", to: clusterId, apiVersion }],
    ask: { method: "GET", to: clusterId, apiVersion },
    answer: {
      status: 404,
      headers: { "x-ms-failure-cause": "gateway" },
      body: { values: { "error.code": "ResourceNotFound" } },
    },
  },
] as const satisfies readonly Exchange[];
