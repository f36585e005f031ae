import type { NetworkSpec } from "../../api/azureCluster.ts";
import type { SubnetSpec } from "../../api/network.ts";
import type { Problem } from "../../core/kind.ts";
import { holds, parseAddress, parseCidr } from "../cidr.ts";
import { given } from "../given.ts";
import { invalid } from "../problem.ts";
import type { SettledNetwork, SettledSubnet } from "../settled.ts";
import { checkName, networkName, repeated } from "./patterns.ts";

const serviceName = /^Microsoft\.[a-zA-Z]{1,42}[a-zA-Z0-9]{0,42}$/;
const regionOrAll = /^([a-z]{1,42}\d{0,5}|[*])$/;
const resourceIdInside = /subscriptions\/(.+)\/resourceGroups\/(.+)\/providers\/(.+?)\/(.+?)\/(.+)/i;

const checkServiceEndpoints = (path: string, { serviceEndpoints = [] }: SubnetSpec): readonly Problem[] => [
  ...repeated(serviceEndpoints.map(({ service }) => service)).map((service) =>
    invalid(`${path}.serviceEndpoints`, service, "occurs twice: each service must occur once"),
  ),
  ...serviceEndpoints.flatMap(({ service, locations }, index) => {
    const at = `${path}.serviceEndpoints[${index}]`;
    return [
      ...(serviceName.test(service) ? [] : [invalid(`${at}.service`, service, "must look like Microsoft.Storage")]),
      ...(locations.length > 0 ? [] : [invalid(`${at}.locations`, [], "must name a region, or *")]),
      ...locations
        .filter((location) => !regionOrAll.test(location))
        .map((location) => invalid(`${at}.locations`, location, "must be a region such as westus2, or *")),
      ...repeated(locations).map((location) => invalid(`${at}.locations`, location, "occurs twice")),
    ];
  }),
];

type PrivateEndpoint = NonNullable<SubnetSpec["privateEndpoints"]>[number];

const checkConnections = (at: string, { privateLinkServiceConnections = [] }: PrivateEndpoint): readonly Problem[] => {
  const path = `${at}.privateLinkServiceConnections`;
  if (privateLinkServiceConnections.length === 0) return [invalid(path, [], "must have a connection")];
  return privateLinkServiceConnections.flatMap(({ name, privateLinkServiceID = "" }, index) => [
    ...(resourceIdInside.test(privateLinkServiceID)
      ? []
      : [invalid(`${path}[${index}].privateLinkServiceID`, privateLinkServiceID, "must be a resource id")]),
    ...(given(name) === undefined ? [] : checkName(`${path}[${index}].name`, name ?? "", networkName)),
  ]);
};

const checkPrivateEndpoints = (
  path: string,
  { privateEndpoints = [] }: SubnetSpec,
  subnet: SettledSubnet | undefined,
): readonly Problem[] => {
  const ranges = (subnet?.cidrBlocks.value ?? []).flatMap((cidr) => parseCidr(cidr) ?? []);
  return privateEndpoints.flatMap((endpoint, index) => {
    const at = `${path}.privateEndpoints[${index}]`;
    const outside = (endpoint.privateIPAddresses ?? []).filter((text) => {
      const address = parseAddress(text);
      return address === undefined || !ranges.some((range) => holds(range, address));
    });
    return [
      ...checkName(`${at}.name`, endpoint.name, networkName),
      ...checkConnections(at, endpoint),
      ...outside.map((text) => invalid(`${at}.privateIPAddresses`, text, "must be an address inside the subnet")),
    ];
  });
};

/** Missing roles are made by the defaults, so only too many can be wrong. */
const checkRoles = ({ subnets }: SettledNetwork): readonly Problem[] =>
  subnets.filter(({ role }) => role === "cluster").length > 1
    ? [invalid("spec.networkSpec.subnets", "cluster", "is the role of several subnets: only one may have it")]
    : [];

/** Gateways of one name must be one gateway. */
const checkSharedGateways = ({ subnets }: SettledNetwork): readonly Problem[] => {
  const gateways = subnets.flatMap(({ path, ownNatGateway }) =>
    ownNatGateway === undefined ? [] : [{ path, ...ownNatGateway }],
  );
  return gateways.flatMap((one, index) => {
    const first = gateways.slice(0, index).find((other) => other.name.toLowerCase() === one.name.toLowerCase());
    return first === undefined || first.publicIp.name.toLowerCase() === one.publicIp.name.toLowerCase()
      ? []
      : [
          invalid(
            `${one.path}.natGateway.ip.name`,
            one.publicIp.name,
            `must be ${first.publicIp.name}, as for the other subnet with gateway ${first.name}`,
          ),
        ];
  });
};

/** Subnets, what hangs on them, and their names. */
export const checkSubnets = (spec: NetworkSpec, network: SettledNetwork): readonly Problem[] => [
  ...network.subnets.flatMap(({ path, name, securityGroup, routeTable, natGateway, ownNatGateway }) => [
    ...checkName(`${path}.name`, name, networkName),
    ...(securityGroup === undefined ? [] : checkName(`${path}.securityGroup.name`, securityGroup, networkName)),
    ...(routeTable === undefined ? [] : checkName(`${path}.routeTable.name`, routeTable, networkName)),
    ...(natGateway === undefined ? [] : checkName(`${path}.natGateway.name`, natGateway, networkName)),
    ...(ownNatGateway === undefined
      ? []
      : checkName(`${path}.natGateway.ip.name`, ownNatGateway.publicIp.name, networkName)),
  ]),
  ...repeated(network.subnets.map(({ name }) => name)).map((name) =>
    invalid("spec.networkSpec.subnets", name, "is the name of several subnets: names must differ"),
  ),
  ...checkRoles(network),
  ...checkSharedGateways(network),
  ...(spec.subnets ?? []).flatMap((subnet, index) => {
    const path = `spec.networkSpec.subnets[${index}]`;
    return [...checkServiceEndpoints(path, subnet), ...checkPrivateEndpoints(path, subnet, network.subnets[index])];
  }),
];
