import type { NetworkSpec } from "../api/cluster/azureCluster.ts";
import type { FrontendIpSpec, LoadBalancerSpec } from "../api/cluster/loadBalancer.ts";
import { isInternal, withSettings } from "./apiServerDefaults.ts";
import { hasIpv6 } from "./cidr.ts";
import type { CompleteLoadBalancer, CompleteNetwork, CompleteSubnet } from "./complete.ts";
import { given } from "./given.ts";
import { names } from "./names.ts";
import type { ClusterFacts } from "./settled.ts";
import { hasOwnGateway } from "./subnetDefaults.ts";

interface OutboundNames {
  readonly loadBalancer: string;
  readonly pool: (loadBalancer: string) => string;
  readonly publicIp: (index?: number) => string;
}

const nodeNames = ({ name }: ClusterFacts): OutboundNames => ({
  loadBalancer: names.loadBalancer.nodeOutbound(name),
  pool: names.backendPool.nodeOutbound,
  publicIp: (index) => names.publicIp.nodeOutbound(name, index),
});

const controlPlaneNames = ({ name }: ClusterFacts): OutboundNames => ({
  loadBalancer: names.loadBalancer.controlPlaneOutbound(name),
  pool: () => names.backendPool.controlPlaneOutbound(name),
  publicIp: (index) => names.publicIp.controlPlaneOutbound(name, index),
});

/** The frontends of a load balancer that lead out. */
export const leadingOut = (frontends: readonly FrontendIpSpec[]): readonly FrontendIpSpec[] =>
  frontends.filter(({ publicIP }) => publicIP !== undefined);

const frontendOf = (listed: FrontendIpSpec | undefined, lbName: string, by: OutboundNames, index?: number) => ({
  ...listed,
  name: given(listed?.name) ?? names.frontend(lbName, index),
  publicIP: { ...listed?.publicIP, name: given(listed?.publicIP?.name) ?? by.publicIp(index) },
});

/**
 * Frontends that only lead out. Listed ones stay as they are; more are added up to the count. Numbers go from 1, and a
 * single generated one has none.
 */
const frontendsOf = (
  listed: readonly FrontendIpSpec[],
  count: number,
  lbName: string,
  by: OutboundNames,
): readonly FrontendIpSpec[] => {
  const out = leadingOut(listed);
  const single = count === 1 && out.length === 0;
  return [
    ...listed.map((it) => (it.publicIP === undefined ? it : frontendOf(it, lbName, by, out.indexOf(it) + 1))),
    ...Array.from({ length: Math.max(0, count - out.length) }, (_, at) =>
      frontendOf(undefined, lbName, by, single ? undefined : out.length + at + 1),
    ),
  ];
};

const complete = (lb: LoadBalancerSpec, by: OutboundNames): CompleteLoadBalancer => {
  const name = given(lb.name) ?? by.loadBalancer;
  const listed = lb.frontendIPs ?? [];
  const frontendIPsCount = lb.frontendIPsCount ?? Math.max(1, leadingOut(listed).length);
  return {
    ...withSettings(lb, name),
    frontendIPsCount,
    frontendIPs: frontendsOf(listed, frontendIPsCount, name, by),
    backendPool: { name: given(lb.backendPool?.name) ?? by.pool(name) },
  };
};

/** Machines with an IPv6 range have no NAT gateway, so a public cluster gives them a load balancer for the way out. */
const nodeSpec = (
  facts: ClusterFacts,
  network: NetworkSpec,
  subnets: readonly CompleteSubnet[],
): LoadBalancerSpec | undefined => {
  if (network.nodeOutboundLB !== undefined) return network.nodeOutboundLB;
  const ipv6 = subnets.some((subnet) => hasOwnGateway(subnet) && hasIpv6(subnet.cidrBlocks));
  return facts.controlPlaneEnabled && !isInternal(network.apiServerLB) && ipv6 ? {} : undefined;
};

/** Load balancers through which machines reach out, for nodes and, in private clusters, for the control plane. */
export const completeOutboundLBs = (
  facts: ClusterFacts,
  network: NetworkSpec,
  subnets: readonly CompleteSubnet[],
): Pick<CompleteNetwork, "nodeOutboundLB" | "controlPlaneOutboundLB"> => {
  const nodes = nodeSpec(facts, network, subnets);
  const controlPlane = network.controlPlaneOutboundLB;
  return {
    ...(nodes !== undefined && { nodeOutboundLB: complete(nodes, nodeNames(facts)) }),
    ...(controlPlane !== undefined && { controlPlaneOutboundLB: complete(controlPlane, controlPlaneNames(facts)) }),
  };
};
