import type { AzureClusterSpec } from "../api/cluster/azureCluster.ts";
import { chosen } from "./asked.ts";
import type { CompleteCluster } from "./complete.ts";
import type { ClusterFacts, SettledNetwork } from "./settled.ts";
import { settleLoadBalancers } from "./settleLoadBalancers.ts";
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
  return {
    vnet: {
      name: vnet.name,
      resourceGroup: groupOf(facts, vnet.resourceGroup),
      cidrBlocks: chosen(vnet.cidrBlocks, saidNetwork.vnet?.cidrBlocks),
    },
    subnets,
    loadBalancers: settleLoadBalancers(facts, network, saidNetwork, subnets),
    ...(bastion !== undefined && { bastionPublicIp: settlePublicIp(facts, bastion.publicIP, saidBastion?.publicIP) }),
  };
};
