import { given, type Input, present, same, stays, textAt, textOr, valueOr } from "./effective.ts";
import type { Rule } from "./schema.ts";

/** What of an AzureCluster stays as it is. Most defaults derive from its name, which only a rule of the whole object sees. */

const nameOf: Input = (self) => `${self}.metadata.name`;
const named =
  (suffix: string): Input =>
  (self) =>
    `${nameOf(self)} + '${suffix}'`;
const word =
  (text: string): Input =>
  () =>
    `'${text}'`;

const network = "spec.networkSpec";
const resourceGroup = textOr("spec.resourceGroup", nameOf);
/** Only Capstan writes the status, and machines are made only after it says so. */
const standing = valueOr("status.ready", "false")("oldSelf");

const overrides = "spec.cloudProviderConfigOverrides";
const backOffs = `${overrides}.backOffs.cloudProviderBackoff`;
const plainOverrides: readonly Input[] = [
  valueOr(`${overrides}.rateLimits`, "[]"),
  valueOr(backOffs, "false"),
  valueOr(`${backOffs}Retries`, "0"),
  valueOr(`${backOffs}Duration`, "0"),
];
/** Quantities are compared only with each other: beside a literal, API servers of 1.32 take them for as long as can be. */
const quantities: readonly string[] = [`${backOffs}Exponent`, `${backOffs}Jitter`];
const sameQuantity = (path: string): string =>
  `(${present(path)("self")} ? ${present(path)("oldSelf")} && self.${path} == oldSelf.${path} : !(${present(path)("oldSelf")}))`;
const sameOverrides = [...plainOverrides.map(same), ...quantities.map(sameQuantity)].join(" && ");

const subscription = textAt("spec.subscriptionID");

const place: readonly Rule[] = [
  stays("spec.resourceGroup", same(resourceGroup), "must stay as it is; the name of this object when absent"),
  // One may be named where the installation has none, or the wrong one, as long as nothing depends on it.
  stays(
    "spec.subscriptionID",
    same(subscription),
    "must stay as it is: make a new cluster in another subscription",
    `(${subscription("oldSelf")} == '' && !${standing})`,
  ),
  stays(
    "spec.azureEnvironment",
    same(textOr("spec.azureEnvironment", word("AzurePublicCloud"))),
    "must stay as it is; AzurePublicCloud when absent",
  ),
  // Upstream refuses them at creation too, by mistake.
  stays(overrides, sameOverrides, "must stay as it was at creation"),
  // Upstream would make a second network and leave the first.
  stays(
    `${network}.vnet.name`,
    same(textOr(`${network}.vnet.name`, named("-vnet"))),
    "must stay as it is once the network stands, because machines live in it",
    `!${standing}`,
  ),
];

const host = textAt("spec.controlPlaneEndpoint.host");
const port = valueOr("spec.controlPlaneEndpoint.port", "0");

const endpoint: readonly Rule[] = [
  stays("spec.controlPlaneEndpoint.host", same(host), "must stay as it is once it is set", `${host("oldSelf")} == ''`),
  stays("spec.controlPlaneEndpoint.port", same(port), "must stay as it is once it is set", `${port("oldSelf")} == 0`),
];

const zoneGroup = given(`${network}.privateDNSZoneResourceGroup`);

const privateDns: readonly Rule[] = [
  stays(
    `${network}.privateDNSZone`,
    same(valueOr(`${network}.privateDNSZone`, "'System'")),
    "must stay as it is; System when absent",
  ),
  stays(
    `${network}.privateDNSZoneName`,
    same(textAt(`${network}.privateDNSZoneName`)),
    "must stay as it was at creation",
  ),
  stays(
    `${network}.privateDNSZoneResourceGroup`,
    same(textOr(`${network}.privateDNSZoneResourceGroup`, resourceGroup)),
    "must stay as it is; the resource group of the cluster when absent",
    `!${zoneGroup("self")} && !${zoneGroup("oldSelf")}`,
  ),
];

const bastion = "spec.bastionSpec.azureBastion";
const subnet = `${bastion}.subnet`;
const hasBastion = present(bastion);
const bastionRanges: Input = (self) =>
  `(${present(`${subnet}.cidrBlocks`)(self)} && ${self}.${subnet}.cidrBlocks.size() > 0 ? ${self}.${subnet}.cidrBlocks : ['10.255.255.224/27'])`;

/** What a bastion host means, with upstream's defaults. */
const bastionMeans: readonly Input[] = [
  textOr(`${bastion}.name`, named("-azure-bastion")),
  textOr(`${bastion}.publicIP.name`, named("-azure-bastion-pip")),
  textAt(`${bastion}.publicIP.dnsName`),
  valueOr(`${bastion}.publicIP.ipTags`, "[]"),
  valueOr(`${bastion}.sku`, "'Basic'"),
  valueOr(`${bastion}.enableTunneling`, "false"),
  textOr(`${subnet}.name`, word("AzureBastionSubnet")),
  bastionRanges,
  textAt(`${subnet}.securityGroup.name`),
  textAt(`${subnet}.routeTable.name`),
  textAt(`${subnet}.natGateway.name`),
];

const bastionStays = stays(
  bastion,
  `${hasBastion("self")} && ${bastionMeans.map(same).join(" && ")}`,
  "must stay as it is once it is there",
  `!(${hasBastion("oldSelf")})`,
);

/** Rules of the whole object about its changes, but for load balancers and subnets. */
export const azureClusterChanges: readonly Rule[] = [...place, ...endpoint, ...privateDns, bastionStays];
