import type { JsonObject } from "../../src/core/types.ts";
import type { AnObject } from "./apiObjects.ts";

/** Objects with lists, maps and fields that have defaults, as far as several parties may write them. */

const apiVersion = "infrastructure.cluster.x-k8s.io/v1beta1";
const subscriptionID = "00000000-0000-4000-8000-000000000001";
const identityRef = { apiVersion, kind: "AzureClusterIdentity", name: "identity" };
const location = "westeurope";

const anObject = (kind: string, spec: JsonObject): AnObject => {
  const name = `rich-${kind.toLowerCase()}`;
  return { apiVersion, kind, name, namespace: "rich", body: { apiVersion, kind, metadata: { name }, spec } };
};

const rule = {
  name: "allow_ssh",
  description: "people",
  protocol: "Tcp",
  direction: "Inbound",
  priority: 2200,
  sourcePorts: "*",
  destinationPorts: "22",
  source: "*",
  destination: "*",
};

const subnets = [
  { name: "cp", role: "control-plane", cidrBlocks: ["10.0.0.0/16"] },
  {
    name: "node",
    role: "node",
    cidrBlocks: ["10.1.0.0/16"],
    serviceEndpoints: [{ service: "Microsoft.Storage", locations: ["*"] }],
  },
];

const machine = {
  vmSize: "Standard_D2s_v3",
  sshPublicKey: "",
  osDisk: { osType: "Linux", diskSizeGB: 128, managedDisk: { storageAccountType: "Premium_LRS" } },
  dataDisks: [
    { nameSuffix: "etcd", diskSizeGB: 256, lun: 0 },
    { nameSuffix: "logs", diskSizeGB: 64, lun: 1 },
  ],
  vmExtensions: [{ name: "monitor", publisher: "Example", version: "1.0", settings: { a: "b" } }],
  additionalTags: { a: "b", c: "d" },
};

const pool = {
  name: "pool1",
  mode: "User",
  sku: "Standard_D2s_v3",
  nodeLabels: { a: "b" },
  taints: [
    { key: "gpu", value: "yes", effect: "NoSchedule" },
    { key: "gpu", value: "yes", effect: "NoExecute" },
  ],
};

export const richObjects: readonly AnObject[] = [
  anObject("AzureCluster", {
    location,
    subscriptionID,
    identityRef,
    additionalTags: { a: "b" },
    networkSpec: {
      vnet: { name: "net", cidrBlocks: ["10.0.0.0/8"], peerings: [{ resourceGroup: "hub", remoteVnetName: "hub" }] },
      subnets: subnets.map((subnet) => ({
        ...subnet,
        securityGroup: { name: `${subnet.name}-nsg`, securityRules: [rule] },
      })),
      additionalAPIServerLBPorts: [{ name: "konnectivity", port: 8132 }],
    },
    bastionSpec: { azureBastion: {} },
  }),
  anObject("AzureClusterTemplate", {
    template: {
      spec: {
        location,
        subscriptionID,
        identityRef,
        networkSpec: {
          vnet: { cidrBlocks: ["10.0.0.0/8"] },
          subnets: subnets.map((subnet) => ({ ...subnet, securityGroup: { securityRules: [rule] } })),
        },
      },
    },
  }),
  anObject("AzureMachine", machine),
  anObject("AzureMachineTemplate", { template: { metadata: { labels: { a: "b" } }, spec: machine } }),
  anObject("AzureMachinePool", {
    location,
    template: {
      vmSize: machine.vmSize,
      sshPublicKey: "",
      osDisk: machine.osDisk,
      dataDisks: machine.dataDisks,
      vmExtensions: machine.vmExtensions,
    },
    additionalTags: { a: "b" },
    strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: "0%" } },
  }),
  anObject("AzureManagedControlPlane", {
    identityRef,
    location,
    subscriptionID,
    resourceGroupName: "group",
    version: "v1.35.1",
    networkPlugin: "azure",
    virtualNetwork: {
      name: "net",
      cidrBlock: "10.0.0.0/8",
      subnet: {
        name: "nodes",
        cidrBlock: "10.240.0.0/16",
        serviceEndpoints: [{ service: "Microsoft.Sql", locations: ["*"] }],
      },
    },
    addonProfiles: [
      { name: "azurepolicy", enabled: true },
      { name: "omsagent", enabled: false, config: { a: "b" } },
    ],
    additionalTags: { a: "b" },
    apiServerAccessProfile: { authorizedIPRanges: ["1.2.3.4/32"] },
    autoscalerProfile: { scanInterval: "20s" },
  }),
  anObject("AzureManagedMachinePool", pool),
  anObject("AzureManagedMachinePoolTemplate", { template: { spec: pool } }),
  anObject("AzureASOManagedControlPlane", {
    version: "v1.35.1",
    resources: [
      {
        apiVersion: "containerservice.azure.com/v1api20240901",
        kind: "ManagedCluster",
        metadata: { name: "aks" },
        spec: { location, agentPoolProfiles: [{ name: "pool0", count: 1 }] },
      },
    ],
  }),
];
