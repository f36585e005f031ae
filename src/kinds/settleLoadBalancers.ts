import type { NetworkSpec } from "../api/cluster/azureCluster.ts";
import type { FrontendIpSpec, LoadBalancerSpec } from "../api/cluster/loadBalancer.ts";
import type { PublicIpSpec } from "../api/cluster/network.ts";
import type { ForwardedPort, Frontend, LoadBalancer, PublicIp } from "../services/scope.ts";
import { isInternal } from "./apiServerDefaults.ts";
import { chosen } from "./asked.ts";
import type { CompleteLoadBalancer, CompleteNetwork } from "./complete.ts";
import { given } from "./given.ts";
import { names } from "./names.ts";
import { leadingOut } from "./outboundDefaults.ts";
import { controlPlaneRole } from "./securityRuleDefaults.ts";
import type { ClusterFacts, SettledSubnet } from "./settled.ts";
import { settlePublicIp } from "./settlePublicIp.ts";

/** Zones that a load balancer asks for. */
const zonesOf = (lb: LoadBalancerSpec): readonly string[] | undefined =>
  lb.availabilityZones === undefined || lb.availabilityZones.length === 0 ? undefined : lb.availabilityZones;

/** An address of a load balancer: in the zones that it asks for, and at the edge when the cluster is. */
const addressOf = (
  facts: ClusterFacts,
  lb: LoadBalancerSpec,
  ip: PublicIpSpec,
  said: PublicIpSpec | undefined,
): PublicIp => {
  const zones = zonesOf(lb);
  return {
    ...settlePublicIp(facts, ip, said),
    ...(zones !== undefined && { zones: { value: zones, asked: true } }),
    ...(facts.extendedLocation !== undefined && { extendedLocation: facts.extendedLocation }),
  };
};

const portsOf = (facts: ClusterFacts, network: NetworkSpec): readonly ForwardedPort[] => {
  const { apiServerPort, endpointPort } = facts;
  // An endpoint port that equals the API server's is what we wrote there ourselves.
  const own = endpointPort === undefined || endpointPort === apiServerPort.value;
  const additional = (network.additionalAPIServerLBPorts ?? []).map(({ name, port }) => {
    const asked = { value: port, asked: true };
    return { name, frontendPort: asked, backendPort: asked };
  });
  return [
    {
      name: "LBRuleHTTPS",
      frontendPort: own ? apiServerPort : { value: endpointPort, asked: true },
      backendPort: apiServerPort,
    },
    ...additional,
  ];
};

/** A load balancer of the complete form beside what the spec itself says of it. */
interface Both {
  readonly lb: CompleteLoadBalancer;
  readonly said: LoadBalancerSpec | undefined;
}

/** Whether the spec has the cluster found under another name than that of this address. */
const isFoundElsewhere = ({ dnsName }: PublicIp, host: string | undefined): boolean =>
  given(host) !== undefined && dnsName !== undefined && dnsName.value.toLowerCase() !== host?.toLowerCase();

const outsideOf = (facts: ClusterFacts, { lb, said }: Both, host: string | undefined): readonly Frontend[] => {
  const at = lb.frontendIPs.findIndex(({ publicIP }) => publicIP !== undefined);
  const { name, publicIP } = lb.frontendIPs[at] ?? {};
  if (name === undefined || publicIP === undefined) return [];
  const publicIp = addressOf(facts, lb, publicIP, said?.frontendIPs?.[at]?.publicIP);
  return [
    {
      kind: "public",
      name,
      publicIp: isFoundElsewhere(publicIp, host) ? { ...publicIp, isFoundElsewhere: true } : publicIp,
    },
  ];
};

const insideOf = ({ lb, said }: Both, subnet: string): readonly Frontend[] => {
  const at = lb.frontendIPs.findIndex(({ privateIP }) => given(privateIP) !== undefined);
  const { name, privateIP } = lb.frontendIPs[at] ?? {};
  return name === undefined || privateIP === undefined
    ? []
    : [{ kind: "private", name, address: chosen(privateIP, said?.frontendIPs?.[at]?.privateIP), subnet }];
};

/** The subnet in which private frontends and control-plane machines live. */
export const controlPlaneSubnetOf = (subnets: readonly SettledSubnet[]): SettledSubnet | undefined =>
  subnets.find(({ role }) => role === controlPlaneRole(subnets));

/**
 * Load balancers of the API server: one, or two when a public one also lists a frontend with a private address, which
 * is then reached inside the virtual network without leaving it.
 */
const apiServerLBs = (
  facts: ClusterFacts,
  network: NetworkSpec,
  both: Both & { readonly host: string | undefined },
  subnets: readonly SettledSubnet[],
): readonly LoadBalancer[] => {
  const { lb, said, host } = both;
  const internal = isInternal(lb);
  const inside = insideOf(both, controlPlaneSubnetOf(subnets)?.name ?? "");
  const zones = zonesOf(lb);
  const main: LoadBalancer = {
    name: lb.name,
    role: "apiserver",
    frontends: internal ? inside : outsideOf(facts, both, host),
    ...(zones !== undefined && { zones }),
    backendPool: lb.backendPool.name,
    idleTimeoutInMinutes: chosen(lb.idleTimeoutInMinutes, said?.idleTimeoutInMinutes),
    ports: portsOf(facts, network),
    probedPort: facts.apiServerPort,
  };
  if (internal || inside.length === 0) return [main];
  const name = names.loadBalancer.besidePublic(lb.name);
  const backendPool = names.backendPool.besidePublic(lb.backendPool.name);
  return [main, { ...main, name, role: "apiserver-internal", frontends: inside, backendPool }];
};

/** Of the frontends that lead out, as many as are counted. */
const outbound = (facts: ClusterFacts, role: LoadBalancer["role"], { lb, said }: Both): LoadBalancer => {
  const saidOut = leadingOut(said?.frontendIPs ?? []);
  const frontend = ({ name, publicIP }: FrontendIpSpec, index: number): readonly Frontend[] =>
    publicIP === undefined
      ? []
      : [{ kind: "public", name, publicIp: addressOf(facts, lb, publicIP, saidOut[index]?.publicIP) }];
  return {
    name: lb.name,
    role,
    frontends: leadingOut(lb.frontendIPs)
      .flatMap(frontend)
      .slice(0, Math.max(0, lb.frontendIPsCount ?? 0)),
    backendPool: lb.backendPool.name,
    idleTimeoutInMinutes: chosen(lb.idleTimeoutInMinutes, said?.idleTimeoutInMinutes),
    ports: [],
  };
};

/** All load balancers of a cluster. `said`: the network, and the host of the endpoint, as the spec itself has them. */
export const settleLoadBalancers = (
  facts: ClusterFacts,
  network: CompleteNetwork,
  { network: said, host }: { readonly network: NetworkSpec; readonly host: string | undefined },
  subnets: readonly SettledSubnet[],
): readonly LoadBalancer[] => {
  const { apiServerLB, nodeOutboundLB, controlPlaneOutboundLB } = network;
  const controlPlane = (lb: CompleteLoadBalancer | undefined): lb is CompleteLoadBalancer =>
    facts.controlPlaneEnabled && lb !== undefined;
  return [
    ...(controlPlane(apiServerLB)
      ? apiServerLBs(facts, network, { lb: apiServerLB, said: said.apiServerLB, host }, subnets)
      : []),
    ...(nodeOutboundLB === undefined
      ? []
      : [outbound(facts, "nodeOutbound", { lb: nodeOutboundLB, said: said.nodeOutboundLB })]),
    ...(controlPlane(controlPlaneOutboundLB)
      ? [outbound(facts, "controlPlaneOutbound", { lb: controlPlaneOutboundLB, said: said.controlPlaneOutboundLB })]
      : []),
  ];
};
