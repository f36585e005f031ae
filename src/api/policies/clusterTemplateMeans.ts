import { allOf, type Change, same, sameAt } from "../cel/change.ts";
import { everyOf, filled, listOr, type Part, present, someOf, textAt, textOr, valueOr } from "../cel/parts.ts";
import { hasDefaultRange, hasIpv6 } from "../cluster/clusterParts.ts";

/**
 * What a cluster template means, leaf by leaf, with the defaults that an earlier provider stored in it. A user who applies
 * a manifest without them changes nothing.
 */

const listAt = (path: string): Part => valueOr(path, "[]");
const mapAt = (path: string): Part => valueOr(path, "{}");

const subnetMeans = (at: string): readonly Part[] => [
  listAt(`${at}serviceEndpoints`),
  listAt(`${at}privateEndpoints`),
  listAt(`${at}securityGroup.securityRules`),
  mapAt(`${at}securityGroup.tags`),
  textAt(`${at}natGateway.name`),
];

const bastion = "bastionSpec.azureBastion";
const network = "networkSpec";
const idleOf = (lb: string): Part => valueOr(`${network}.${lb}.idleTimeoutInMinutes`, "4");
const typeOf = textOr(`${network}.apiServerLB.type`, "'Public'");

/** For IPv6 ranges in a public cluster it is there by itself. */
const hasNodes: Part = (self) =>
  `(${present(`${network}.nodeOutboundLB`)(self)} || ${typeOf(self)} == 'Public' && ${hasIpv6(network)(self)})`;

const means: readonly Part[] = [
  textAt("location"),
  textAt("subscriptionID"),
  textOr("azureEnvironment", "'AzurePublicCloud'"),
  mapAt("additionalTags"),
  mapAt("failureDomains"),
  present(bastion),
  textAt(`${bastion}.subnet.name`),
  listOr(`${bastion}.subnet.cidrBlocks`, "['10.255.255.224/27']"),
  ...subnetMeans(`${bastion}.subnet.`),
  textAt(`${network}.privateDNSZoneName`),
  textAt(`${network}.privateDNSZoneResourceGroup`),
  listAt(`${network}.additionalAPIServerLBPorts`),
  listOr(`${network}.vnet.cidrBlocks`, "['10.0.0.0/8']"),
  mapAt(`${network}.vnet.tags`),
  listAt(`${network}.vnet.peerings`),
  typeOf,
  idleOf("apiServerLB"),
  hasNodes,
  idleOf("nodeOutboundLB"),
  present(`${network}.controlPlaneOutboundLB`),
  idleOf("controlPlaneOutboundLB"),
  (self) => `${listAt(`${network}.subnets`)(self)}.size()`,
];

const ranges = filled("cidrBlocks");
const sameRanges: Change = (now, was) =>
  `${ranges(now)} ? (${ranges(was)} ? ${now}.cidrBlocks == ${was}.cidrBlocks : ${hasDefaultRange(now)}) : !${ranges(was)} || ${hasDefaultRange(was)}`;

const sameSubnet = allOf(sameAt("name"), sameAt("role"), ...subnetMeans("").map(same), sameRanges);
const subnets = `${network}.subnets`;
const sameSubnets: Change = (now, was) => everyOf(subnets, "s", someOf(subnets, "o", sameSubnet("s", "o"))(was))(now);

/** Two specs of a template's cluster mean the same. */
export const clusterTemplateMeans = allOf(
  ...means.map(same),
  ...["identityRef", "extendedLocation", "cloudProviderConfigOverrides"].map(sameAt),
  sameSubnets,
);
