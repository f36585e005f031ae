import type { AzureClusterSpec, NetworkSpec } from "../../api/azureCluster.ts";
import type { Problem } from "../../core/kind.ts";
import { isInternal } from "../apiServerDefaults.ts";
import { parseAddress } from "../cidr.ts";
import { publicIpsOf } from "../clusterScope.ts";
import { given } from "../given.ts";
import { invalid } from "../problem.ts";
import type { ClusterFacts, SettledNetwork } from "../settled.ts";
import { checkAddresses } from "./addresses.ts";
import { checkLoadBalancers } from "./loadBalancers.ts";
import {
  checkName,
  domainNameLabel,
  type NameRule,
  networkName,
  repeated,
  resourceGroupName,
  vnetName,
} from "./patterns.ts";
import { checkSecurityRules } from "./securityRules.ts";
import { checkSubnets } from "./subnets.ts";

/** Names of resources derive from it, hence upstream's limit. */
const clusterName: NameRule = {
  pattern: /^[a-z0-9][a-z0-9-]{0,42}[a-z0-9]$/,
  maxLength: 44,
  words: "must have 2 to 44 lower-case letters, digits and hyphens, beginning and ending with a letter or digit",
};

const dnsName = /^([a-zA-Z0-9_][a-zA-Z0-9_-]{0,62})(\.[a-zA-Z0-9_][a-zA-Z0-9_-]{0,62})*[._]?$/;

const checkPrivateDns = (spec: NetworkSpec, controlPlaneEnabled: boolean): readonly Problem[] => {
  const path = "spec.networkSpec.privateDNSZone";
  const name = given(spec.privateDNSZoneName);
  const group = given(spec.privateDNSZoneResourceGroup);
  return [
    ...(name === undefined || isInternal(spec.apiServerLB) || !controlPlaneEnabled
      ? []
      : [invalid(`${path}Name`, name, "must be absent unless apiServerLB is Internal")]),
    ...(name === undefined || (dnsName.test(name) && name.length <= 255 && parseAddress(name) === undefined)
      ? []
      : [invalid(`${path}Name`, name, "must be a DNS name")]),
    ...(group === undefined || name !== undefined
      ? []
      : [invalid(`${path}ResourceGroup`, group, "needs privateDNSZoneName beside it")]),
    ...(group === undefined ? [] : checkName(`${path}ResourceGroup`, group, resourceGroupName)),
  ];
};

const checkPeerings = ({ vnet }: NetworkSpec, { resourceGroup }: ClusterFacts): readonly Problem[] =>
  repeated((vnet?.peerings ?? []).map((it) => `${given(it.resourceGroup) ?? resourceGroup}/${it.remoteVnetName}`)).map(
    (pair) => invalid("spec.networkSpec.vnet.peerings", pair, "occurs twice: each remote network must occur once"),
  );

const checkBastion = ({ bastionSpec }: AzureClusterSpec): readonly Problem[] => {
  const bastion = bastionSpec?.azureBastion;
  return bastion?.enableTunneling === true && bastion.sku !== "Standard"
    ? [invalid("spec.bastionSpec.azureBastion.sku", bastion.sku ?? "Basic", "must be Standard for enableTunneling")]
    : [];
};

/** Limits of Azure (https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources). Three tags are ours. */
const mostTags = 47;

const checkTags = (tags: Readonly<Record<string, string>>): readonly Problem[] => {
  const path = "spec.additionalTags";
  return [
    ...(Object.keys(tags).length <= mostTags
      ? []
      : [invalid(path, Object.keys(tags).length, `tags are more than Azure takes: at most ${mostTags}`)]),
    ...Object.entries(tags).flatMap(([key, value]) => [
      ...(key !== "" && key.length <= 512 && !/[<>%&\\?/]/.test(key)
        ? []
        : [invalid(path, key, "must be a key of at most 512 characters without <>%&\\?/")]),
      ...(value.length <= 256 ? [] : [invalid(`${path}.${key}`, value, "must have at most 256 characters")]),
    ]),
  ];
};

/** An address serves one thing, and its name in DNS must be one that Azure takes. */
const checkPublicIps = (network: SettledNetwork): readonly Problem[] => {
  const ips = publicIpsOf(network);
  return [
    ...ips.flatMap(({ name }) => checkName("public IP address", name, networkName)),
    ...repeated(ips.map(({ name }) => name)).map((name) =>
      invalid("public IP address", name, "serves several things: each needs an address of its own"),
    ),
    ...ips.flatMap(({ name, dnsName: dns }) =>
      dns === undefined
        ? []
        : checkName(`DNS label of public IP address ${name}`, dns.value.split(".")[0] ?? "", domainNameLabel),
    ),
  ];
};

/** Everything that cannot work in a spec whose shape is right; each problem names field, value and what would be right. */
export const checkCluster = (
  facts: ClusterFacts,
  spec: AzureClusterSpec,
  network: SettledNetwork,
): readonly Problem[] => {
  const networkSpec = spec.networkSpec ?? {};
  return [
    ...checkName("metadata.name", facts.name, clusterName),
    ...checkName("spec.resourceGroup", facts.resourceGroup, resourceGroupName),
    ...(given(spec.location) === undefined
      ? [invalid("spec.location", spec.location, "must name an Azure region")]
      : []),
    ...checkName("spec.networkSpec.vnet.name", network.vnet.name, vnetName),
    ...(given(networkSpec.vnet?.resourceGroup) === undefined
      ? []
      : checkName("spec.networkSpec.vnet.resourceGroup", network.vnet.resourceGroup, resourceGroupName)),
    ...checkAddresses(network, facts.resourceGroup),
    ...checkSubnets(networkSpec, network),
    ...checkSecurityRules(network),
    ...checkLoadBalancers(networkSpec, network, facts.controlPlaneEnabled),
    ...checkPublicIps(network),
    ...checkPrivateDns(networkSpec, facts.controlPlaneEnabled),
    ...checkPeerings(networkSpec, facts),
    ...checkTags(spec.additionalTags ?? {}),
    ...checkBastion(spec),
  ];
};
