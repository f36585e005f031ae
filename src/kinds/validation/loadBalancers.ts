import type { NetworkSpec } from "../../api/azureCluster.ts";
import type { LoadBalancerSpec } from "../../api/loadBalancer.ts";
import type { Problem } from "../../core/kind.ts";
import { isInternal } from "../apiServerDefaults.ts";
import { holds, isReserved, parseAddress, parseCidr } from "../cidr.ts";
import { given } from "../given.ts";
import { invalid } from "../problem.ts";
import type { SettledNetwork } from "../settled.ts";
import { checkName, networkName, repeated } from "./patterns.ts";

const path = "spec.networkSpec";

const checkCommon = (at: string, lb: LoadBalancerSpec): readonly Problem[] => {
  const { idleTimeoutInMinutes: idle } = lb;
  const sku = given(lb.sku);
  return [
    ...(given(lb.name) === undefined ? [] : checkName(`${at}.name`, lb.name ?? "", networkName)),
    ...(sku === undefined || sku === "Standard" ? [] : [invalid(`${at}.sku`, sku, "must be Standard")]),
    ...(idle === undefined || (idle >= 4 && idle <= 30)
      ? []
      : [invalid(`${at}.idleTimeoutInMinutes`, idle, "must be from 4 to 30")]),
    ...repeated((lb.frontendIPs ?? []).map(({ name }) => name)).map((name) =>
      invalid(`${at}.frontendIPs`, name, "is the name of several frontends: names must differ"),
    ),
  ];
};

/** A private address must be one that Azure can give out in the control-plane subnet. */
const checkPrivateAddress = (at: string, text: string, network: SettledNetwork): readonly Problem[] => {
  const address = parseAddress(text);
  if (address === undefined) return [invalid(at, text, "must be an IP address")];
  const home = network.subnets.filter(({ role }) => role === "control-plane" || role === "cluster");
  const ranges = home.flatMap(({ cidrBlocks }) => cidrBlocks.value).flatMap((cidr) => parseCidr(cidr) ?? []);
  const cidrs = home.flatMap(({ cidrBlocks }) => cidrBlocks.value).join(", ");
  if (!ranges.some((range) => holds(range, address))) {
    return [invalid(at, text, `must lie inside the control-plane subnet ${cidrs}`)];
  }
  return ranges.some((range) => isReserved(range, address))
    ? [invalid(at, text, "is an address that Azure keeps for itself: the first four and the last of a subnet")]
    : [];
};

const checkPublicFrontends = (at: string, lb: LoadBalancerSpec): readonly Problem[] => {
  const frontends = lb.frontendIPs ?? [];
  const publicOnes = frontends.filter(({ publicIP }) => publicIP !== undefined);
  const privateOnes = frontends.filter(({ privateIP }) => given(privateIP) !== undefined);
  const count = lb.frontendIPsCount;
  return [
    ...(frontends.length === 0 || publicOnes.length === 1
      ? []
      : [invalid(`${at}.frontendIPs`, publicOnes.length, "frontends have a publicIP: exactly one must")]),
    ...(privateOnes.length <= 1
      ? []
      : [invalid(`${at}.frontendIPs`, privateOnes.length, "frontends have a privateIP: at most one may")]),
    ...(count === undefined || count === 1 ? [] : [invalid(`${at}.frontendIPsCount`, count, "must be 1 or absent")]),
  ];
};

const checkInternalFrontends = (at: string, lb: LoadBalancerSpec): readonly Problem[] => {
  const frontends = lb.frontendIPs ?? [];
  return [
    ...(frontends.length <= 1
      ? []
      : [invalid(`${at}.frontendIPs`, frontends.length, "frontends: an internal load balancer must have one")]),
    ...(frontends.every(({ publicIP }) => publicIP === undefined)
      ? []
      : [invalid(`${at}.frontendIPs`, "publicIP", "must not be on an internal load balancer")]),
  ];
};

const checkApiServer = (spec: NetworkSpec, network: SettledNetwork): readonly Problem[] => {
  const at = `${path}.apiServerLB`;
  const lb = spec.apiServerLB ?? {};
  const type = given(lb.type);
  const addresses = network.loadBalancers.flatMap(({ frontends }) =>
    frontends.flatMap((frontend) => (frontend.kind === "private" ? [frontend.address.value] : [])),
  );
  return [
    ...checkCommon(at, lb),
    ...(type === undefined || type === "Public" || type === "Internal"
      ? []
      : [invalid(`${at}.type`, type, "must be Public or Internal")]),
    ...(isInternal(lb) ? checkInternalFrontends(at, lb) : checkPublicFrontends(at, lb)),
    ...addresses.flatMap((address) => checkPrivateAddress(`${at}.frontendIPs`, address, network)),
  ];
};

/** Azure takes 16 addresses for outbound rules of one load balancer here. */
const mostOutboundFrontends = 16;

const checkOutbound = (at: string, lb: LoadBalancerSpec | undefined): readonly Problem[] => {
  if (lb === undefined) return [];
  const count = lb.frontendIPsCount ?? lb.frontendIPs?.length ?? 1;
  const privateOnes = (lb.frontendIPs ?? []).filter(({ publicIP }) => publicIP === undefined);
  return [
    ...checkCommon(at, lb),
    ...(count >= 0 && count <= mostOutboundFrontends
      ? []
      : [invalid(`${at}.frontendIPsCount`, count, `must be from 0 to ${mostOutboundFrontends}`)]),
    ...privateOnes.map(({ name }) => invalid(`${at}.frontendIPs`, name, "must have a publicIP")),
  ];
};

const checkPorts = (spec: NetworkSpec, network: SettledNetwork): readonly Problem[] => {
  const at = `${path}.additionalAPIServerLBPorts`;
  const listed = spec.additionalAPIServerLBPorts ?? [];
  const [lb] = network.loadBalancers.filter(({ role }) => role === "apiserver");
  const rules = lb?.ports ?? [];
  return [
    ...listed
      .filter(({ port }) => port < 1 || port > 65_535)
      .map(({ port }) => invalid(at, port, "must be from 1 to 65535")),
    ...listed.flatMap(({ name }, index) => checkName(`${at}[${index}].name`, name, networkName)),
    ...repeated(rules.map(({ name }) => name)).map((name) =>
      invalid(at, name, "is the name of several rules: names must differ"),
    ),
    ...repeated(rules.map(({ frontendPort }) => String(frontendPort.value))).map((port) =>
      invalid(at, Number(port), "is forwarded twice: ports must differ from each other and from the API server's"),
    ),
  ];
};

/** Load balancers of the API server and for outbound traffic. */
export const checkLoadBalancers = (
  spec: NetworkSpec,
  network: SettledNetwork,
  controlPlaneEnabled: boolean,
): readonly Problem[] => [
  ...(controlPlaneEnabled ? checkApiServer(spec, network) : []),
  ...(controlPlaneEnabled ? checkPorts(spec, network) : []),
  ...checkOutbound(`${path}.nodeOutboundLB`, spec.nodeOutboundLB),
  ...checkOutbound(`${path}.controlPlaneOutboundLB`, spec.controlPlaneOutboundLB),
  ...(controlPlaneEnabled && spec.controlPlaneOutboundLB !== undefined && !isInternal(spec.apiServerLB)
    ? [
        invalid(
          `${path}.controlPlaneOutboundLB`,
          "set",
          "must be absent when apiServerLB is Public: the control plane reaches out through that one",
        ),
      ]
    : []),
  ...network.loadBalancers.flatMap(({ name, backendPool, frontends }) => [
    ...checkName("load balancer", name, networkName),
    ...checkName(`backend pool of ${name}`, backendPool, networkName),
    ...frontends.flatMap((frontend) => checkName(`frontend of ${name}`, frontend.name, networkName)),
  ]),
  ...repeated(network.loadBalancers.map(({ name }) => name)).map((name) =>
    invalid(path, name, "is the name of several load balancers: names must differ"),
  ),
];
