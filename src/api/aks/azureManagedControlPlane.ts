import { Type } from "typebox";
import type { Problem } from "../../core/kind.ts";
import type { KubeObject, Result } from "../../core/types.ts";
import { transition } from "../cel/changeRule.ts";
import { azureClusterSpec } from "../cluster/azureCluster.ts";
import { conditions } from "../conditions.ts";
import { operationStates } from "../operationStates.ts";
import { parseSpec } from "../parse.ts";
import { flag, list, listMap, map, oneOf, type Parsed, ruled, text } from "../schema.ts";
import { aksAutoscaler } from "./aksAutoscaler.ts";
import { aksControlPlaneChanges } from "./aksControlPlaneChanges.ts";
import { dnsPrefixPattern } from "./aksControlPlaneNames.ts";
import { aksControlPlaneRules } from "./aksControlPlaneRules.ts";
import { aksDefaults } from "./aksDefaults.ts";
import { aksEndpoint } from "./aksEndpoint.ts";
import { aksAddonProfile, aksExtension, aksFleetsMember } from "./aksExtensions.ts";
import {
  aksApiServerAccessProfile,
  aksHttpProxyConfig,
  aksLoadBalancerProfile,
  aksVirtualNetwork,
} from "./aksNetwork.ts";
import { aksAadProfile, aksIdentity, aksSecurityProfile } from "./aksSecurity.ts";
import { aksVersion } from "./aksVersion.ts";

// What an AzureCluster may leave out is required here.
const { identityRef } = Type.Required(Type.Pick(azureClusterSpec, ["identityRef"])).properties;

const place = {
  identityRef,
  location: text("Azure region; fixed at creation.", { maxLength: 256 }),
  // Templates leave it out although the contract requires it, hence the default.
  resourceGroupName: text("Resource group; the name of the Cluster when empty. Fixed at creation.", {
    // 90 in Azure; more was never held to that.
    maxLength: 256,
    default: "",
  }),
  subscriptionID: Type.Optional(text("Subscription; the controller's own when absent.")),
  azureEnvironment: Type.Optional(text("Cloud; `AzurePublicCloud` when absent.")),
  nodeResourceGroupName: Type.Optional(
    text("Resource group in which AKS puts the nodes; `MC_<resource group>_<name>_<location>` when absent.", {
      maxLength: 80,
    }),
  ),
  additionalTags: Type.Optional(map("Tags for everything that is created.", Type.String())),
};

const network = {
  virtualNetwork: Type.Optional(aksVirtualNetwork),
  networkPlugin: Type.Optional(
    oneOf("Network plugin of the nodes.", ["azure", "kubenet", "none"], { default: "azure" }),
  ),
  networkPluginMode: Type.Optional(oneOf("Puts pods into a network of their own.", ["overlay"])),
  networkPolicy: Type.Optional(oneOf("Who enforces network policies.", ["azure", "calico", "cilium"])),
  networkDataplane: Type.Optional(
    oneOf("What moves packets; `cilium` needs the overlay and its policies.", ["azure", "cilium"]),
  ),
  dnsPrefix: Type.Optional(
    ruled(text("First part of the API server's host name; the object's name when absent.", { maxLength: 256 }), {
      rule: `self == '' || self.matches('${dnsPrefixPattern}')`,
      message: "must be of 2 to 54 letters, digits and inner hyphens",
    }),
  ),
  dnsServiceIP: Type.Optional(
    ruled(
      text("Address of the cluster's DNS service, in the service range; its tenth address when absent.", {
        maxLength: 64,
      }),
      {
        rule: "self == '' || isIP(self) && self.endsWith('.10')",
        message: "must be an IPv4 address that ends with .10",
      },
    ),
  ),
  outboundType: Type.Optional(
    oneOf("How traffic of the nodes gets out.", [
      "loadBalancer",
      "managedNATGateway",
      "userAssignedNATGateway",
      "userDefinedRouting",
    ]),
  ),
  loadBalancerSKU: Type.Optional(oneOf("Kind of the load balancer.", ["Basic", "Standard"], { default: "Standard" })),
  loadBalancerProfile: Type.Optional(aksLoadBalancerProfile),
  httpProxyConfig: Type.Optional(aksHttpProxyConfig),
  apiServerAccessProfile: Type.Optional(aksApiServerAccessProfile),
};

const access = {
  identity: Type.Optional(aksIdentity),
  kubeletUserAssignedIdentity: Type.Optional(text("Resource id of the managed identity of the nodes.")),
  aadProfile: Type.Optional(aksAadProfile),
  disableLocalAccounts: Type.Optional(
    flag("Whether only Microsoft Entra ID lets people in; needs `aadProfile`, cannot be changed once set."),
  ),
  oidcIssuerProfile: Type.Optional(
    Type.Object(
      { enabled: Type.Optional(flag("Whether the cluster issues tokens; stays on once on.", { default: false })) },
      { description: "OpenID Connect issuer of the cluster." },
    ),
  ),
  securityProfile: Type.Optional(aksSecurityProfile),
  sshPublicKey: Type.Optional(
    // 16 kB: an RSA key of 16384 bits has 3.7 kB in base64, twice.
    ruled(text("Public key for the nodes, base64; without one nobody can log in by SSH.", { maxLength: 16_384 }), {
      rule: String.raw`self.matches('^[A-Za-z0-9+/\r\n]*={0,2}[\r\n]*$')`,
      message: "must be in base64: the line of the public key, encoded once more",
    }),
  ),
};

const features = {
  // AKS has some fifteen add-ons, and extensions of as many publishers.
  addonProfiles: Type.Optional(listMap("Add-ons of AKS.", "name", aksAddonProfile, { maxItems: 64 })),
  extensions: Type.Optional(listMap("Cluster extensions.", "name", aksExtension, { maxItems: 64 })),
  fleetsMember: Type.Optional(aksFleetsMember),
  autoscalerProfile: Type.Optional(aksAutoscaler),
  autoUpgradeProfile: Type.Optional(
    Type.Object(
      {
        upgradeChannel: Type.Optional(
          oneOf("What AKS upgrades without being asked.", ["node-image", "none", "patch", "rapid", "stable"]),
        ),
      },
      { description: "Upgrades by AKS itself." },
    ),
  ),
  enablePreviewFeatures: Type.Optional(
    flag("Whether Azure's preview api-version is used, for patches that need it.", { default: false }),
  ),
  asoManagedClusterPatches: Type.Optional(
    list("Merge patches in JSON or YAML, applied in order to the managed cluster.", Type.String()),
  ),
};

/** The fields of a control plane, each with the rules about itself. */
export const controlPlaneFields = Type.Object({
  version: aksVersion,
  sku: Type.Optional(
    Type.Object(
      {
        tier: oneOf("Tier; `Paid` is the former name of `Standard`.", ["Free", "Paid", "Standard"], {
          default: "Free",
        }),
      },
      { description: "What the control plane costs and promises." },
    ),
  ),
  ...place,
  ...network,
  ...access,
  ...features,
  controlPlaneEndpoint: Type.Optional(aksEndpoint),
  machineTemplate: Type.Optional(
    Type.Object({}, { description: "Asked for by Cluster API's contract of control planes; AKS has no machines." }),
  ),
});

/** What a user asks of an AKS cluster. */
export const azureManagedControlPlaneSpec = ruled(
  controlPlaneFields,
  ...aksControlPlaneRules,
  ...aksControlPlaneChanges.map(transition),
);
export type AzureManagedControlPlaneSpec = Parsed<typeof azureManagedControlPlaneSpec>;

/** What an AzureManagedControlPlane shows of itself. */
export const azureManagedControlPlaneStatus = Type.Object({
  ready: Type.Optional(flag("Whether the API server takes requests.")),
  initialized: Type.Optional(flag("Whether the API server has ever taken requests.")),
  externalManagedControlPlane: Type.Optional(flag("Always true: control-plane nodes are none of the cluster's.")),
  version: Type.Optional(text("Kubernetes version of the control plane.")),
  autoUpgradeVersion: Type.Optional(text("Version to which AKS upgraded by itself.", { minLength: 2, maxLength: 128 })),
  oidcIssuerProfile: Type.Optional(
    Type.Object(
      { issuerURL: Type.Optional(text("Address of the issuer.")) },
      { description: "OpenID Connect issuer of the cluster, as observed." },
    ),
  ),
  conditions: Type.Optional(conditions),
  longRunningOperationStates: Type.Optional(operationStates),
});

/** The spec with its defaults, or everything that is wrong with its shape; meaning is checked by the kind. */
export const parseAzureManagedControlPlane = (
  object: KubeObject,
): Result<AzureManagedControlPlaneSpec, readonly Problem[]> =>
  parseSpec(azureManagedControlPlaneSpec, aksDefaults(azureManagedControlPlaneSpec, object), "ManagedClusterRunning");
