import type { AzureClusterSpec } from "../api/cluster/azureCluster.ts";
import type { CloudName } from "../core/identity.ts";
import type { ClusterScope, NatGateway, PublicIp, Subnet } from "../services/scope.ts";
import type { CompleteCluster } from "./complete.ts";
import { given } from "./given.ts";
import { names } from "./names.ts";
import { gatherSecurityGroups } from "./securityGroups.ts";
import type { ClusterFacts, SettledNetwork, SettledSubnet } from "./settled.ts";

/** Keeps the first of those whose names are one to Azure. */
const distinct = <T>(items: readonly T[], nameOf: (item: T) => string): readonly T[] =>
  [...new Map(items.toReversed().map((item) => [nameOf(item).toLowerCase(), item])).values()].toReversed();

const scopeSubnet = ({
  path: _path,
  rules: _rules,
  ownNatGateway: _own,
  privateEndpoints: _endpoints,
  ...subnet
}: SettledSubnet): Subnet => subnet;

const natGatewaysOf = (network: SettledNetwork): readonly NatGateway[] =>
  distinct(
    network.subnets.flatMap(({ ownNatGateway }) => ownNatGateway ?? []),
    ({ name }) => name,
  );

/** Every address that the cluster uses, in the order of fact sheet 5.5. */
export const publicIpsOf = (network: SettledNetwork): readonly PublicIp[] => [
  ...network.loadBalancers.flatMap(({ frontends }) =>
    frontends.flatMap((frontend) => (frontend.kind === "public" ? [frontend.publicIp] : [])),
  ),
  ...natGatewaysOf(network).map(({ publicIp }) => publicIp),
  ...(network.bastionPublicIp === undefined ? [] : [network.bastionPublicIp]),
];

/** Where the API server is reached, once all of it is known. */
const endpointOf = ({ controlPlaneEndpoint }: CompleteCluster): ClusterScope["controlPlaneEndpoint"] => {
  const host = given(controlPlaneEndpoint?.host);
  const port = controlPlaneEndpoint?.port;
  return host === undefined || port === undefined ? undefined : { host, port };
};

/** Without a zone of ours the name of a private API server is found only where somebody else resolves it. */
const hostIsForOthers = ({ networkSpec }: CompleteCluster, endpoint: ClusterScope["controlPlaneEndpoint"]): boolean =>
  networkSpec.privateDNSZone === "None" &&
  endpoint?.host === `${names.privateApiServer}.${networkSpec.privateDNSZoneName ?? ""}`;

/** Zones as failure domains; `spec.failureDomains` only restricts them. */
const failureDomainsOf = (
  spec: AzureClusterSpec,
  zones: readonly string[] | undefined,
): Readonly<Record<string, boolean>> | undefined =>
  zones === undefined
    ? undefined
    : Object.fromEntries(
        zones.map((zone) => [
          zone,
          spec.failureDomains?.[zone] === undefined || spec.failureDomains[zone].controlPlane === true,
        ]),
      );

/** The frozen snapshot that services read. */
export const clusterScope = (
  cloud: CloudName,
  facts: ClusterFacts,
  spec: CompleteCluster,
  network: SettledNetwork,
): ClusterScope => {
  const controlPlaneEndpoint = endpointOf(spec);
  const failureDomains = failureDomainsOf(spec, facts.zones);
  return Object.freeze({
    clusterName: facts.clusterName,
    cloud,
    subscription: facts.subscription,
    resourceGroup: facts.resourceGroup,
    location: facts.location,
    ...(facts.extendedLocation !== undefined && { extendedLocation: facts.extendedLocation }),
    additionalTags: spec.additionalTags ?? {},
    vnet: network.vnet,
    subnets: network.subnets.map(scopeSubnet),
    securityGroups: gatherSecurityGroups(network.subnets),
    routeTables: distinct(
      network.subnets.flatMap(({ role, routeTable }) => (role === "bastion" ? [] : (routeTable ?? []))),
      (name) => name,
    ),
    natGateways: natGatewaysOf(network),
    publicIps: distinct(publicIpsOf(network), ({ name }) => name),
    peerings: network.peerings,
    loadBalancers: network.loadBalancers,
    ...(network.privateDns !== undefined && { privateDns: network.privateDns }),
    privateEndpoints: network.subnets.flatMap(({ privateEndpoints }) => privateEndpoints),
    ...(network.bastion !== undefined && { bastion: network.bastion }),
    ...(controlPlaneEndpoint !== undefined && { controlPlaneEndpoint }),
    ...(hostIsForOthers(spec, controlPlaneEndpoint) && { hostIsForOthers: true }),
    ...(failureDomains !== undefined && { failureDomains }),
  });
};
