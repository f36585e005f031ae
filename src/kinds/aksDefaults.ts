import type { AzureManagedControlPlaneSpec } from "../api/aks/azureManagedControlPlane.ts";
import type { AzureManagedMachinePoolSpec } from "../api/aks/azureManagedMachinePool.ts";
import { aksRanges, type ClusterNetwork, defaultDnsServiceIp } from "./aks/clusterNetwork.ts";
import type { CompleteAksNetwork, CompleteControlPlane, CompletePool } from "./aks/complete.ts";
import { given } from "./given.ts";

/** What the defaults of a control plane depend on beside its spec. */
export interface ControlPlaneFacts {
  /** Name of the AzureManagedControlPlane: that of the AKS cluster, its network and its DNS prefix. */
  readonly name: string;
  /** Name of the Cluster: that of the resource group and of the fleet member. Empty while it is not known. */
  readonly clusterName: string;
  /** Subscription of the installation. */
  readonly subscription?: string;
  readonly clusterNetwork?: ClusterNetwork;
}

/** What the defaults of a node pool depend on beside its spec. */
export interface PoolFacts {
  /** Name of the AzureManagedMachinePool. */
  readonly name: string;
  /** Subnet of the control plane's complete form. */
  readonly subnetName?: string;
}

type ControlPlane = AzureManagedControlPlaneSpec;

const withV = (version: string): string => (version.startsWith("v") ? version : `v${version}`);

/** Tiers of AKS; `Paid` is what `Standard` was called. */
const completeSku = (sku: ControlPlane["sku"]): CompleteControlPlane["sku"] => ({
  tier: sku === undefined || sku.tier === "Free" ? "Free" : "Standard",
});

/**
 * The network of the nodes. Whether it is the user's own shows only in Azure, by its tags: then its ranges are no more
 * than what the spec says of it, and nothing is made of them. A missing subnet of such a network is made.
 */
const completeNetwork = (
  { name }: ControlPlaneFacts,
  { virtualNetwork = { name: "", cidrBlock: "" }, networkPluginMode }: ControlPlane,
  resourceGroup: string,
): CompleteAksNetwork => {
  const overlay = networkPluginMode === "overlay";
  const { subnet = { name: "", cidrBlock: "" } } = virtualNetwork;
  return {
    ...virtualNetwork,
    name: given(virtualNetwork.name) ?? name,
    cidrBlock: given(virtualNetwork.cidrBlock) ?? (overlay ? "10.224.0.0/12" : "10.0.0.0/8"),
    resourceGroup: given(virtualNetwork.resourceGroup) ?? resourceGroup,
    subnet: {
      ...subnet,
      name: given(subnet.name) ?? name,
      cidrBlock: given(subnet.cidrBlock) ?? (overlay ? "10.224.0.0/16" : "10.240.0.0/16"),
    },
  };
};

type Extension = NonNullable<ControlPlane["extensions"]>[number];
const completeExtension = ({ name }: ControlPlaneFacts, extension: Extension): Extension => ({
  ...extension,
  autoUpgradeMinorVersion: extension.autoUpgradeMinorVersion ?? true,
  ...(extension.plan !== undefined && {
    plan: { ...extension.plan, name: given(extension.plan.name) ?? `${name}-${extension.plan.product ?? ""}` },
  }),
});

/** What is there only when the spec asks for it. */
const completeFeatures = (
  facts: ControlPlaneFacts,
  { extensions, fleetsMember }: ControlPlane,
): Pick<ControlPlane, "extensions" | "fleetsMember"> => {
  const memberName = given(fleetsMember?.name) ?? given(facts.clusterName);
  return {
    ...(extensions !== undefined && { extensions: extensions.map((it) => completeExtension(facts, it)) }),
    ...(fleetsMember !== undefined && {
      fleetsMember: {
        ...fleetsMember,
        ...(memberName !== undefined && { name: memberName }),
        group: given(fleetsMember.group) ?? "default",
      },
    }),
  };
};

const dnsServiceIpOf = ({ clusterNetwork = {} }: ControlPlaneFacts, asked: string | undefined): string | undefined => {
  const { serviceCidr } = aksRanges(clusterNetwork);
  return given(asked) ?? (serviceCidr === undefined ? undefined : defaultDnsServiceIp(serviceCidr));
};

/**
 * What the spec of a control plane means, with everything that it leaves unsaid (fact sheet of AKS, 1.4, 1.5 and 4.1).
 * Fields that are set stay as they are, but for two that have one form: the version gets its `v`, and `Paid` is
 * `Standard`. Computed each turn and never written back. The spec is one that has been parsed, so that blocks which are
 * there have the defaults of the definition. Keys for SSH are no defaults: they are made at creation.
 */
export const completeControlPlane = (facts: ControlPlaneFacts, spec: ControlPlane): CompleteControlPlane => {
  const resourceGroupName = given(spec.resourceGroupName) ?? facts.clusterName;
  const subscriptionID = given(spec.subscriptionID) ?? facts.subscription;
  const dnsServiceIP = dnsServiceIpOf(facts, spec.dnsServiceIP);
  return {
    ...spec,
    version: withV(spec.version),
    sku: completeSku(spec.sku),
    ...(subscriptionID !== undefined && { subscriptionID }),
    azureEnvironment: given(spec.azureEnvironment) ?? "AzurePublicCloud",
    resourceGroupName,
    nodeResourceGroupName:
      given(spec.nodeResourceGroupName) ?? `MC_${resourceGroupName}_${facts.name}_${spec.location}`,
    virtualNetwork: completeNetwork(facts, spec, resourceGroupName),
    networkPlugin: spec.networkPlugin ?? "azure",
    loadBalancerSKU: spec.loadBalancerSKU ?? "Standard",
    dnsPrefix: given(spec.dnsPrefix) ?? facts.name,
    ...(dnsServiceIP !== undefined && { dnsServiceIP }),
    identity: { ...spec.identity, type: spec.identity?.type ?? "SystemAssigned" },
    oidcIssuerProfile: { ...spec.oidcIssuerProfile, enabled: spec.oidcIssuerProfile?.enabled ?? false },
    enablePreviewFeatures: spec.enablePreviewFeatures ?? false,
    ...completeFeatures(facts, spec),
  };
};

/**
 * What the spec of a node pool means, with everything that it leaves unsaid (fact sheet of AKS, 1.7 and 4.4). Fields that
 * are set stay as they are. A system disk of 0 GB has the size that AKS chooses.
 */
export const completePool = (facts: PoolFacts, spec: AzureManagedMachinePoolSpec): CompletePool => {
  const subnetName = given(spec.subnetName) ?? facts.subnetName;
  return {
    ...spec,
    name: given(spec.name) ?? facts.name,
    osType: spec.osType ?? "Linux",
    osDiskSizeGB: spec.osDiskSizeGB ?? 0,
    osDiskType: spec.osDiskType ?? "Managed",
    scaleDownMode: spec.scaleDownMode ?? "Delete",
    ...(subnetName !== undefined && { subnetName }),
  };
};

/** The label by which an earlier provider counted the pools of a cluster by their mode. Not written, since it is in the spec. */
export const poolLabels = ({ mode }: Pick<AzureManagedMachinePoolSpec, "mode">): Readonly<Record<string, string>> => ({
  "azuremanagedmachinepool.infrastructure.cluster.x-k8s.io/agentpoolmode": mode,
});
