import type { AzureClusterSpec } from "../api/azureCluster.ts";
import { apiServerLoadBalancers } from "./apiServerLoadBalancers.ts";
import { given } from "./given.ts";
import { names } from "./names.ts";
import { outboundLoadBalancers } from "./outboundLoadBalancers.ts";
import { publicIp } from "./publicIpDefaults.ts";
import type { ClusterFacts, SettledNetwork } from "./settled.ts";
import { cidrsOrDefault, settleSubnets } from "./subnetDefaults.ts";

/** Two spellings of one group are one group. */
const groupOf = ({ resourceGroup }: ClusterFacts, asked: string | undefined): string =>
  asked === undefined || asked.toLowerCase() === resourceGroup.toLowerCase() ? resourceGroup : asked;

/**
 * The network that a spec means, with everything that it leaves unsaid (fact sheet 6). Computed each turn and never
 * written back: two writers of one list are how reconcile loops start.
 */
export const settleNetwork = (facts: ClusterFacts, spec: AzureClusterSpec): SettledNetwork => {
  const network = spec.networkSpec ?? {};
  const bastion = spec.bastionSpec?.azureBastion;
  const subnets = settleSubnets(facts, network, bastion);
  const bastionName = given(bastion?.name) ?? names.bastion(facts.name);
  return {
    vnet: {
      name: given(network.vnet?.name) ?? names.vnet(facts.name),
      resourceGroup: groupOf(facts, given(network.vnet?.resourceGroup)),
      cidrBlocks: cidrsOrDefault(network.vnet?.cidrBlocks, ["10.0.0.0/8"]),
    },
    subnets,
    loadBalancers: [
      ...(facts.controlPlaneEnabled ? apiServerLoadBalancers(facts, network, subnets) : []),
      ...outboundLoadBalancers(facts, network, subnets),
    ],
    ...(bastion !== undefined && {
      bastionPublicIp: publicIp(bastion.publicIP, names.publicIp.bastion(bastionName), facts.zones),
    }),
  };
};
