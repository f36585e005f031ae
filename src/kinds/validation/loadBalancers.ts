import { isReserved, parseAddress, parseCidr } from "../cidr.ts";
import type { SettledNetwork } from "../settled.ts";
import { isElsewhere } from "./addresses.ts";
import { clusterRules } from "./clusterRules.ts";
import { repeated } from "./repeated.ts";
import { type Broken, broken } from "./turnRule.ts";

/**
 * A private address must be one that Azure gives out; that it lies in the subnet is for the definition. Ranges that are
 * not listed are not known of a network elsewhere.
 */
const checkPrivateAddress = (text: string, network: SettledNetwork, elsewhere: boolean): readonly Broken[] => {
  const address = parseAddress(text);
  const home = network.subnets.filter(
    ({ role, cidrBlocks }) => (role === "control-plane" || role === "cluster") && (cidrBlocks.asked || !elsewhere),
  );
  const ranges = home.flatMap(({ cidrBlocks }) => cidrBlocks.value).flatMap((cidr) => parseCidr(cidr) ?? []);
  return address !== undefined && ranges.some((range) => isReserved(range, address))
    ? [broken(clusterRules.reservedAddress, "spec.networkSpec.apiServerLB.frontendIPs", text)]
    : [];
};

const checkPrivateAddresses = (network: SettledNetwork, elsewhere: boolean): readonly Broken[] => {
  const frontends = network.loadBalancers.flatMap((lb) => lb.frontends);
  const addresses = frontends.flatMap((frontend) => (frontend.kind === "private" ? [frontend.address.value] : []));
  return addresses.flatMap((address) => checkPrivateAddress(address, network, elsewhere));
};

/**
 * The first port is that of the API server; the others are compared among each other by the definition. Two rules of one
 * load balancer can share neither a port in front nor, as they lead to one pool, a port behind.
 */
const checkPorts = ({ loadBalancers }: SettledNetwork): readonly Broken[] => {
  const [own, ...others] = loadBalancers.find(({ role }) => role === "apiserver")?.ports ?? [];
  return others.flatMap(({ name, frontendPort }, index) =>
    frontendPort.value === own?.frontendPort.value || frontendPort.value === own?.backendPort.value
      ? [
          broken(
            clusterRules.apiServerPorts,
            `spec.networkSpec.additionalAPIServerLBPorts[${index}].port`,
            frontendPort.value,
            name,
          ),
        ]
      : [],
  );
};

/** Load balancers as they are with defaults. */
export const checkLoadBalancers = (network: SettledNetwork, resourceGroup: string): readonly Broken[] => [
  ...checkPrivateAddresses(network, isElsewhere(network, resourceGroup)),
  ...checkPorts(network),
  ...repeated(network.loadBalancers.map(({ name }) => name)).map((name) =>
    broken(clusterRules.loadBalancerNames, "spec.networkSpec", name, "several load balancers have it"),
  ),
];
