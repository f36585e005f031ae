import { Type } from "typebox";
import type { Problem } from "../core/kind.ts";
import type { KubeObject, Result } from "../core/types.ts";
import { loadBalancerSpec } from "./loadBalancer.ts";
import { publicIpSpec, subnetSpec, vnetSpec } from "./network.ts";
import { parseSpec } from "./parse.ts";
import { flag, int32, integer, list, listMap, map, oneOf, type Parsed, quantity, text } from "./schema.ts";

const objectReference = Type.Object(
  {
    apiVersion: Type.Optional(text("Not compared.")),
    kind: Type.Optional(text("Always `AzureClusterIdentity`.")),
    name: Type.Optional(text("Name of the identity.")),
    namespace: Type.Optional(text("Namespace of the identity; that of the cluster when absent.")),
    fieldPath: Type.Optional(text("Not used.")),
    resourceVersion: Type.Optional(text("Not used.")),
    uid: Type.Optional(text("Not used.")),
  },
  { description: "The AzureClusterIdentity with which Azure is called.", "x-kubernetes-map-type": "atomic" },
);

const rateLimit = Type.Object({
  name: oneOf("Which client of the cloud provider it limits.", [
    "defaultRateLimit",
    "routeRateLimit",
    "subnetsRateLimit",
    "interfaceRateLimit",
    "routeTableRateLimit",
    "loadBalancerRateLimit",
    "publicIPAddressRateLimit",
    "securityGroupRateLimit",
    "virtualMachineRateLimit",
    "storageAccountRateLimit",
    "diskRateLimit",
    "snapshotRateLimit",
    "virtualMachineScaleSetRateLimit",
    "virtualMachineSizesRateLimit",
    "availabilitySetRateLimit",
  ]),
  config: Type.Optional(
    Type.Object(
      {
        cloudProviderRateLimit: Type.Optional(flag("Whether to limit.")),
        cloudProviderRateLimitQPS: Type.Optional(quantity("Reads a second.")),
        cloudProviderRateLimitBucket: Type.Optional(integer("Burst of reads.")),
        cloudProviderRateLimitQPSWrite: Type.Optional(quantity("Writes a second.")),
        cloudProviderRateLimitBucketWrite: Type.Optional(integer("Burst of writes.")),
      },
      { description: "Its limits." },
    ),
  ),
});

const cloudProviderConfigOverrides = Type.Object(
  {
    rateLimits: Type.Optional(list("Rate limits of the cloud provider.", rateLimit)),
    backOffs: Type.Optional(
      Type.Object(
        {
          cloudProviderBackoff: Type.Optional(flag("Whether to back off.")),
          cloudProviderBackoffRetries: Type.Optional(integer("Retries.")),
          cloudProviderBackoffExponent: Type.Optional(quantity("Exponent.")),
          cloudProviderBackoffDuration: Type.Optional(integer("First delay in seconds.")),
          cloudProviderBackoffJitter: Type.Optional(quantity("Jitter.")),
        },
        { description: "How the cloud provider tries again." },
      ),
    ),
  },
  { description: "Settings for the cloud provider that runs in the cluster." },
);

const azureBastion = Type.Object({
  name: Type.Optional(text("Name in Azure.")),
  subnet: Type.Optional(subnetSpec),
  publicIP: Type.Optional(publicIpSpec),
  sku: Type.Optional(oneOf("Size of the host.", ["Basic", "Standard"], { default: "Basic" })),
  enableTunneling: Type.Optional(flag("Whether native clients may connect; needs `Standard`.", { default: false })),
});

const networkSpec = Type.Object({
  vnet: Type.Optional(vnetSpec),
  subnets: Type.Optional(listMap("Subnets of the virtual network.", "name", subnetSpec)),
  apiServerLB: Type.Optional(loadBalancerSpec),
  nodeOutboundLB: Type.Optional(loadBalancerSpec),
  controlPlaneOutboundLB: Type.Optional(loadBalancerSpec),
  additionalAPIServerLBPorts: Type.Optional(
    list(
      "Further ports that the API server's load balancer forwards.",
      Type.Object({ name: text("Name of the rule."), port: int32("Port, the same on both sides.") }),
    ),
  ),
  privateDNSZone: Type.Optional(oneOf("Whether the private DNS zone is ours to make.", ["System", "None"])),
  privateDNSZoneName: Type.Optional(text("Name of the private DNS zone.")),
  privateDNSZoneResourceGroup: Type.Optional(text("Resource group of the private DNS zone.")),
});
export type NetworkSpec = Parsed<typeof networkSpec>;

/** What a user asks of the Azure side of a cluster. */
export const azureClusterSpec = Type.Object({
  location: text("Azure region."),
  subscriptionID: Type.Optional(text("Subscription; the controller's own when absent.")),
  resourceGroup: Type.Optional(text("Resource group; the name of this object when absent.")),
  azureEnvironment: Type.Optional(text("Cloud; `AzurePublicCloud` when absent.")),
  identityRef: Type.Optional(objectReference),
  additionalTags: Type.Optional(map("Tags for everything that is created.", Type.String())),
  extendedLocation: Type.Optional(
    Type.Object(
      { name: text("Name of the edge zone."), type: oneOf("Kind of place.", ["EdgeZone"]) },
      { description: "Place outside of the region proper." },
    ),
  ),
  failureDomains: Type.Optional(
    map(
      "Zones that control-plane machines may use; only restricts what Azure offers.",
      Type.Object({
        controlPlane: Type.Optional(flag("Whether control-plane machines may live there.")),
        attributes: Type.Optional(map("Not used.", Type.String())),
      }),
    ),
  ),
  cloudProviderConfigOverrides: Type.Optional(cloudProviderConfigOverrides),
  controlPlaneEnabled: Type.Optional(flag("False when something else provides the control plane.", { default: true })),
  controlPlaneEndpoint: Type.Optional(
    Type.Object({
      host: Type.Optional(text("Host of the API server.", { maxLength: 512 })),
      port: Type.Optional(int32("Port of the API server.")),
    }),
  ),
  bastionSpec: Type.Optional(Type.Object({ azureBastion: Type.Optional(azureBastion) })),
  networkSpec: Type.Optional(networkSpec),
});
export type AzureClusterSpec = Parsed<typeof azureClusterSpec>;

/** Everything that is wrong with the shape of the spec, at once; meaning is checked by the kind. */
export const parseAzureCluster = (object: KubeObject): Result<AzureClusterSpec, readonly Problem[]> =>
  parseSpec(azureClusterSpec, object);
