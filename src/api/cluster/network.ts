import { Type } from "typebox";
import { everyOf } from "../cel/parts.ts";
import { flag, int32, list, listMap, map, oneOf, type Parsed, type Rule, ruled, text } from "../schema.ts";
import { networkRanges, subnetRanges } from "./addressRanges.ts";
import { networkName, publicDnsName, resourceGroupName, vnetName } from "./azureNames.ts";
import { privateEndpoints, serviceEndpoints } from "./subnetEndpoints.ts";

/** Virtual network, subnets and what hangs on them: the shapes that AzureCluster and its template share. */

const ipTag = Type.Object(
  {
    type: text("Kind of the tag, such as `RoutingPreference`."),
    tag: text("Value of the tag, such as `Internet`."),
  },
  { description: "One tag." },
);

/** A public IP address, made when it does not exist. */
export const publicIpSpec = Type.Object(
  {
    name: networkName("Name in Azure."),
    dnsName: Type.Optional(
      publicDnsName(
        "Full DNS name; its first label becomes the domain name label. Of an address that exists already: the name that it has.",
      ),
    ),
    ipTags: Type.Optional(list("Tags that Azure fixes at creation.", ipTag, { maxItems: 50 })),
  },
  { description: "A public IP address; made when none of that name exists." },
);
export type PublicIpSpec = Parsed<typeof publicIpSpec>;

const securityRuleShape = Type.Object(
  {
    name: networkName("Name, unique within the security group."),
    description: text("What the rule is for."),
    protocol: oneOf("Protocol it matches.", ["Tcp", "Udp", "Icmp", "*"]),
    direction: oneOf("Traffic into or out of the subnet.", ["Inbound", "Outbound"]),
    priority: Type.Optional(int32("From 100 to 4096, lower first, unique per direction.")),
    sourcePorts: Type.Optional(text("One port, a range, or `*`.")),
    destinationPorts: Type.Optional(text("One port, a range, or `*`.")),
    source: Type.Optional(text("One address prefix, service tag, or `*`. Excludes `sources`.")),
    sources: Type.Optional(list("Several address prefixes. Excludes `source`.", Type.String())),
    destination: Type.Optional(text("One address prefix, service tag, or `*`.")),
    action: Type.Optional(oneOf("What happens to matching traffic.", ["Allow", "Deny"], { default: "Allow" })),
  },
  { description: "One rule." },
);

/** One rule of a network security group. */
export const securityRule = ruled(
  securityRuleShape,
  {
    rule: "has(self.priority) && self.priority >= 100 && self.priority <= 4096",
    message: "must be from 100 to 4096",
    fieldPath: ".priority",
  },
  {
    rule: "!has(self.source) || self.source == '' || !has(self.sources) || self.sources.size() == 0",
    message: "must not stand beside source: use one of them",
    fieldPath: ".sources",
  },
);
export type SecurityRuleSpec = Parsed<typeof securityRule>;

/**
 * As many rules as Azure takes in a group (https://learn.microsoft.com/azure/azure-resource-manager/management/azure-subscription-service-limits).
 * Comparing the priorities of so many is too dear for the API server, and groups may be shared: the turn does it.
 */
const securityRules = listMap("Rules of the group.", "name", securityRule, { maxItems: 1000 });

/**
 * A required name that a template cannot give: without a default Cluster API could make no cluster of a class whose
 * template says anything about the network.
 */
const unnamedByTemplates = { default: "" } as const;

const securityGroup = Type.Object(
  {
    name: networkName("Name in Azure; by role when empty. Subnets may share a group.", unnamedByTemplates),
    id: Type.Optional(text("Resource id; informative.")),
    securityRules: Type.Optional(securityRules),
    tags: Type.Optional(map("Not used.", Type.String())),
  },
  { description: "Which traffic may pass to and from the subnet." },
);

const routeTable = Type.Object(
  {
    name: networkName("Name in Azure. Subnets may share a table."),
    id: Type.Optional(text("Resource id; informative.")),
  },
  { description: "Routes of the subnet; the cloud provider in the cluster fills them." },
);

const natGateway = Type.Object(
  {
    name: networkName(
      "Name in Azure. Subnets may share a gateway. The default counts the subnets of role `node` in their order: write it out before one above is moved or taken out, or machines leave by another address.",
    ),
    id: Type.Optional(text("Resource id; informative.")),
    ip: Type.Optional(publicIpSpec),
    zones: Type.Optional(
      list("Availability zone in which the gateway lives; none means that Azure chooses.", Type.String()),
    ),
  },
  { description: "The way out for machines of the subnet." },
);

const subnetShape = Type.Object(
  {
    name: networkName("Name in Azure."),
    role: oneOf("Which machines live here; `cluster` serves both.", ["node", "control-plane", "bastion", "cluster"]),
    id: Type.Optional(text("Resource id; informative.")),
    cidrBlocks: Type.Optional(subnetRanges("Address ranges, inside those of the virtual network.")),
    securityGroup: Type.Optional(securityGroup),
    routeTable: Type.Optional(routeTable),
    natGateway: Type.Optional(natGateway),
    serviceEndpoints: Type.Optional(serviceEndpoints),
    privateEndpoints: Type.Optional(privateEndpoints),
  },
  { description: "One subnet of the virtual network." },
);

const inRanges = "self.cidrBlocks.exists(c, !isCIDR(c) || cidr(c).containsIP(a))";
const endpointsInside = everyOf(
  "privateEndpoints",
  "e",
  everyOf("privateIPAddresses", "a", `!isIP(a) || ${inRanges}`)("e"),
);

/** Without listed ranges a subnet has a default one, which only the turn knows. */
export const endpointsAtHome: Rule = {
  rule: `!has(self.cidrBlocks) || self.cidrBlocks.size() == 0 || ${endpointsInside("self")}`,
  message: "must have only addresses inside the subnet",
  fieldPath: ".privateEndpoints",
};

/** One subnet of the virtual network. */
export const subnetSpec = ruled(subnetShape, endpointsAtHome);
export type SubnetSpec = Parsed<typeof subnetSpec>;

const peeringProperties = Type.Object(
  {
    allowForwardedTraffic: Type.Optional(flag("Take traffic that the remote network only forwards.")),
    allowGatewayTransit: Type.Optional(flag("Let the remote network use gateways of this one.")),
    allowVirtualNetworkAccess: Type.Optional(flag("Let machines of both networks reach each other.")),
    useRemoteGateways: Type.Optional(flag("Use gateways of the remote network.")),
  },
  { description: "What one direction of the peering lets pass." },
);

const peering = Type.Object(
  {
    remoteVnetName: vnetName("Name of the other virtual network."),
    resourceGroup: Type.Optional(
      resourceGroupName("Resource group of the other virtual network; that of the cluster when absent."),
    ),
    forwardPeeringProperties: Type.Optional(peeringProperties),
    reversePeeringProperties: Type.Optional(peeringProperties),
  },
  { description: "A peering with one virtual network." },
);

/**
 * No natural key: a remote network is known by its name and group, and the group may be absent. So the list is one value,
 * shorter than Azure takes (500) so that comparing them is not too dear for the API server.
 */
const peerings = list("Peerings with other virtual networks, both directions.", peering, { maxItems: 200 });

/** The virtual network. */
export const vnetSpec = Type.Object(
  {
    name: vnetName(
      "Name in Azure, derived from the cluster's when empty; an existing network of that name without our tag is used as it is.",
      unnamedByTemplates,
    ),
    resourceGroup: Type.Optional(resourceGroupName("Resource group; that of the cluster when absent.")),
    id: Type.Optional(text("Resource id; informative.")),
    cidrBlocks: Type.Optional(networkRanges("Address ranges; `10.0.0.0/8` when absent.")),
    tags: Type.Optional(map("Tags as observed by an earlier provider; not read.", Type.String())),
    peerings: Type.Optional(peerings),
  },
  { description: "The virtual network." },
);
