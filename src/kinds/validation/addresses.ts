import type { Problem } from "../../core/kind.ts";
import { beginsAtNetwork, contains, overlap, parseCidr } from "../cidr.ts";
import { invalid } from "../problem.ts";
import type { SettledNetwork, SettledSubnet } from "../settled.ts";

const checkCidr = (path: string, cidr: string): readonly Problem[] => {
  if (parseCidr(cidr) === undefined) return [invalid(path, cidr, "must be a CIDR block such as 10.0.0.0/16")];
  if (!beginsAtNetwork(cidr))
    return [invalid(path, cidr, "has bits set behind its prefix: it must begin at its network address")];
  return [];
};

const parsed = (cidrs: readonly string[]) => cidrs.flatMap((cidr) => parseCidr(cidr) ?? []);

const checkSubnet = (subnet: SettledSubnet, network: SettledNetwork): readonly Problem[] => {
  const { value: cidrs, asked } = subnet.cidrBlocks;
  const path = `${subnet.path}.cidrBlocks`;
  if (cidrs.length === 0) return [invalid(path, undefined, `must list a range for subnet ${subnet.name}`)];
  const vnetRanges = parsed(network.vnet.cidrBlocks.value);
  return cidrs.flatMap((cidr, index) => {
    const at = asked ? `${path}[${index}]` : `${path} (default)`;
    const range = parseCidr(cidr);
    const shape = checkCidr(at, cidr);
    if (range === undefined || shape.length > 0) return shape;
    if (range.version === 6 && range.prefixLength !== 64)
      return [invalid(at, cidr, "must have the prefix length 64, as Azure demands of IPv6 subnets")];
    if (range.version === 4 && range.prefixLength > 29)
      return [invalid(at, cidr, "is too small: Azure's smallest IPv4 subnet is a /29")];
    if (vnetRanges.some((vnet) => contains(vnet, range))) return [];
    return [invalid(at, cidr, `must lie inside the virtual network's ${network.vnet.cidrBlocks.value.join(", ")}`)];
  });
};

interface Placed {
  readonly subnet: SettledSubnet;
  readonly cidr: string;
}

const overlaps = (a: Placed, b: Placed): boolean => {
  const [left, right] = [parseCidr(a.cidr), parseCidr(b.cidr)];
  return left !== undefined && right !== undefined && overlap(left, right);
};

/** In a network elsewhere the real ranges of subnets without listed ones are not known, so our guesses are not compared. */
const checkOverlaps = (subnets: readonly SettledSubnet[], elsewhere: boolean): readonly Problem[] => {
  const placed = subnets
    .filter(({ cidrBlocks }) => cidrBlocks.asked || !elsewhere)
    .flatMap((subnet) => subnet.cidrBlocks.value.map((cidr): Placed => ({ subnet, cidr })));
  return placed.flatMap((one, index) =>
    placed
      .slice(0, index)
      .filter((other) => overlaps(one, other))
      .map((other) =>
        invalid(
          `${one.subnet.path}.cidrBlocks`,
          one.cidr,
          `overlaps ${other.cidr} of subnet ${other.subnet.name}: ranges must be apart`,
        ),
      ),
  );
};

const checkVnetCidrs = ({ cidrBlocks: { value } }: SettledNetwork["vnet"]): readonly Problem[] => {
  const path = "spec.networkSpec.vnet.cidrBlocks";
  const twice = value.flatMap((cidr, index) =>
    value
      .slice(0, index)
      .filter((other) => {
        const [a, b] = [parseCidr(cidr), parseCidr(other)];
        return a !== undefined && b !== undefined && overlap(a, b);
      })
      .map((other) => invalid(`${path}[${index}]`, cidr, `overlaps ${other}: ranges must be apart`)),
  );
  return [...value.flatMap((cidr, index) => checkCidr(`${path}[${index}]`, cidr)), ...twice];
};

/** Ranges of the virtual network and its subnets: well-formed, one inside the other, none on top of another. */
export const checkAddresses = (network: SettledNetwork, resourceGroup: string): readonly Problem[] => {
  const elsewhere = network.vnet.resourceGroup.toLowerCase() !== resourceGroup.toLowerCase();
  const vnet = checkVnetCidrs(network.vnet);
  // With a broken network every subnet would be outside it, which says nothing more.
  const inside = vnet.length > 0 ? [] : network.subnets.flatMap((subnet) => checkSubnet(subnet, network));
  return [...vnet, ...inside, ...checkOverlaps(network.subnets, elsewhere)];
};
