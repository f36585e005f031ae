import type { NetworkSpec } from "../api/azureCluster.ts";
import type { LoadBalancerSpec } from "../api/loadBalancer.ts";
import type { Frontend, LoadBalancer } from "../services/scope.ts";
import { isInternal } from "./apiServerLoadBalancers.ts";
import { hasIpv6 } from "./cidr.ts";
import { given } from "./given.ts";
import { addressFor, idleTimeoutOf } from "./loadBalancerParts.ts";
import { names } from "./names.ts";
import { publicIp } from "./publicIpDefaults.ts";
import type { ClusterFacts, SettledSubnet } from "./settled.ts";

interface OutboundNames {
  readonly role: "nodeOutbound" | "controlPlaneOutbound";
  readonly loadBalancer: string;
  readonly pool: (loadBalancer: string) => string;
  readonly publicIp: (index?: number) => string;
}

const nodeNames = ({ name }: ClusterFacts): OutboundNames => ({
  role: "nodeOutbound",
  loadBalancer: names.loadBalancer.nodeOutbound(name),
  pool: names.backendPool.nodeOutbound,
  publicIp: (index) => names.publicIp.nodeOutbound(name, index),
});

const controlPlaneNames = ({ name }: ClusterFacts): OutboundNames => ({
  role: "controlPlaneOutbound",
  loadBalancer: names.loadBalancer.controlPlaneOutbound(name),
  pool: () => names.backendPool.controlPlaneOutbound(name),
  publicIp: (index) => names.publicIp.controlPlaneOutbound(name, index),
});

/**
 * Frontends that only lead out. Listed ones stay as they are; `frontendIPsCount` adds to them or takes from their end.
 * Numbers go from 1, and a single generated one has none.
 */
const frontendsOf = (
  facts: ClusterFacts,
  lb: LoadBalancerSpec,
  lbName: string,
  by: OutboundNames,
): readonly Frontend[] => {
  const listed = (lb.frontendIPs ?? []).filter((it) => it.publicIP !== undefined);
  const count = lb.frontendIPsCount ?? Math.max(1, listed.length);
  const single = count === 1 && listed.length === 0;
  return Array.from({ length: Math.max(0, count) }, (_, at) => {
    const index = single ? undefined : at + 1;
    const ip = publicIp(listed[at]?.publicIP, by.publicIp(index), facts.zones);
    return {
      kind: "public",
      name: listed[at]?.name ?? names.frontend(lbName, index),
      publicIp: addressFor(facts, lb, ip),
    };
  });
};

const settle = (facts: ClusterFacts, lb: LoadBalancerSpec, by: OutboundNames): LoadBalancer => {
  const name = given(lb.name) ?? by.loadBalancer;
  return {
    name,
    role: by.role,
    frontends: frontendsOf(facts, lb, name, by),
    backendPool: given(lb.backendPool?.name) ?? by.pool(name),
    idleTimeoutInMinutes: idleTimeoutOf(lb),
    ports: [],
  };
};

/** Machines with an IPv6 range have no NAT gateway, so a public cluster gives them a load balancer for the way out. */
const nodeSpec = (
  facts: ClusterFacts,
  network: NetworkSpec,
  subnets: readonly SettledSubnet[],
): LoadBalancerSpec | undefined => {
  if (network.nodeOutboundLB !== undefined) return network.nodeOutboundLB;
  const machines = subnets.filter(({ role }) => role === "node" || role === "cluster");
  const ipv6 = machines.some(({ cidrBlocks }) => hasIpv6(cidrBlocks.value));
  return facts.controlPlaneEnabled && !isInternal(network.apiServerLB) && ipv6 ? {} : undefined;
};

/** Load balancers through which machines reach out, for nodes and, in private clusters, for the control plane. */
export const outboundLoadBalancers = (
  facts: ClusterFacts,
  network: NetworkSpec,
  subnets: readonly SettledSubnet[],
): readonly LoadBalancer[] => {
  const nodes = nodeSpec(facts, network, subnets);
  const controlPlane = facts.controlPlaneEnabled ? network.controlPlaneOutboundLB : undefined;
  return [
    ...(nodes === undefined ? [] : [settle(facts, nodes, nodeNames(facts))]),
    ...(controlPlane === undefined ? [] : [settle(facts, controlPlane, controlPlaneNames(facts))]),
  ];
};
