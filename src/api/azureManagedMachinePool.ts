import { Type } from "typebox";
import type { Problem } from "../core/kind.ts";
import type { KubeObject, Result } from "../core/types.ts";
import { aksDefaults } from "./aksDefaults.ts";
import { aksKubeletConfig, aksLinuxOsConfig } from "./aksNodeConfig.ts";
import { conditions } from "./conditions.ts";
import { operationStates } from "./operationStates.ts";
import { parseSpec } from "./parse.ts";
import { flag, int32, integer, list, map, oneOf, type Parsed, quantity, text } from "./schema.ts";

const taint = Type.Object({
  key: text("Key."),
  value: text("Value; may be empty."),
  effect: oneOf("What happens to pods that do not tolerate it.", ["NoSchedule", "NoExecute", "PreferNoSchedule"]),
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
  availabilityZones: Type.Optional(list("Zones of the nodes; fixed at creation.", Type.String())),
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
  maxPods: Type.Optional(integer("Pods a node, 10 to 250; fixed at creation.")),
};

const network = {
  subnetName: Type.Optional(text("Subnet of the virtual network; that of the control plane when absent.")),
  enableNodePublicIP: Type.Optional(flag("Whether each node has a public IP address.")),
  nodePublicIPPrefixID: Type.Optional(
    text("Resource id of the prefix for these addresses; needs `enableNodePublicIP`."),
  ),
};

/** What a user asks of an AKS node pool. The number of nodes stands on its MachinePool. */
export const azureManagedMachinePoolSpec = Type.Object({
  name: Type.Optional(text("Name in Azure, up to 12 characters, 6 for Windows; the object's name when absent.")),
  mode: oneOf("`System` for pods of AKS itself, of which a cluster needs one; `User` for others.", ["System", "User"]),
  ...machine,
  ...scale,
  ...network,
  nodeLabels: Type.Optional(map("Labels of the nodes.", Type.String())),
  taints: Type.Optional(list("Taints of the nodes.", taint)),
  additionalTags: Type.Optional(map("Tags of the pool in Azure.", Type.String())),
  asoManagedClustersAgentPoolPatches: Type.Optional(
    list("Merge patches in JSON or YAML, applied in order to the agent pool.", Type.String()),
  ),
  providerIDList: Type.Optional(list("Instances behind the nodes; filled in by the provider.", Type.String())),
});
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
