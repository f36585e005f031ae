import { Type } from "typebox";
import { int32, listMap, oneOf, ruled } from "../schema.ts";
import { networkName, privateZoneName, resourceGroupName } from "./azureNames.ts";
import { apiServerLoadBalancer, outboundLoadBalancer } from "./loadBalancer.ts";
import { subnetSpec, vnetSpec } from "./network.ts";
import { keptNetworkRules, keptSubnetListRules } from "./networkRules.ts";

const additionalPort = Type.Object(
  {
    name: ruled(networkName("Name of the rule."), {
      rule: "self.lowerAscii() != 'lbrulehttps'",
      message: "must not be LBRuleHTTPS, the name of the API server's own rule",
    }),
    port: ruled(int32("Port, the same on both sides."), {
      rule: "self >= 1 && self <= 65535",
      message: "must be from 1 to 65535",
    }),
  },
  { description: "One port." },
);

/**
 * As many as Azure lets reach one network interface
 * (https://learn.microsoft.com/azure/azure-resource-manager/management/azure-subscription-service-limits).
 */
const additionalPorts = ruled(
  listMap(
    "Further ports that the API server's load balancer forwards. No security rule opens them: list one in the security group of the control-plane subnet.",
    "name",
    additionalPort,
    { maxItems: 300 },
  ),
  { rule: "self.all(a, self.exists_one(b, b.port == a.port))", message: "must be ports that differ" },
);

/** Fields of a network that a template has too. */
export const sharedNetworkFields = {
  additionalAPIServerLBPorts: Type.Optional(additionalPorts),
  privateDNSZoneName: Type.Optional(
    privateZoneName("Name of the private DNS zone; that of the Cluster with `.capz.io` when absent."),
  ),
  privateDNSZoneResourceGroup: Type.Optional(
    resourceGroupName("Resource group of the private DNS zone; that of the cluster when absent."),
  ),
};

/** Azure takes more subnets, but comparing the ranges of more is too dear for the API server. */
export const mostSubnets = 64;

const subnets = listMap("Subnets of the virtual network.", "name", subnetSpec, { maxItems: mostSubnets });

/** The network of a cluster. */
export const networkSpec = ruled(
  Type.Object(
    {
      vnet: Type.Optional(vnetSpec),
      subnets: Type.Optional(ruled(subnets, ...keptSubnetListRules)),
      apiServerLB: Type.Optional(apiServerLoadBalancer),
      nodeOutboundLB: Type.Optional(outboundLoadBalancer("The load balancer through which nodes reach out.")),
      controlPlaneOutboundLB: Type.Optional(
        outboundLoadBalancer(
          "The load balancer through which the control plane of an internal API server reaches out.",
        ),
      ),
      ...sharedNetworkFields,
      privateDNSZone: Type.Optional(
        oneOf("Whether the private DNS zone is ours to make; `System` when absent.", ["System", "None"]),
      ),
    },
    { description: "Virtual network and load balancers." },
  ),
  ...keptNetworkRules,
);
