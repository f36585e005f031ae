import { Type } from "typebox";
import type { Problem } from "../../core/kind.ts";
import type { KubeObject, Result } from "../../core/types.ts";
import { parseSpec } from "../parse.ts";
import { flag, int32, map, oneOf, type Parsed, ruled, text } from "../schema.ts";
import { azureBastion } from "./azureBastion.ts";
import { resourceGroupName } from "./azureNames.ts";
import { additionalTags } from "./azureTags.ts";
import { cloudProviderConfigOverrides } from "./cloudProviderConfig.ts";
import { networkSpec } from "./clusterNetwork.ts";
import { clusterRules } from "./clusterRules.ts";
import { failureDomain } from "./failureDomain.ts";

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

const shape = Type.Object({
  location: ruled(
    text("Azure region.", { maxLength: 100 }),
    { rule: "self != ''", message: "must name an Azure region" },
    { rule: "self == oldSelf", message: "must stay as it is: a cluster cannot move" },
  ),
  subscriptionID: Type.Optional(
    ruled(text("Id of the subscription; that of the installation when absent.", { maxLength: 64 }), {
      rule: "self == '' || self.matches('^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$')",
      message: "must be the id of a subscription, such as 00000000-0000-0000-0000-000000000000",
    }),
  ),
  resourceGroup: Type.Optional(resourceGroupName("Resource group; the name of this object when absent.")),
  azureEnvironment: Type.Optional(
    ruled(text("Cloud; `AzurePublicCloud` when absent.", { maxLength: 64 }), {
      rule: "self in ['', 'AzurePublicCloud', 'AzureUSGovernmentCloud', 'AzureChinaCloud']",
      message: "must be AzurePublicCloud, AzureUSGovernmentCloud or AzureChinaCloud",
    }),
  ),
  identityRef: Type.Optional(objectReference),
  additionalTags: Type.Optional(additionalTags),
  extendedLocation: Type.Optional(
    Type.Object(
      { name: text("Name of the edge zone."), type: oneOf("Kind of place.", ["EdgeZone"]) },
      { description: "Place outside of the region proper." },
    ),
  ),
  failureDomains: Type.Optional(
    map("Zones that control-plane machines may use; only restricts what Azure offers.", failureDomain),
  ),
  cloudProviderConfigOverrides: Type.Optional(cloudProviderConfigOverrides),
  controlPlaneEnabled: Type.Optional(flag("False when something else provides the control plane.", { default: true })),
  controlPlaneEndpoint: Type.Optional(
    Type.Object(
      {
        host: Type.Optional(text("Host of the API server.", { maxLength: 512 })),
        port: Type.Optional(
          ruled(int32("Port of the API server; the Cluster's when absent or 0."), {
            rule: "self >= 0 && self <= 65535",
            message: "must be from 0 to 65535",
          }),
        ),
      },
      { description: "Where the API server is reached. Set once, by the user or by Capstan." },
    ),
  ),
  bastionSpec: Type.Optional(
    Type.Object(
      { azureBastion: Type.Optional(azureBastion) },
      { description: "How people reach machines that have no public address." },
    ),
  ),
  networkSpec: Type.Optional(networkSpec),
});

/** What a user asks of the Azure side of a cluster. */
export const azureClusterSpec = ruled(shape, ...clusterRules);
export type NetworkSpec = Parsed<typeof networkSpec>;
export type AzureClusterSpec = Parsed<typeof azureClusterSpec>;

/** Everything that is wrong with the shape of the spec, at once; meaning is checked by the kind. */
export const parseAzureCluster = (object: KubeObject): Result<AzureClusterSpec, readonly Problem[]> =>
  parseSpec(azureClusterSpec, object);
