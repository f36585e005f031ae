import { allOf, type Change, same, sameAt } from "../cel/change.ts";
import { type ChangeRule, stays } from "../cel/changeRule.ts";
import { given, listOr, type Part, present, textAt, textOr, valueOr } from "../cel/parts.ts";
import { named, nameOf } from "./clusterParts.ts";

/** What of an AzureCluster stays as it is. Most defaults derive from its name, which only a rule of the whole object sees. */

const network = "spec.networkSpec";
/** Two spellings of one resource group are one group. */
const inAnyCase =
  (part: Part): Part =>
  (self) =>
    `${part(self)}.lowerAscii()`;
const resourceGroup = textOr("spec.resourceGroup", nameOf);
/** Only Capstan writes the status, and machines are made only after it says so. */
const standing: Change = (_now, was) => valueOr("status.ready", "false")(was);
const unlessStanding: Change = (now, was) => `!${standing(now, was)}`;

const overrides = "spec.cloudProviderConfigOverrides";
const backOffs = `${overrides}.backOffs.cloudProviderBackoff`;
const plainOverrides: readonly Part[] = [
  valueOr(`${overrides}.rateLimits`, "[]"),
  valueOr(backOffs, "false"),
  valueOr(`${backOffs}Retries`, "0"),
  valueOr(`${backOffs}Duration`, "0"),
];
/** Quantities are compared only with each other: beside a literal, API servers of 1.32 take them for as long as can be. */
const quantities: readonly string[] = [`${backOffs}Exponent`, `${backOffs}Jitter`];
const sameOverrides = allOf(...plainOverrides.map(same), ...quantities.map(sameAt));

const subscription = textAt("spec.subscriptionID");

const place: readonly ChangeRule[] = [
  stays("spec.resourceGroup", same(resourceGroup), "must stay as it is; the name of this object when absent"),
  // One may be named where the installation has none, or the wrong one, as long as nothing depends on it.
  stays(
    "spec.subscriptionID",
    same(subscription),
    "must stay as it is: make a new cluster in another subscription",
    (now, was) => `(${subscription(was)} == '' && !${standing(now, was)})`,
  ),
  stays(
    "spec.azureEnvironment",
    same(textOr("spec.azureEnvironment", "'AzurePublicCloud'")),
    "must stay as it is; AzurePublicCloud when absent",
  ),
  // Upstream refuses them at creation too, by mistake.
  stays(overrides, sameOverrides, "must stay as it was at creation"),
  // Upstream would make a second network and leave the first.
  stays(
    `${network}.vnet.name`,
    same(textOr(`${network}.vnet.name`, named("-vnet"))),
    "must stay as it is once the network stands, because machines live in it",
    unlessStanding,
  ),
  stays(
    `${network}.vnet.resourceGroup`,
    same(inAnyCase(textOr(`${network}.vnet.resourceGroup`, resourceGroup))),
    "must stay as it is once the network stands, because machines live in it; the resource group of the cluster when absent",
    unlessStanding,
  ),
  // The endpoint stays, and leads to the load balancer that would go, or not to the one that would come.
  stays(
    "spec.controlPlaneEnabled",
    same(valueOr("spec.controlPlaneEnabled", "true")),
    "must stay as it is once the cluster stands, because its endpoint does; true when absent",
    unlessStanding,
  ),
];

const host = textAt("spec.controlPlaneEndpoint.host");
const port = valueOr("spec.controlPlaneEndpoint.port", "0");

const endpoint: readonly ChangeRule[] = [
  stays(
    "spec.controlPlaneEndpoint.host",
    same(host),
    "must stay as it is once it is set",
    (_now, was) => `${host(was)} == ''`,
  ),
  stays(
    "spec.controlPlaneEndpoint.port",
    same(port),
    "must stay as it is once it is set",
    (_now, was) => `${port(was)} == 0`,
  ),
];

const zoneGroup = given(`${network}.privateDNSZoneResourceGroup`);

const privateDns: readonly ChangeRule[] = [
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
    (now, was) => `!${zoneGroup(now)} && !${zoneGroup(was)}`,
  ),
];

const bastion = "spec.bastionSpec.azureBastion";
const subnet = `${bastion}.subnet`;
const hasBastion = present(bastion);

/** What a bastion host means, with upstream's defaults. */
const bastionMeans: readonly Part[] = [
  textOr(`${bastion}.name`, named("-azure-bastion")),
  textOr(`${bastion}.publicIP.name`, named("-azure-bastion-pip")),
  textAt(`${bastion}.publicIP.dnsName`),
  valueOr(`${bastion}.publicIP.ipTags`, "[]"),
  valueOr(`${bastion}.sku`, "'Basic'"),
  valueOr(`${bastion}.enableTunneling`, "false"),
  textOr(`${subnet}.name`, "'AzureBastionSubnet'"),
  listOr(`${subnet}.cidrBlocks`, "['10.255.255.224/27']"),
  textAt(`${subnet}.securityGroup.name`),
  textAt(`${subnet}.routeTable.name`),
  textAt(`${subnet}.natGateway.name`),
];

const bastionStays = stays(
  bastion,
  (now, was) => `${hasBastion(now)} && ${allOf(...bastionMeans.map(same))(now, was)}`,
  "must stay as it is once it is there",
  (_now, was) => `!${hasBastion(was)}`,
);

/** Rules of the whole object about its changes, but for load balancers and subnets. */
export const azureClusterChanges: readonly ChangeRule[] = [...place, ...endpoint, ...privateDns, bastionStays];
