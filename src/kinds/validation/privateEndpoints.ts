import { type Address, holds, isReserved, parseAddress, parseCidr } from "../cidr.ts";
import type { SettledNetwork, SettledSubnet } from "../settled.ts";
import { clusterRules } from "./clusterRules.ts";
import { type Broken, broken } from "./turnRule.ts";

interface Named {
  readonly name: string;
  readonly path: string;
}

/** Endpoints of all subnets lie side by side in the group of the cluster. */
const checkNames = ({ subnets }: SettledNetwork): readonly Broken[] => {
  const all = subnets.flatMap(({ path, privateEndpoints }) =>
    privateEndpoints.map(({ name }, at): Named => ({ name, path: `${path}.privateEndpoints[${at}].name` })),
  );
  return all.flatMap(({ name, path }, index) => {
    const first = all.slice(0, index).find((other) => other.name.toLowerCase() === name.toLowerCase());
    return first === undefined ? [] : [broken(clusterRules.endpointNames, path, name, `it is at ${first.path} too`)];
  });
};

interface Fixed {
  readonly text: string;
  readonly path: string;
  readonly address: Address;
  /** Absent: a frontend of a load balancer. */
  readonly subnet?: SettledSubnet;
}

const fixedOf = (subnet: SettledSubnet): readonly Fixed[] =>
  subnet.privateEndpoints.flatMap(({ addresses }, at) =>
    addresses.flatMap((text, place) => {
      const address = parseAddress(text);
      const path = `${subnet.path}.privateEndpoints[${at}].privateIPAddresses[${place}]`;
      return address === undefined ? [] : [{ text, path, address, subnet }];
    }),
  );

const frontendsOf = ({ loadBalancers }: SettledNetwork): readonly Fixed[] =>
  loadBalancers
    .flatMap(({ frontends }) => frontends)
    .flatMap((frontend) => {
      const address = frontend.kind === "private" ? parseAddress(frontend.address.value) : undefined;
      if (frontend.kind !== "private" || address === undefined) return [];
      return [{ text: frontend.address.value, path: `frontend ${frontend.name}`, address }];
    });

const rangesOf = ({ cidrBlocks }: SettledSubnet) => cidrBlocks.value.flatMap((cidr) => parseCidr(cidr) ?? []);

/** Listed ranges are held against the addresses by the definition. */
const checkInside = ({ text, path, address, subnet }: Fixed): readonly Broken[] =>
  subnet === undefined || subnet.cidrBlocks.asked || rangesOf(subnet).some((range) => holds(range, address))
    ? []
    : [broken(clusterRules.endpointAddresses, path, text, subnet.cidrBlocks.value.join(", "))];

const checkReserved = ({ text, path, address, subnet }: Fixed): readonly Broken[] =>
  subnet !== undefined && rangesOf(subnet).some((range) => isReserved(range, address))
    ? [broken(clusterRules.reservedEndpointAddress, path, text)]
    : [];

const sameAddress = (a: Fixed, b: Fixed): boolean =>
  a.address.version === b.address.version && a.address.value === b.address.value;

const checkOnce = (all: readonly Fixed[]): readonly Broken[] =>
  all.flatMap((one, index) => {
    const first = all.slice(0, index).find((other) => sameAddress(one, other));
    return first === undefined || one.subnet === undefined
      ? []
      : [broken(clusterRules.fixedAddresses, one.path, one.text, `${first.path} has it`)];
  });

/**
 * Private endpoints of all subnets, that of the bastion host included, with their addresses. In a network elsewhere the
 * real ranges of subnets without listed ones are not known, so our guesses are not compared.
 */
export const checkPrivateEndpoints = (network: SettledNetwork, resourceGroup: string): readonly Broken[] => {
  const elsewhere = network.vnet.resourceGroup.toLowerCase() !== resourceGroup.toLowerCase();
  const fixed = network.subnets.flatMap(fixedOf);
  const placed = fixed.filter(({ subnet }) => !elsewhere || subnet?.cidrBlocks.asked === true);
  return [
    ...checkNames(network),
    ...placed.flatMap(checkInside),
    ...placed.flatMap(checkReserved),
    ...checkOnce([...frontendsOf(network), ...fixed]),
  ];
};
