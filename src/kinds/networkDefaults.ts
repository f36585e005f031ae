import type { AzureClusterSpec, NetworkSpec } from "../api/cluster/azureCluster.ts";
import { completeApiServerLB, isInternal } from "./apiServerDefaults.ts";
import type { CompleteBastion, CompleteCluster, CompleteNetwork, CompleteVnet } from "./complete.ts";
import { given } from "./given.ts";
import { names } from "./names.ts";
import { completeOutboundLBs } from "./outboundDefaults.ts";
import { withControlPlaneRules } from "./securityRuleDefaults.ts";
import type { ClusterFacts } from "./settled.ts";
import { completeBastionSubnet, completeSubnets, rangesOr } from "./subnetDefaults.ts";

const completeVnet = (facts: ClusterFacts, vnet: Partial<NonNullable<NetworkSpec["vnet"]>>): CompleteVnet => ({
  ...vnet,
  name: given(vnet.name) ?? names.vnet(facts.name),
  resourceGroup: given(vnet.resourceGroup) ?? facts.resourceGroup,
  cidrBlocks: rangesOr(vnet.cidrBlocks, ["10.0.0.0/8"]),
  ...(vnet.peerings !== undefined && {
    peerings: vnet.peerings.map((it) => ({ ...it, resourceGroup: given(it.resourceGroup) ?? facts.resourceGroup })),
  }),
});

/** A private API server is found in a zone of its own; `None` leaves the zone to somebody else, not its name. */
const completeDns = (
  facts: ClusterFacts,
  network: NetworkSpec,
): Pick<NetworkSpec, "privateDNSZone" | "privateDNSZoneName" | "privateDNSZoneResourceGroup"> =>
  facts.controlPlaneEnabled && isInternal(network.apiServerLB)
    ? {
        privateDNSZone: network.privateDNSZone ?? "System",
        privateDNSZoneName: given(network.privateDNSZoneName) ?? names.privateDnsZone(facts.clusterName),
        privateDNSZoneResourceGroup: given(network.privateDNSZoneResourceGroup) ?? facts.resourceGroup,
      }
    : {};

const completeNetwork = (facts: ClusterFacts, network: NetworkSpec): CompleteNetwork => {
  const {
    vnet,
    subnets: _subnets,
    apiServerLB,
    nodeOutboundLB: _nodes,
    controlPlaneOutboundLB: _out,
    ...rest
  } = network;
  const subnets = completeSubnets(facts, network);
  const apiServer = facts.controlPlaneEnabled ? (apiServerLB ?? {}) : apiServerLB;
  return {
    ...rest,
    vnet: completeVnet(facts, vnet ?? {}),
    subnets: withControlPlaneRules(facts, subnets),
    ...(apiServer !== undefined && { apiServerLB: completeApiServerLB(facts, apiServer) }),
    ...completeOutboundLBs(facts, network, subnets),
    ...completeDns(facts, network),
  };
};

const completeBastion = (
  facts: ClusterFacts,
  bastion: NonNullable<NonNullable<AzureClusterSpec["bastionSpec"]>["azureBastion"]>,
): CompleteBastion => {
  const name = given(bastion.name) ?? names.bastion(facts.name);
  return {
    ...bastion,
    name,
    subnet: completeBastionSubnet(bastion.subnet),
    publicIP: { ...bastion.publicIP, name: given(bastion.publicIP?.name) ?? names.publicIp.bastion(name) },
    sku: bastion.sku ?? "Basic",
    enableTunneling: bastion.enableTunneling ?? false,
  };
};

/** Where the API server is reached: at its DNS name. Whoever provides a control plane elsewhere says where it is. */
const completeEndpoint = (
  facts: ClusterFacts,
  asked: AzureClusterSpec["controlPlaneEndpoint"],
  network: CompleteNetwork,
): AzureClusterSpec["controlPlaneEndpoint"] => {
  if (!facts.controlPlaneEnabled) return asked;
  const zone = network.privateDNSZoneName;
  const dnsName = network.apiServerLB?.frontendIPs.find(({ publicIP }) => publicIP !== undefined)?.publicIP?.dnsName;
  const own = isInternal(network.apiServerLB) && zone !== undefined ? `apiserver.${zone}` : dnsName;
  const host = given(asked?.host) ?? own;
  return { ...(host !== undefined && { host }), port: asked?.port ?? facts.apiServerPort.value };
};

/**
 * What a spec means, with everything that it leaves unsaid (fact sheet 6): the one source of defaults. Fields that are set
 * stay as they are, but for the role of a bastion host's subnet, which is fixed. Computed each turn and never written
 * back: two writers of one list are how reconcile loops start.
 */
export const completeCluster = (facts: ClusterFacts, spec: AzureClusterSpec): CompleteCluster => {
  const { bastionSpec, controlPlaneEndpoint, networkSpec, ...rest } = spec;
  const network = completeNetwork(facts, networkSpec ?? {});
  const endpoint = completeEndpoint(facts, controlPlaneEndpoint, network);
  const bastion = bastionSpec?.azureBastion;
  return {
    ...rest,
    subscriptionID: facts.subscription,
    resourceGroup: facts.resourceGroup,
    azureEnvironment: given(spec.azureEnvironment) ?? "AzurePublicCloud",
    controlPlaneEnabled: facts.controlPlaneEnabled,
    ...(endpoint !== undefined && { controlPlaneEndpoint: endpoint }),
    ...(bastion !== undefined && { bastionSpec: { azureBastion: completeBastion(facts, bastion) } }),
    networkSpec: network,
  };
};
