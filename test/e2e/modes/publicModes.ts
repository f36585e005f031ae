import type { Mode } from "./mode.ts";
import { lbs, network, nodeOutbound, publicApiServer, publicCluster, threeZones } from "./parts.ts";

const host = (label: string): string => `${label}.westeurope.cloudapp.azure.com`;
/** Both families, as upstream's template for IPv6 has them. */
const bothFamilies = (name: string) => ({
  networkSpec: {
    vnet: { name: `${name}-vnet`, cidrBlocks: ["10.0.0.0/8", "2001:1234:5678:9a00::/56"] },
    subnets: [
      {
        role: "control-plane",
        name: `${name}-controlplane-subnet`,
        cidrBlocks: ["10.0.0.0/16", "2001:1234:5678:9abc::/64"],
      },
      { role: "node", name: `${name}-node-subnet`, cidrBlocks: ["10.1.0.0/16", "2001:1234:5678:9abd::/64"] },
    ],
  },
});
const prefixes = (cidrBlocks: readonly string[]) => ({ properties: { addressPrefixes: cidrBlocks } });
const withIpv6 = (
  name: string,
  number: number,
  title: string,
  label: string,
  clusterNetwork: Mode["clusterNetwork"],
): Mode => ({
  title,
  name,
  number,
  ...(clusterNetwork !== undefined && { clusterNetwork }),
  spec: bothFamilies(name),
  made: [...network(name), ...publicApiServer(name), ...nodeOutbound(name)],
  bodies: {
    [`${name}/virtualNetworks/${name}-vnet`]: {
      properties: { addressSpace: { addressPrefixes: ["10.0.0.0/8", "2001:1234:5678:9a00::/56"] } },
    },
    [`${name}/virtualNetworks/${name}-vnet/subnets/${name}-node-subnet`]: prefixes([
      "10.1.0.0/16",
      "2001:1234:5678:9abd::/64",
    ]),
    [`${name}/publicIPAddresses/pip-${name}-node-outbound`]: { properties: { publicIPAddressVersion: "IPv4" } },
  },
  endpoint: { host: host(label), port: 6443 },
  zones: threeZones,
  conditions: lbs,
});

/** The rule that leads to API servers. */
const rule = (name: string, frontendPort: number, backendPort: number) => ({
  name,
  properties: { frontendPort, backendPort },
});

/** API servers that are reached from everywhere. */
export const publicModes: readonly Mode[] = [
  {
    title: "a public API server",
    name: "open",
    number: 1,
    made: publicCluster("open"),
    bodies: {
      "open/loadBalancers/open-public-lb": {
        properties: {
          loadBalancingRules: [rule("LBRuleHTTPS", 6443, 6443)],
          probes: [{ name: "HTTPSProbe", properties: { port: 6443, requestPath: "/readyz" } }],
          outboundRules: [{ name: "OutboundNATAllProtocols" }],
        },
      },
      "open/publicIPAddresses/pip-open-apiserver": { zones: ["1", "2", "3"] },
    },
    endpoint: { host: host("open-ef32261a"), port: 6443 },
    zones: threeZones,
    conditions: lbs,
  },
  {
    title: "an API server with an internal load balancer beside the public one",
    name: "both",
    number: 4,
    spec: {
      networkSpec: {
        apiServerLB: {
          frontendIPs: [
            { name: "outside", publicIP: { name: "pip-both-apiserver" } },
            { name: "inside", privateIP: "10.0.0.50" },
          ],
        },
      },
    },
    made: [...publicCluster("both"), "both/loadBalancers/both-public-lb-internal"],
    bodies: {
      "both/loadBalancers/both-public-lb": { properties: { frontendIPConfigurations: [{ name: "outside" }] } },
      "both/loadBalancers/both-public-lb-internal": {
        properties: {
          frontendIPConfigurations: [{ name: "inside", properties: { privateIPAddress: "10.0.0.50" } }],
          backendAddressPools: [{ name: "both-public-lb-backendPool-internal" }],
          loadBalancingRules: [rule("LBRuleHTTPS", 6443, 6443)],
        },
      },
    },
    endpoint: { host: host("both-99558303"), port: 6443 },
    zones: threeZones,
    conditions: lbs,
  },
  withIpv6("six", 5, "IPv6", "six-2ade0b80", {
    pods: { cidrBlocks: ["2001:1234:5678:9a40::/58"] },
    services: { cidrBlocks: ["fd00::/108"] },
  }),
  withIpv6("dual", 6, "dual-stack", "dual-702ffa5b", {
    pods: { cidrBlocks: ["192.168.0.0/16", "2001:1234:5678:9a40::/58"] },
    services: { cidrBlocks: ["10.96.0.0/12", "fd00::/108"] },
  }),
  {
    title: "an endpoint with a host and a port of the user's",
    name: "named",
    number: 11,
    spec: { controlPlaneEndpoint: { host: "api.example.com", port: 443 } },
    made: publicCluster("named"),
    bodies: {
      "named/loadBalancers/named-public-lb": {
        properties: {
          loadBalancingRules: [rule("LBRuleHTTPS", 443, 6443)],
          probes: [{ name: "HTTPSProbe", properties: { port: 6443 } }],
        },
      },
    },
    endpoint: { host: "api.example.com", port: 443 },
    zones: threeZones,
    conditions: lbs,
  },
  {
    title: "an endpoint of which the user gives only the port",
    name: "halfway",
    number: 12,
    spec: { controlPlaneEndpoint: { host: "", port: 8443 } },
    made: publicCluster("halfway"),
    bodies: {
      "halfway/loadBalancers/halfway-public-lb": {
        properties: { loadBalancingRules: [rule("LBRuleHTTPS", 8443, 6443)] },
      },
    },
    endpoint: { host: host("halfway-f765362c"), port: 8443 },
    zones: threeZones,
    conditions: lbs,
  },
  {
    title: "API servers that listen on another port",
    name: "port",
    number: 19,
    clusterNetwork: { apiServerPort: 8443 },
    made: publicCluster("port"),
    bodies: {
      "port/loadBalancers/port-public-lb": {
        properties: {
          loadBalancingRules: [rule("LBRuleHTTPS", 8443, 8443)],
          probes: [{ name: "HTTPSProbe", properties: { port: 8443 } }],
        },
      },
      "port/networkSecurityGroups/port-controlplane-nsg": {
        properties: {
          securityRules: [
            { name: "allow_ssh", properties: { destinationPortRange: "22", priority: 2200 } },
            { name: "allow_apiserver", properties: { destinationPortRange: "8443", priority: 2201 } },
          ],
        },
      },
    },
    endpoint: { host: host("port-f045be91"), port: 8443 },
    zones: threeZones,
    conditions: lbs,
  },
  {
    title: "more ports at the API server's load balancer",
    name: "more-ports",
    number: 20,
    spec: {
      networkSpec: {
        additionalAPIServerLBPorts: [
          { name: "rke2", port: 9345 },
          { name: "konnectivity", port: 8132 },
        ],
      },
    },
    made: publicCluster("more-ports"),
    bodies: {
      "more-ports/loadBalancers/more-ports-public-lb": {
        properties: {
          loadBalancingRules: [
            rule("LBRuleHTTPS", 6443, 6443),
            rule("rke2", 9345, 9345),
            rule("konnectivity", 8132, 8132),
          ],
        },
      },
    },
    endpoint: { host: host("more-ports-b534f15f"), port: 6443 },
    zones: threeZones,
    conditions: lbs,
  },
  {
    title: "an AzureCluster of a class, named otherwise than its Cluster",
    name: "classy",
    number: 18,
    azureCluster: "classy-x7k2p",
    made: publicCluster("classy-x7k2p"),
    bodies: {
      "classy-x7k2p/virtualNetworks/classy-x7k2p-vnet": {
        tags: { "sigs.k8s.io_cluster-api-provider-azure_cluster_classy": "owned" },
      },
    },
    endpoint: { host: host("classy-2c271a20"), port: 6443 },
    zones: threeZones,
    conditions: lbs,
  },
  ...(
    [
      ["many-out", 22, 3, "many-out-8fa70d51"],
      ["none-out", 23, 0, "none-out-6b480004"],
    ] as const
  ).map(
    ([name, number, count, label]): Mode => ({
      title: `${count} addresses for the way out of nodes`,
      name,
      number,
      spec: { networkSpec: { nodeOutboundLB: { frontendIPsCount: count } } },
      made: [...publicCluster(name), ...nodeOutbound(name, count)],
      endpoint: { host: host(label), port: 6443 },
      zones: threeZones,
      conditions: lbs,
    }),
  ),
  {
    title: "several subnets of nodes",
    name: "pools",
    number: 21,
    spec: {
      networkSpec: {
        subnets: [
          { name: "pools-controlplane-subnet", role: "control-plane" },
          { name: "pools-node-subnet", role: "node" },
          { name: "gpu", role: "node", securityGroup: { name: "gpu-nsg" }, routeTable: { name: "gpu-routes" } },
          { name: "bare", role: "node", natGateway: { name: "bare-gateway", ip: { name: "bare-ip" } } },
        ],
      },
    },
    made: [
      ...network("pools"),
      ...publicApiServer("pools"),
      "pools/virtualNetworks/pools-vnet/subnets/gpu",
      "pools/virtualNetworks/pools-vnet/subnets/bare",
      "pools/networkSecurityGroups/gpu-nsg",
      "pools/routeTables/gpu-routes",
      ...["1", "2"].flatMap((at) => [
        `pools/natGateways/pools-node-natgw-${at}`,
        `pools/publicIPAddresses/pip-pools-node-natgw-${at}`,
      ]),
      "pools/natGateways/bare-gateway",
      "pools/publicIPAddresses/bare-ip",
    ],
    bodies: {
      "pools/virtualNetworks/pools-vnet/subnets/pools-node-subnet": { properties: { addressPrefix: "10.1.0.0/16" } },
      "pools/virtualNetworks/pools-vnet/subnets/gpu": { properties: { addressPrefix: "10.2.0.0/16" } },
      "pools/virtualNetworks/pools-vnet/subnets/bare": { properties: { addressPrefix: "10.3.0.0/16" } },
    },
    endpoint: { host: host("pools-cebcd2f2"), port: 6443 },
    zones: threeZones,
    conditions: lbs,
  },
];
