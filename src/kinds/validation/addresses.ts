import { beginsAtNetwork, contains, overlap, parseCidr } from "../cidr.ts";
import type { SettledNetwork, SettledSubnet } from "../settled.ts";
import { clusterRules } from "./clusterRules.ts";
import { type Broken, broken } from "./turnRule.ts";

const parsed = (cidrs: readonly string[]) => cidrs.flatMap((cidr) => parseCidr(cidr) ?? []);

/** Of texts that are ranges; others are for the definition. */
const notAtNetwork = (cidrs: readonly string[]) =>
  cidrs
    .map((cidr, index) => ({ cidr, index }))
    .filter(({ cidr }) => parseCidr(cidr) !== undefined && !beginsAtNetwork(cidr));

/** Whether the network is in a group of its own, and so may have been there before. */
export const isElsewhere = ({ vnet }: SettledNetwork, resourceGroup: string): boolean =>
  vnet.resourceGroup.toLowerCase() !== resourceGroup.toLowerCase();

const checkSubnet = (subnet: SettledSubnet, network: SettledNetwork, elsewhere: boolean): readonly Broken[] => {
  const { value: cidrs, asked } = subnet.cidrBlocks;
  const path = `${subnet.path}.cidrBlocks`;
  // Of a network that may be there already only what the spec says of it is held to anything.
  if (elsewhere && !asked) return [];
  if (cidrs.length === 0) return [broken(clusterRules.subnetRange, path, undefined, subnet.role)];
  // Listed ranges are held to the network by the definition.
  if (asked) {
    return notAtNetwork(cidrs).map(({ cidr, index }) =>
      broken(clusterRules.subnetNetworkAddress, `${path}[${index}]`, cidr),
    );
  }
  const vnetCidrs = network.vnet.cidrBlocks.value;
  const ranges = parsed(vnetCidrs);
  const outside = cidrs.filter(
    (cidr) => !parsed([cidr]).every((range) => ranges.some((vnet) => contains(vnet, range))),
  );
  return ranges.length < vnetCidrs.length
    ? []
    : outside.map((cidr) =>
        broken(clusterRules.subnetInNetwork, path, undefined, `${cidr} in ${vnetCidrs.join(", ")}`),
      );
};

interface Placed {
  readonly subnet: SettledSubnet;
  readonly cidr: string;
}

const overlaps = (a: Placed, b: Placed): boolean => {
  const [left, right] = [parseCidr(a.cidr), parseCidr(b.cidr)];
  return left !== undefined && right !== undefined && overlap(left, right);
};

/** Listed ranges are compared by the definition, so one of a pair is a default. */
const isOurs = (a: Placed, b: Placed): boolean => !a.subnet.cidrBlocks.asked || !b.subnet.cidrBlocks.asked;

const checkOverlaps = (subnets: readonly SettledSubnet[]): readonly Broken[] => {
  const placed = subnets.flatMap((subnet) => subnet.cidrBlocks.value.map((cidr): Placed => ({ subnet, cidr })));
  return placed.flatMap((one, index) =>
    placed
      .slice(0, index)
      .filter((other) => other.subnet !== one.subnet && isOurs(one, other) && overlaps(one, other))
      .map((other) =>
        broken(
          clusterRules.subnetsApart,
          `${one.subnet.path}.cidrBlocks`,
          one.cidr,
          `${other.cidr} of subnet ${other.subnet.name}`,
        ),
      ),
  );
};

/**
 * Ranges of the virtual network and its subnets as they are with defaults. In a network elsewhere the real ranges of
 * subnets without listed ones are not known, so our guesses are not compared.
 */
export const checkAddresses = (network: SettledNetwork, resourceGroup: string): readonly Broken[] => {
  const elsewhere = isElsewhere(network, resourceGroup);
  const path = "spec.networkSpec.vnet.cidrBlocks";
  return [
    ...notAtNetwork(network.vnet.cidrBlocks.value).map(({ cidr, index }) =>
      broken(clusterRules.networkAddress, `${path}[${index}]`, cidr),
    ),
    ...network.subnets.flatMap((subnet) => checkSubnet(subnet, network, elsewhere)),
    ...(elsewhere ? [] : checkOverlaps(network.subnets)),
  ];
};
