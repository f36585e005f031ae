import type { NetworkSpec } from "../api/azureCluster.ts";
import type { FrontendIpSpec, LoadBalancerSpec } from "../api/loadBalancer.ts";
import type { ForwardedPort, Frontend, LoadBalancer, PublicIp } from "../services/scope.ts";
import { apiServerHost } from "./apiServerHost.ts";
import { given } from "./given.ts";
import { addressFor, idleTimeoutOf, zonesOf } from "./loadBalancerParts.ts";
import { names } from "./names.ts";
import { publicIp } from "./publicIpDefaults.ts";
import type { ClusterFacts, SettledSubnet } from "./settled.ts";

/** Address of an internal API server where the spec names none: inside the default control-plane subnet. */
const defaultPrivateIp = "10.0.0.100";

/** Whether the API server is reached from inside only. */
export const isInternal = (lb: LoadBalancerSpec | undefined): boolean => given(lb?.type) === "Internal";

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

const withHost = (facts: ClusterFacts, ip: PublicIp): PublicIp =>
  ip.dnsName === undefined
    ? { ...ip, dnsName: { value: apiServerHost({ ...facts, publicIp: ip.name }), asked: false } }
    : ip;

const publicFrontend = (facts: ClusterFacts, lb: LoadBalancerSpec, lbName: string): Frontend => {
  const listed = lb.frontendIPs?.find((it) => it.publicIP !== undefined);
  const ip = publicIp(listed?.publicIP, names.publicIp.apiServer(facts.name), facts.zones);
  return {
    kind: "public",
    name: listed?.name ?? names.frontend(lbName),
    publicIp: withHost(facts, addressFor(facts, lb, ip)),
  };
};

const privateFrontend = (listed: FrontendIpSpec | undefined, lbName: string, subnet: string): Frontend => {
  const asked = given(listed?.privateIP);
  return {
    kind: "private",
    name: listed?.name ?? names.frontend(lbName),
    address: asked === undefined ? { value: defaultPrivateIp, asked: false } : { value: asked, asked: true },
    subnet,
  };
};

/** The subnet in which private frontends and control-plane machines live. */
export const controlPlaneSubnetOf = (subnets: readonly SettledSubnet[]): SettledSubnet | undefined =>
  subnets.find(({ role }) => role === "control-plane") ?? subnets.find(({ role }) => role === "cluster");

/**
 * Load balancers of the API server: one, or two when a public one also lists a frontend with a private address, which
 * is then reached inside the virtual network without leaving it.
 */
export const apiServerLoadBalancers = (
  facts: ClusterFacts,
  network: NetworkSpec,
  subnets: readonly SettledSubnet[],
): readonly LoadBalancer[] => {
  const lb = network.apiServerLB ?? {};
  const internal = isInternal(lb);
  const kind = internal ? names.loadBalancer.internalApiServer : names.loadBalancer.publicApiServer;
  const name = given(lb.name) ?? kind(facts.name);
  const backendPool = given(lb.backendPool?.name) ?? names.backendPool.apiServer(name);
  const listedPrivate = lb.frontendIPs?.find((it) => given(it.privateIP) !== undefined);
  const subnet = controlPlaneSubnetOf(subnets)?.name ?? "";
  const inside = privateFrontend(listedPrivate ?? (internal ? lb.frontendIPs?.[0] : undefined), name, subnet);
  const zones = zonesOf(lb);
  const main: LoadBalancer = {
    name,
    role: "apiserver",
    frontends: [internal ? inside : publicFrontend(facts, lb, name)],
    ...(zones !== undefined && { zones }),
    backendPool,
    idleTimeoutInMinutes: idleTimeoutOf(lb),
    ports: portsOf(facts, network),
    probedPort: facts.apiServerPort,
  };
  if (internal || listedPrivate === undefined) return [main];
  const besideName = names.loadBalancer.besidePublic(name);
  const besidePool = names.backendPool.besidePublic(backendPool);
  return [
    main,
    { ...main, name: besideName, role: "apiserver-internal", frontends: [inside], backendPool: besidePool },
  ];
};
