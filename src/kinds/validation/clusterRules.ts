import type { TurnRule } from "./turnRule.ts";

const defaults = "Names and ranges that the spec leaves out are computed at each turn.";
const shared =
  "Subnets share security groups, by default all node subnets do, and comparing all rules is too dear for the API server.";
const owner = "It takes the Cluster that owns the object.";

const rule = (field: string, says: string, why: string): TurnRule =>
  Object.freeze({ kind: "AzureCluster", field, says, why });

/** What an AzureCluster must keep beyond its definition. */
export const clusterRules = Object.freeze({
  subscription: rule(
    "spec.subscriptionID",
    "must name a subscription: this installation has no default one",
    "It takes the settings of the installation.",
  ),
  networkAddress: rule(
    "spec.networkSpec.vnet.cidrBlocks",
    "must begin at its network address: bits are set behind its prefix",
    "Earlier providers store such ranges of networks that exist already, which is no fault; Azure makes none with them.",
  ),
  subnetNetworkAddress: rule(
    "spec.networkSpec.subnets[].cidrBlocks",
    "must begin at its network address: bits are set behind its prefix",
    "Earlier providers store such ranges of subnets that exist already, which is no fault; Azure makes none with them.",
  ),
  subnetRange: rule(
    "spec.networkSpec.subnets[].cidrBlocks",
    "must list a range: a subnet of this role has no default one",
    `${defaults} Which roles have one is decided there too.`,
  ),
  subnetInNetwork: rule(
    "spec.networkSpec.subnets[].cidrBlocks",
    "must be listed, because the default range lies outside of the virtual network",
    defaults,
  ),
  subnetsApart: rule(
    "spec.networkSpec.subnets[].cidrBlocks",
    "must be apart from the ranges of all other subnets, default ranges included",
    defaults,
  ),
  subnetNames: rule(
    "spec.networkSpec.subnets[].name",
    "must differ from the names of all other subnets, default names included",
    defaults,
  ),
  sharedRules: rule(
    "spec.networkSpec.subnets[].securityGroup.securityRules[].name",
    "must mean the same rule wherever it occurs in one security group",
    shared,
  ),
  sharedPriorities: rule(
    "spec.networkSpec.subnets[].securityGroup.securityRules[].priority",
    "must differ per direction among the rules of one security group",
    shared,
  ),
  sharedGateways: rule(
    "spec.networkSpec.subnets[].natGateway.ip.name",
    "must be the same in all subnets that share the NAT gateway",
    defaults,
  ),
  endpointAddresses: rule(
    "spec.networkSpec.subnets[].privateEndpoints[].privateIPAddresses",
    "must lie inside the default range of the subnet",
    defaults,
  ),
  endpointNames: rule(
    "spec.networkSpec.subnets[].privateEndpoints[].name",
    "must differ from the names of the private endpoints of all other subnets, because all lie in one resource group",
    "The definition compares those of one subnet; comparing all is too dear for the API server.",
  ),
  reservedEndpointAddress: rule(
    "spec.networkSpec.subnets[].privateEndpoints[].privateIPAddresses[]",
    "must not be one of the addresses that Azure keeps for itself: the first four and the last of a subnet",
    "It takes arithmetic with addresses.",
  ),
  fixedAddresses: rule(
    "spec.networkSpec.subnets[].privateEndpoints[].privateIPAddresses[]",
    "must be an address that nothing else of the cluster has, default ones included",
    defaults,
  ),
  bastionSubnet: rule(
    "spec.bastionSpec.azureBastion.subnet.name",
    "must be AzureBastionSubnet: Azure puts bastion hosts into no other",
    "Earlier providers store any name, and such an object must stay one that can be edited.",
  ),
  reservedAddress: rule(
    "spec.networkSpec.apiServerLB.frontendIPs[].privateIP",
    "must not be one of the addresses that Azure keeps for itself: the first four and the last of a subnet",
    "It takes arithmetic with addresses.",
  ),
  apiServerPorts: rule(
    "spec.networkSpec.additionalAPIServerLBPorts[].port",
    "must differ from the ports of the API server: the one in front of its load balancer and the one behind it",
    owner,
  ),
  loadBalancerNames: rule(
    "spec.networkSpec",
    "must give each load balancer a name of its own, default names included",
    defaults,
  ),
  publicIpNames: rule(
    "spec.networkSpec",
    "must give each load balancer, NAT gateway and bastion host addresses of its own, default names included",
    defaults,
  ),
  dnsLabel: rule(
    "spec.networkSpec.apiServerLB.frontendIPs[].publicIP.dnsName",
    "must be given, because Azure does not take the default label: 3 to 63 lower-case letters, digits and hyphens, beginning with a letter",
    owner,
  ),
  derivedNames: rule(
    "spec.networkSpec",
    "must not lead to a name that Azure does not take: at most 80 letters, digits, underscores, dots and hyphens",
    "Names of parts derive from those of their load balancer or NAT gateway at each turn.",
  ),
});
