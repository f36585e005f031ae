import type { TurnRule } from "./turnRule.ts";

const defaults = "Parts that the spec leaves out get default names and ranges, which are computed at each turn.";
const derived = "Most names derive from others at each turn.";
const owner = "It takes the Cluster that owns the object.";

const rule = (field: string, says: string, why: string): TurnRule =>
  Object.freeze({ kind: "AzureCluster", field, says, why });

/** What an AzureCluster must keep beyond its definition. */
export const clusterRules = Object.freeze({
  subscription: rule(
    "spec.subscriptionID",
    "must name a subscription where the installation has no default one",
    "It takes the settings of the installation.",
  ),
  subnetInNetwork: rule(
    "spec.networkSpec.subnets[].cidrBlocks",
    "must lie inside the virtual network, whichever of both ranges is a default",
    defaults,
  ),
  subnetsApart: rule(
    "spec.networkSpec.subnets[].cidrBlocks",
    "must not overlap the range of another subnet, default ranges included",
    defaults,
  ),
  subnetNames: rule(
    "spec.networkSpec.subnets[].name",
    "must differ from the name of each other subnet in any case, default names included",
    defaults,
  ),
  sharedRules: rule(
    "spec.networkSpec.subnets[].securityGroup.securityRules[].name",
    "must mean the same rule in all subnets that share the security group",
    `${defaults} By default all node subnets share one security group.`,
  ),
  sharedPriorities: rule(
    "spec.networkSpec.subnets[].securityGroup.securityRules[].priority",
    "must differ per direction from those of all other rules of the same security group",
    `${defaults} By default all node subnets share one security group.`,
  ),
  sharedGateways: rule(
    "spec.networkSpec.subnets[].natGateway.ip.name",
    "must be the same in all subnets that share the NAT gateway",
    defaults,
  ),
  endpointAddresses: rule(
    "spec.networkSpec.subnets[].privateEndpoints[].privateIPAddresses",
    "must lie inside the subnet, whose range may be a default",
    defaults,
  ),
  privateAddress: rule(
    "spec.networkSpec.apiServerLB.frontendIPs[].privateIP",
    "must lie inside the control-plane subnet and not be one of the addresses that Azure keeps for itself",
    `${defaults} So may this address be.`,
  ),
  apiServerPorts: rule(
    "spec.networkSpec.additionalAPIServerLBPorts[].port",
    "must differ from the port of the API server",
    owner,
  ),
  loadBalancerNames: rule(
    "spec.networkSpec",
    "must give each load balancer a name of its own, default names included",
    defaults,
  ),
  publicIpNames: rule(
    "spec.networkSpec",
    "must give each load balancer, NAT gateway and bastion host public IP addresses of its own, default names included",
    defaults,
  ),
  dnsLabels: rule(
    "spec.networkSpec.apiServerLB.frontendIPs[].publicIP.dnsName",
    "must begin with a label that Azure takes; by default it is the name of the Cluster with a hash",
    owner,
  ),
  derivedNames: rule(
    "spec.networkSpec",
    "must not lead to names that Azure does not take, such as that of a frontend after a long name of its load balancer",
    derived,
  ),
});
