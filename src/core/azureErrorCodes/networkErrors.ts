import { aksPage, alike, type ErrorCodes, report, sources } from "./errorCode.ts";

/** Somebody else is writing, or the last write has not come to rest. */
const busy: ErrorCodes = {
  ...alike(
    { kind: "conflict", source: sources.deployment },
    { AnotherOperationInProgress: "Azure still works on this resource or on one that it depends on." },
  ),
  ...alike(
    { kind: "conflict", source: report("hashicorp/terraform#7986"), wakes: ["siblings"] },
    { ReferencedResourceNotProvisioned: "A resource that it refers to is still being made or changed." },
  ),
  ...alike(
    { kind: "conflict", source: report("hashicorp/terraform-provider-azurerm#70"), generic: true },
    { RetryableError: "" },
  ),
  ...alike(
    { kind: "conflict", source: report("Azure-Samples/azuresandbox#25"), wakes: ["siblings"] },
    { ResourceNotProvisioned: "The resource is still being made or changed.", PutSubnetOperationFailed: "" },
  ),
  ...alike(
    { kind: "conflict", source: aksPage("virtualnetworknotinsucceededstate-error"), wakes: ["siblings"] },
    { VirtualNetworkNotInSucceededState: "The virtual network is still being changed, or its last change failed." },
  ),
  ...alike(
    { kind: "conflict", source: report("Azure/azure-cli#21156") },
    { CanceledAndSupersededDueToAnotherOperation: "A later change of the same resource took its place." },
  ),
};

/** Something has to go first; what is in use is named in the message. */
const inUse: ErrorCodes = {
  ...alike(
    { kind: "dependency", source: sources.deployment },
    { InUseSubnetCannotBeDeleted: "The message names what still uses the subnet." },
  ),
  ...alike(
    { kind: "dependency", source: aksPage("publicipaddr-inusesubnet-netsecgrp-error") },
    {
      PublicIPAddressCannotBeDeleted: "The message names what still uses the address.",
      InUseNetworkSecurityGroupCannotBeDeleted: "The message names what still uses the security group.",
    },
  ),
  ...alike(
    { kind: "dependency", source: aksPage("inuseroutetablecannotbedeleted-error") },
    { InUseRouteTableCannotBeDeleted: "The message names the subnets that still use the route table." },
  ),
  ...alike(
    { kind: "dependency", source: aksPage("networksecuritygroupinusebyvirtualmachinescaleset-error") },
    {
      LoadBalancerInUseByVirtualMachineScaleSet: "A scale set still uses the load balancer.",
      NetworkSecurityGroupInUseByVirtualMachineScaleSet: "A scale set still uses the security group.",
    },
  ),
  ...alike(
    { kind: "dependency", source: aksPage("lb-pvtlinksvcwithpvtendptconn-error") },
    {
      CannotDeleteLoadBalancerWithPrivateLinkService: "A private link service still uses the load balancer.",
      PrivateLinkServiceWithPrivateEndpointConnectionsCannotBeDeleted: "Private endpoints are still connected to it.",
    },
  ),
  ...alike(
    { kind: "dependency", source: report("Azure-Samples/Copilot-Studio-with-Azure-AI-Search#62") },
    { CannotDeleteNatGatewayAssociatedToSubnet: "Subnets still use the NAT gateway.", NatGatewayInUse: "" },
  ),
  ...alike(
    { kind: "dependency", source: report("cloudfoundry/bosh-azure-cpi-release#121") },
    {
      PrivateIPAddressInUse: "Another network interface has the private address.",
    },
  ),
  ...alike(
    { kind: "dependency", source: report("hashicorp/terraform#18127") },
    { NicInUse: "A virtual machine still has the network interface." },
  ),
  ...alike(
    {
      kind: "dependency",
      source: report("Azure/karpenter-provider-azure#92"),
      pace: { firstSeconds: 60, freshCapSeconds: 180, freshAttempts: 6 },
    },
    { NicReservedForAnotherVm: "Azure keeps the interface for 180 s after a machine failed or was deleted." },
  ),
  ...alike(
    { kind: "dependency", source: report("hashicorp/terraform-provider-azurerm#688") },
    {
      InUseSubnetCannotBeUpdated: "What uses the subnet keeps it from being changed so.",
      InUsePrefixCannotBeDeleted: "Something still uses addresses of the prefix.",
      PublicIPAddressInUse: "The public IP address belongs to another resource.",
    },
  ),
  ...alike(
    { kind: "dependency", source: report("hashicorp/terraform#18091") },
    { RemotePeeringIsDisconnected: "Delete the peering of the other side too; then both can be made anew." },
  ),
};

/** The spec asks for something that cannot work. */
const wrong: ErrorCodes = {
  ...alike(
    { kind: "badConfiguration", source: sources.deployment },
    {
      DnsRecordInUse: "The DNS name is taken in this region; choose another one.",
      PrivateIPAddressInReservedRange: "Azure keeps the first four addresses and the last one of each subnet.",
      PrivateIPAddressNotInSubnet: "The address lies outside its subnet.",
      SubnetsNotInSameVnet: "All network interfaces of a machine must be in one virtual network.",
    },
  ),
  ...alike(
    { kind: "badConfiguration", source: report("Azure/Azure-Landing-Zones#3420") },
    {
      NetcfgInvalidSubnet: "The subnet overlaps another one or lies outside the virtual network.",
      NetcfgSubnetRangeOutsideVnet: "The subnet lies outside the virtual network.",
      NetcfgSubnetRangesOverlap: "The subnet overlaps another one.",
    },
  ),
  ...alike(
    { kind: "badConfiguration", source: report("hashicorp/terraform-provider-azurerm#11137") },
    {
      SecurityRuleConflict: "Two rules share priority and direction.",
      SecurityRuleInvalidPriority: "A priority lies between 100 and 4096.",
    },
  ),
  ...alike(
    { kind: "badConfiguration", source: report("Azure/ResourceModules#731") },
    {
      VnetAddressSpaceOverlapsWithAlreadyPeeredVnet:
        "The other network is already peered with one that has the same addresses.",
      VnetAddressSpacesOverlap: "Networks with the same addresses cannot be peered.",
      VirtualNetworkPeeringAddressSpacesOverlap: "Networks with the same addresses cannot be peered.",
    },
  ),
  ...alike(
    { kind: "badConfiguration", source: report("hashicorp/terraform-provider-azurerm#30197") },
    {
      PrivateIPAddressIsAllocated: "The address is taken; choose another one.",
      AtleastOneIpV4RequiredForIpV6LbFrontendIpConfiguration: "A load balancer with IPv6 needs an IPv4 frontend too.",
    },
  ),
};

/** Limits of subscription and region. */
const limits: ErrorCodes = {
  ...alike(
    { kind: "quota", source: sources.deployment },
    { PublicIPCountLimitReached: "Ask for a higher limit of public IP addresses, or remove some." },
  ),
  ...alike(
    { kind: "quota", source: report("coreos/tectonic-installer#1454") },
    {
      StaticPublicIPCountLimitReached: "Ask for a higher limit of static public IP addresses, or remove some.",
      StandardSkuPublicIPCountLimitReached: "Ask for a higher limit of Standard public IP addresses, or remove some.",
    },
  ),
  ...alike(
    { kind: "quota", source: sources.deployment, alone: true },
    { SubnetIsFull: "The subnet has no free address: remove what is no longer needed, or use another subnet." },
  ),
};

/** Microsoft.Network: networks, addresses, load balancers. */
export const networkErrors: ErrorCodes = { ...busy, ...inUse, ...wrong, ...limits };
