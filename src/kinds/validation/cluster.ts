import type { AzureClusterSpec } from "../../api/cluster/azureCluster.ts";
import type { ClusterFacts, SettledNetwork } from "../settled.ts";
import { checkAddresses } from "./addresses.ts";
import { checkBastion } from "./bastion.ts";
import { checkLoadBalancers } from "./loadBalancers.ts";
import { checkNames } from "./names.ts";
import { checkPrivateEndpoints } from "./privateEndpoints.ts";
import { checkSecurityRules } from "./securityRules.ts";
import { checkSubnets } from "./subnets.ts";
import type { Broken } from "./turnRule.ts";

/**
 * What cannot work in a spec that its definition lets pass, because of what it leaves out or of what stands around it.
 * Whatever the definition refuses is not said again.
 */
export const checkCluster = (
  facts: ClusterFacts,
  { networkSpec = {} }: AzureClusterSpec,
  network: SettledNetwork,
): readonly Broken[] => [
  ...checkAddresses(network, facts.resourceGroup),
  ...checkSubnets(networkSpec, network),
  ...checkPrivateEndpoints(network, facts.resourceGroup),
  ...checkBastion(network),
  ...checkSecurityRules(network),
  ...checkLoadBalancers(network, facts.resourceGroup),
  ...checkNames(networkSpec, network),
];
