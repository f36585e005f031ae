/** Ids of what a cluster of this name consists of, by the names of the fact sheet (3.1). */

const three = { "1": true, "2": true, "3": true } as const;
/** West Europe, where the modes live unless they say otherwise. */
export const threeZones: Readonly<Record<string, boolean>> = three;

/** Group, network, subnets of the default names, groups and tables for them. */
export const network = (name: string, group = name): readonly string[] => [
  group,
  `${group}/virtualNetworks/${name}-vnet`,
  `${group}/virtualNetworks/${name}-vnet/subnets/${name}-controlplane-subnet`,
  `${group}/networkSecurityGroups/${name}-controlplane-nsg`,
  ...nodeNetwork(name, group),
];

const nodeNetwork = (name: string, group: string): readonly string[] => [
  `${group}/virtualNetworks/${name}-vnet/subnets/${name}-node-subnet`,
  `${group}/networkSecurityGroups/${name}-node-nsg`,
  `${group}/routeTables/${name}-node-routetable`,
];

/** The same of a cluster whose control plane is elsewhere. */
export const networkOfNodes = (name: string): readonly string[] => [
  name,
  `${name}/virtualNetworks/${name}-vnet`,
  ...nodeNetwork(name, name),
];

/** The way out of nodes with IPv4 addresses. */
export const natGateway = (name: string, group = name): readonly string[] => [
  `${group}/natGateways/${name}-node-natgw`,
  `${group}/publicIPAddresses/pip-${name}-node-natgw`,
];

export const publicApiServer = (name: string, group = name): readonly string[] => [
  `${group}/loadBalancers/${name}-public-lb`,
  `${group}/publicIPAddresses/pip-${name}-apiserver`,
];

/** The default cluster. */
export const publicCluster = (name: string): readonly string[] => [
  ...network(name),
  ...natGateway(name),
  ...publicApiServer(name),
];

export const privateApiServer = (name: string): readonly string[] => [`${name}/loadBalancers/${name}-internal-lb`];

/** The zone of a private API server, with its link and record. */
export const privateDns = (name: string, group = name, zone = `${name}.capz.io`): readonly string[] => [
  `${group}/privateDnsZones/${zone}`,
  `${group}/privateDnsZones/${zone}/virtualNetworkLinks/${name}-vnet-link`,
  `${group}/privateDnsZones/${zone}/A/apiserver`,
];

/** A load balancer for the way out of nodes, with so many addresses. */
export const nodeOutbound = (name: string, count = 1): readonly string[] => [
  `${name}/loadBalancers/${name}`,
  ...(count === 1
    ? [`${name}/publicIPAddresses/pip-${name}-node-outbound`]
    : Array.from({ length: count }, (_, at) => `${name}/publicIPAddresses/pip-${name}-node-outbound-${at + 1}`)),
];

/** Types of conditions of load balancers. */
export const lbs = ["LoadBalancersReady"] as const;
/** Types of conditions of a private API server. */
export const dns = ["PrivateDNSLinkReady", "PrivateDNSRecordReady", "PrivateDNSZoneReady"] as const;
