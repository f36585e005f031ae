import { type Input, present, someOf, textAt, textOr, valueOr } from "../effective.ts";

/**
 * What a cluster template means, leaf by leaf, with the defaults that an earlier provider stored in it. A user who applies
 * a manifest without them changes nothing.
 */

const word =
  (text: string): Input =>
  () =>
    `'${text}'`;
const listAt = (path: string): Input => valueOr(path, "[]");
const mapAt = (path: string): Input => valueOr(path, "{}");

/** Ranges, and those that an empty list means. */
const rangesOr =
  (path: string, fallback: string): Input =>
  (self) =>
    `(${present(path)(self)} && ${self}.${path}.size() > 0 ? ${self}.${path} : ['${fallback}'])`;

const isThere =
  (path: string): Input =>
  (self) =>
    `(${present(path)(self)})`;

const equal =
  (now: string, before: string) =>
  (meaning: Input): string =>
    `${meaning(now)} == ${meaning(before)}`;

const objectStays = (path: string, now: string, before: string): string =>
  `${isThere(path)(now)} == ${isThere(path)(before)} && (!${isThere(path)(now)} || ${now}.${path} == ${before}.${path})`;

const subnetMeans = (at: string): readonly Input[] => [
  listAt(`${at}serviceEndpoints`),
  listAt(`${at}privateEndpoints`),
  listAt(`${at}securityGroup.securityRules`),
  mapAt(`${at}securityGroup.tags`),
  textAt(`${at}natGateway.name`),
];

const bastion = "bastionSpec.azureBastion";
const network = "networkSpec";
const idleOf = (lb: string): Input => valueOr(`${network}.${lb}.idleTimeoutInMinutes`, "4");
const typeOf = textOr(`${network}.apiServerLB.type`, word("Public"));

const hasIpv6 = someOf(
  `${network}.subnets`,
  "s",
  `s.role in ['node', 'cluster'] && ${someOf("cidrBlocks", "c", "c.contains(':')")("s")}`,
);
/** For IPv6 ranges in a public cluster it is there by itself. */
const hasNodes: Input = (self) =>
  `(${isThere(`${network}.nodeOutboundLB`)(self)} || ${typeOf(self)} == 'Public' && ${hasIpv6(self)})`;

const means: readonly Input[] = [
  textAt("location"),
  textAt("subscriptionID"),
  textOr("azureEnvironment", word("AzurePublicCloud")),
  mapAt("additionalTags"),
  mapAt("failureDomains"),
  isThere(bastion),
  textAt(`${bastion}.subnet.name`),
  rangesOr(`${bastion}.subnet.cidrBlocks`, "10.255.255.224/27"),
  ...subnetMeans(`${bastion}.subnet.`),
  textAt(`${network}.privateDNSZoneName`),
  textAt(`${network}.privateDNSZoneResourceGroup`),
  listAt(`${network}.additionalAPIServerLBPorts`),
  rangesOr(`${network}.vnet.cidrBlocks`, "10.0.0.0/8"),
  mapAt(`${network}.vnet.tags`),
  listAt(`${network}.vnet.peerings`),
  typeOf,
  idleOf("apiServerLB"),
  hasNodes,
  idleOf("nodeOutboundLB"),
  isThere(`${network}.controlPlaneOutboundLB`),
  idleOf("controlPlaneOutboundLB"),
  (self) => `${listAt(`${network}.subnets`)(self)}.size()`,
];

/** The number in a node subnet's default range is its place in the list, which is not compared. */
const isDefaultRange = (subnet: string): string =>
  `${subnet}.cidrBlocks.all(c, ${subnet}.role == 'node' ? c.startsWith('10.') && c.endsWith('.0.0/16') : c == '10.0.0.0/16')`;
const listsRanges: Input = (subnet) => `(${present("cidrBlocks")(subnet)} && ${subnet}.cidrBlocks.size() > 0)`;
const rangesStay = `(${listsRanges("s")} ? (${listsRanges("o")} ? s.cidrBlocks == o.cidrBlocks : ${isDefaultRange("s")}) : !${listsRanges("o")} || ${isDefaultRange("o")})`;

const sameSubnet = ["o.name == s.name", "o.role == s.role", ...subnetMeans("").map(equal("s", "o")), rangesStay].join(
  " && ",
);

/** Whether two specs of a template's cluster mean the same: CEL. */
export const clusterTemplateMeans = (now: string, before: string): string =>
  [
    ...means.map(equal(now, before)),
    ...["identityRef", "extendedLocation", "cloudProviderConfigOverrides"].map((path) =>
      objectStays(path, now, before),
    ),
    `(!(${present(`${network}.subnets`)(now)}) || ${now}.${network}.subnets.all(s, ${someOf(`${network}.subnets`, "o", sameSubnet)(before)}))`,
  ].join(" && ");
