import { Type } from "typebox";
import type { Problem } from "../../core/kind.ts";
import type { KubeObject, Result } from "../../core/types.ts";
import { transition } from "../cel/changeRule.ts";
import { conditions } from "../conditions.ts";
import { operationStates } from "../operationStates.ts";
import { parseSpec } from "../parse.ts";
import { flag, int32, integer, list, map, oneOf, type Parsed, quantity, ruled, text } from "../schema.ts";
import { aksDefaults } from "./aksDefaults.ts";
import { aksKubeletConfig, aksLinuxOsConfig } from "./aksNodeConfig.ts";
import { aksPoolChanges, aksPoolRules } from "./aksPoolRules.ts";

const taint = Type.Object({
  key: text("Key."),
  value: text("Value; may be empty."),
  effect: oneOf("What happens to pods that do not tolerate it.", ["NoSchedule", "NoExecute", "PreferNoSchedule"]),
});

/** Taints of one key and one effect are one taint, as on a Node. */
const taints = Type.Array(taint, {
  description: "Taints of the nodes.",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["key", "effect"],
});

const machine = {
  sku: text("Size of the virtual machines; fixed at creation."),
  osType: Type.Optional(oneOf("Operating system; fixed at creation.", ["Linux", "Windows"], { default: "Linux" })),
  osDiskSizeGB: Type.Optional(integer("Size in GB of the system disk; 0 or absent lets AKS choose.")),
  osDiskType: Type.Optional(oneOf("Kind of the system disk.", ["Ephemeral", "Managed"], { default: "Managed" })),
  kubeletDiskType: Type.Optional(oneOf("Disk for images, logs and empty volumes.", ["OS", "Temporary"])),
  enableUltraSSD: Type.Optional(flag("Whether ultra disks can be attached.")),
  enableFIPS: Type.Optional(flag("Whether cryptography validated under FIPS 140 is used.")),
  enableEncryptionAtHost: Type.Optional(flag("Whether temporary disks and caches are encrypted on the host.")),
  availabilityZones: Type.Optional(
    // A region has three.
    list("Zones of the nodes; fixed at creation.", text("Zone.", { maxLength: 64 }), { maxItems: 16 }),
  ),
  scaleSetPriority: Type.Optional(oneOf("Whether the nodes may be taken away.", ["Regular", "Spot"])),
  spotMaxPrice: Type.Optional(quantity("Most US dollars an hour for a `Spot` node; -1 for up to the regular price.")),
  kubeletConfig: Type.Optional(aksKubeletConfig),
  linuxOSConfig: Type.Optional(aksLinuxOsConfig),
};

const scale = {
  scaling: Type.Optional(
    Type.Object(
      {
        minSize: Type.Optional(integer("Fewest nodes.")),
        maxSize: Type.Optional(integer("Most nodes.")),
      },
      { description: "Lets AKS choose the number of nodes; the MachinePool's replicas then follow." },
    ),
  ),
  scaleDownMode: Type.Optional(
    oneOf("What happens to nodes that are not needed.", ["Deallocate", "Delete"], { default: "Delete" }),
  ),
  maxPods: Type.Optional(integer("Pods a node; fixed at creation.", { minimum: 10, maximum: 250 })),
};

const network = {
  subnetName: Type.Optional(
    ruled(text("Subnet of the virtual network; that of the control plane when absent.", { maxLength: 256 }), {
      rule: "self == '' || self.matches('^[a-zA-Z0-9][a-zA-Z0-9._-]{0,78}[a-zA-Z0-9]$')",
      message: "must be of 2 to 80 letters, digits, dots, underscores and hyphens, with a letter or digit at both ends",
    }),
  ),
  enableNodePublicIP: Type.Optional(flag("Whether each node has a public IP address.")),
  nodePublicIPPrefixID: Type.Optional(
    ruled(text("Resource id of the prefix for these addresses; needs `enableNodePublicIP`.", { maxLength: 1024 }), {
      rule: "self == '' || self.lowerAscii().matches('^/?subscriptions/[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}/resourcegroups/[^/]+/providers/microsoft[.]network/publicipprefixes/[^/]+$')",
      message:
        "must be /subscriptions/SUBSCRIPTION/resourceGroups/GROUP/providers/Microsoft.Network/publicIPPrefixes/NAME",
    }),
  ),
};

/** The fields of a node pool, each with the rules about itself. */
export const poolFields = Type.Object({
  name: Type.Optional(
    text("Name in Azure, up to 12 characters, 6 for Windows; the object's name when absent.", { maxLength: 256 }),
  ),
  mode: oneOf("`System` for pods of AKS itself, of which a cluster needs one; `User` for others.", ["System", "User"]),
  ...machine,
  ...scale,
  ...network,
  nodeLabels: Type.Optional(
    ruled(map("Labels of the nodes.", Type.String()), {
      rule: "self.all(key, !key.startsWith('kubernetes.azure.com'))",
      message: "must not have keys that begin with kubernetes.azure.com, which AKS keeps for itself",
    }),
  ),
  taints: Type.Optional(taints),
  additionalTags: Type.Optional(map("Tags of the pool in Azure.", Type.String())),
  asoManagedClustersAgentPoolPatches: Type.Optional(
    list("Merge patches in JSON or YAML, applied in order to the agent pool.", Type.String()),
  ),
  providerIDList: Type.Optional(list("Instances behind the nodes; filled in by the provider.", Type.String())),
});

/** What a user asks of an AKS node pool. The number of nodes stands on its MachinePool. */
export const azureManagedMachinePoolSpec = ruled(poolFields, ...aksPoolRules, ...aksPoolChanges.map(transition));
export type AzureManagedMachinePoolSpec = Parsed<typeof azureManagedMachinePoolSpec>;

/** What an AzureManagedMachinePool shows of itself. */
export const azureManagedMachinePoolStatus = Type.Object({
  ready: Type.Optional(flag("Whether the pool stands.")),
  replicas: Type.Optional(int32("Nodes that exist.")),
  errorReason: Type.Optional(text("Not written; see the conditions.")),
  errorMessage: Type.Optional(text("Not written; see the conditions.")),
  conditions: Type.Optional(conditions),
  longRunningOperationStates: Type.Optional(operationStates),
});

/** The spec with its defaults, or everything that is wrong with its shape; meaning is checked by the kind. */
export const parseAzureManagedMachinePool = (
  object: KubeObject,
): Result<AzureManagedMachinePoolSpec, readonly Problem[]> =>
  parseSpec(azureManagedMachinePoolSpec, aksDefaults(azureManagedMachinePoolSpec, object), "AgentPoolsReady");
