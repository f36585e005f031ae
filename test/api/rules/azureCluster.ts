import type { JsonObject } from "../../../src/core/types.ts";
import type { RuleCase, RuleCases } from "../../support/admission/ruleCase.ts";
import { clusterChangeCases } from "./clusterChangeCases.ts";
import { apiServerCases, outboundCases } from "./loadBalancerCases.ts";
import { asItem, fieldCase, itemsCase, lengthCase, type Place, twiceCase, within } from "./specPlaces.ts";
import {
  networkCases,
  networkNameCases,
  publicIpCases,
  resourceGroupCases,
  securityRuleCases,
  subnetCases,
} from "./subnetCases.ts";

const spec: Place = { field: "spec", patch: (part) => ({ spec: part }) };
const network = within(spec, "networkSpec");
const vnet = within(network, "vnet");
const node = asItem(network, "subnets", { name: "node", role: "node" });
const group: Place = {
  field: `${node.field}.securityGroup`,
  patch: (part) => node.patch({ securityGroup: { name: "", ...part } }),
};
const natGateway: Place = {
  field: `${node.field}.natGateway`,
  patch: (part) => node.patch({ natGateway: { name: "", ...part } }),
};
const publicIp: Place = {
  field: `${natGateway.field}.ip`,
  patch: (part) => natGateway.patch({ ip: { name: "", ...part } }),
};
const bastion = within(spec, "bastionSpec.azureBastion");
const bastionIp: Place = {
  field: `${bastion.field}.publicIP`,
  patch: (part) => bastion.patch({ publicIP: { name: "", ...part } }),
};

const tags = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`tag${index}`, ""]));

/** What the shared fields of a cluster and its template are held to. */
export const placeCases = (at: Place): readonly RuleCase[] => [
  fieldCase(at, "subscriptionID", "must be the id of a subscription", "00000000-0000-4000-8000-00000000000A", "mine"),
  { ...lengthCase(at, "subscriptionID", 64), accepts: at.patch({ subscriptionID: "" }) },
  fieldCase(
    at,
    "azureEnvironment",
    "must be AzurePublicCloud, AzureUSGovernmentCloud or AzureChinaCloud",
    "AzureChinaCloud",
    "AzureGermanCloud",
  ),
  { ...lengthCase(at, "azureEnvironment", 64), accepts: at.patch({ azureEnvironment: "" }) },
  lengthCase(at, "location", 100),
  fieldCase(at, "additionalTags", "must have at most 47 tags", tags(47), tags(48)),
  fieldCase(at, "additionalTags", "must have keys of 1 to 512 characters", { "a b": "c" }, { "a/b": "c" }),
  {
    rule: "may not be more than 256 bytes",
    field: `${at.field}.additionalTags.a`,
    accepts: at.patch({ additionalTags: { a: "a".repeat(256) } }),
    refuses: at.patch({ additionalTags: { a: "a".repeat(257) } }),
  },
  itemsCase(within(at, "cloudProviderConfigOverrides"), "rateLimits", 64, () => ({ name: "diskRateLimit" })),
];

/** What the further ports and the private DNS zone are held to; `internal` makes the API server reached from inside. */
export const sharedNetworkCases = (at: Place, internal: JsonObject): readonly RuleCase[] => {
  const port = asItem(at, "additionalAPIServerLBPorts", { name: "a", port: 80 });
  const inside: Place = { field: at.field, patch: (part) => at.patch({ apiServerLB: internal, ...part }) };
  const zoned: Place = {
    field: at.field,
    patch: (part) => inside.patch({ privateDNSZoneName: "example.com", ...part }),
  };
  return [
    ...networkNameCases(port),
    fieldCase(port, "name", "must not be LBRuleHTTPS", "a", "lbRuleHTTPS"),
    fieldCase(port, "port", "must be from 1 to 65535", 65535, 0),
    fieldCase(
      at,
      "additionalAPIServerLBPorts",
      "must be ports that differ",
      [{ name: "a", port: 80 }],
      [
        { name: "a", port: 80 },
        { name: "b", port: 80 },
      ],
    ),
    itemsCase(at, "additionalAPIServerLBPorts", 300, (index) => ({ name: `a${index}`, port: index + 1 })),
    twiceCase(at, "additionalAPIServerLBPorts", { name: "a", port: 80 }, "additionalAPIServerLBPorts[1]"),
    fieldCase(inside, "privateDNSZoneName", "must be a DNS name", "a_b.example.com", "10.0.0.1"),
    {
      ...lengthCase(inside, "privateDNSZoneName", 255),
      accepts: inside.patch({ privateDNSZoneName: `${"a.".repeat(127)}a` }),
    },
    ...resourceGroupCases(zoned, "privateDNSZoneResourceGroup"),
    {
      rule: "must be absent unless privateDNSZoneName is there",
      field: `${at.field}.privateDNSZoneResourceGroup`,
      accepts: zoned.patch({ privateDNSZoneResourceGroup: "dns" }),
      refuses: inside.patch({ privateDNSZoneResourceGroup: "dns" }),
    },
    {
      rule: "must be absent unless apiServerLB is Internal",
      field: `${at.field}.privateDNSZoneName`,
      accepts: zoned.patch({}),
      refuses: at.patch({ privateDNSZoneName: "example.com" }),
    },
  ];
};

const wholeCases: readonly RuleCase[] = [
  {
    rule: "must have 2 to 44 lower-case letters, digits and hyphens",
    field: "metadata.name",
    accepts: { metadata: { name: "a".repeat(44) } },
    refuses: { metadata: { name: "a.b" } },
  },
  {
    rule: "may not be more than 253 bytes",
    field: "metadata.name",
    accepts: { metadata: { name: "a".repeat(44) } },
    refuses: { metadata: { name: "a".repeat(254) } },
  },
  {
    rule: "may not be more than 253 bytes",
    field: "metadata.generateName",
    accepts: { metadata: { name: null, generateName: "a-" } },
    refuses: { metadata: { name: null, generateName: "a".repeat(254) } },
  },
  { rule: "must be given", field: "spec", accepts: {}, refuses: { spec: null } },
  fieldCase(spec, "location", "must name an Azure region", "eastus", ""),
  fieldCase(spec, "identityRef", "must name an AzureClusterIdentity", { name: "other" }, null),
  fieldCase(spec, "identityRef", "must have the kind AzureClusterIdentity", { namespace: "other" }, { kind: "Secret" }),
  ...resourceGroupCases(spec, "resourceGroup"),
  fieldCase(within(spec, "controlPlaneEndpoint"), "port", "must be from 0 to 65535", 65535, 65536),
  {
    rule: "must be Standard for enableTunneling",
    field: `${bastion.field}.sku`,
    accepts: bastion.patch({ sku: "Standard", enableTunneling: true }),
    refuses: bastion.patch({ enableTunneling: true }),
  },
];

export const azureClusterCases: RuleCases = {
  kind: "AzureCluster",
  base: {
    metadata: { name: "c1" },
    spec: {
      location: "westeurope",
      identityRef: { kind: "AzureClusterIdentity", name: "identity" },
      networkSpec: { vnet: { name: "net" } },
    },
  },
  cases: [
    ...wholeCases,
    ...placeCases(spec),
    ...networkCases(network),
    ...networkNameCases(bastion),
    fieldCase(vnet, "name", "must have at most 64 letters", "net", "net/a"),
    lengthCase(vnet, "name", 64),
    ...resourceGroupCases(vnet, "resourceGroup"),
    ...subnetCases(node),
    ...securityRuleCases(group),
    ...networkNameCases(group),
    ...networkNameCases({ field: `${node.field}.routeTable`, patch: (part) => node.patch({ routeTable: part }) }),
    ...networkNameCases(natGateway),
    ...publicIpCases(publicIp),
    ...publicIpCases(bastionIp),
    ...apiServerCases(network),
    ...outboundCases(network),
    ...sharedNetworkCases(network, { type: "Internal" }),
    ...clusterChangeCases,
  ],
};
