import type { AzureClusterSpec } from "../api/cluster/azureCluster.ts";
import { chosen } from "./asked.ts";
import type { CompleteCluster } from "./complete.ts";
import { settleBastion } from "./settleBastion.ts";
import type { ClusterFacts, SettledNetwork } from "./settled.ts";
import { settleLoadBalancers } from "./settleLoadBalancers.ts";
import { settlePeerings } from "./settlePeerings.ts";
import { settlePrivateDns } from "./settlePrivateDns.ts";
import { settlePublicIp } from "./settlePublicIp.ts";
import { settleSubnets } from "./settleSubnets.ts";

/** Two spellings of one group are one group. */
const groupOf = ({ resourceGroup }: ClusterFacts, asked: string): string =>
  asked.toLowerCase() === resourceGroup.toLowerCase() ? resourceGroup : asked;

/** The network of the complete form, each value with who chose it: `said` is the spec itself. */
export const settleNetwork = (
  facts: ClusterFacts,
  { networkSpec: network, bastionSpec }: CompleteCluster,
  said: AzureClusterSpec,
): SettledNetwork => {
  const bastion = bastionSpec?.azureBastion;
  const saidNetwork = said.networkSpec ?? {};
  const saidBastion = said.bastionSpec?.azureBastion;
  const { subnets: listed, vnet } = network;
  const subnets = settleSubnets(facts, { subnets: listed, bastion }, saidNetwork.subnets, saidBastion?.subnet);
  const place = { name: vnet.name, resourceGroup: groupOf(facts, vnet.resourceGroup) };
  const peerings = settlePeerings(vnet);
  const { host } = said.controlPlaneEndpoint ?? {};
  const loadBalancers = settleLoadBalancers(facts, network, { network: saidNetwork, host }, subnets);
  const privateDns = settlePrivateDns(network, { vnet: place, peerings, loadBalancers });
  return {
    vnet: { ...place, cidrBlocks: chosen(vnet.cidrBlocks, saidNetwork.vnet?.cidrBlocks) },
    subnets,
    peerings,
    loadBalancers,
    ...(privateDns !== undefined && { privateDns }),
    ...(bastion !== undefined && {
      bastion: settleBastion(bastion, saidBastion),
      bastionPublicIp: settlePublicIp(facts, bastion.publicIP, saidBastion?.publicIP),
    }),
  };
};
