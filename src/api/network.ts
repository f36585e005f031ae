import { Type } from "typebox";
import { flag, int32, list, listMap, map, oneOf, type Parsed, text } from "./schema.ts";

/** Virtual network, subnets and what hangs on them: the shapes that AzureCluster and its template share. */

const ipTag = Type.Object({
  type: text("Kind of the tag, such as `RoutingPreference`."),
  tag: text("Value of the tag, such as `Internet`."),
});

/** A public IP address, made when it does not exist. */
export const publicIpSpec = Type.Object({
  name: text("Name in Azure."),
  dnsName: Type.Optional(text("Full DNS name; its first label becomes the domain name label.")),
  ipTags: Type.Optional(list("Tags that Azure fixes at creation.", ipTag)),
});
export type PublicIpSpec = Parsed<typeof publicIpSpec>;

/** One rule of a network security group. */
export const securityRule = Type.Object({
  name: text("Name, unique within the security group."),
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
});
export type SecurityRuleSpec = Parsed<typeof securityRule>;

const securityGroup = Type.Object({
  name: text("Name in Azure. Subnets may share a group."),
  id: Type.Optional(text("Resource id; informative.")),
  securityRules: Type.Optional(listMap("Rules of the group.", "name", securityRule)),
  tags: Type.Optional(map("Not used.", Type.String())),
});

const routeTable = Type.Object({
  name: text("Name in Azure. Subnets may share a table."),
  id: Type.Optional(text("Resource id; informative.")),
});

const natGateway = Type.Object({
  name: text("Name in Azure. Subnets may share a gateway."),
  id: Type.Optional(text("Resource id; informative.")),
  ip: Type.Optional(publicIpSpec),
  zones: Type.Optional(
    list("Availability zone in which the gateway lives; none means that Azure chooses.", Type.String()),
  ),
});

const serviceEndpoint = Type.Object({
  service: text("Service, such as `Microsoft.Storage`."),
  locations: list("Regions, or `*`.", Type.String()),
});

const privateLinkServiceConnection = Type.Object({
  name: Type.Optional(text("Name of the connection.")),
  privateLinkServiceID: Type.Optional(text("Resource id of what the endpoint leads to.")),
  groupIDs: Type.Optional(list("Sub-resources of the target.", Type.String())),
  requestMessage: Type.Optional(text("Shown to who approves the connection.", { maxLength: 140 })),
});

const privateEndpoint = Type.Object({
  name: text("Name in Azure."),
  location: Type.Optional(text("Region; that of the cluster when absent.")),
  privateLinkServiceConnections: Type.Optional(list("What the endpoint leads to.", privateLinkServiceConnection)),
  customNetworkInterfaceName: Type.Optional(text("Name of its network interface.")),
  privateIPAddresses: Type.Optional(list("Fixed addresses in the subnet.", Type.String())),
  applicationSecurityGroups: Type.Optional(list("Resource ids of application security groups.", Type.String())),
  manualApproval: Type.Optional(flag("Whether the owner of the target must approve.")),
});

/** One subnet of the virtual network. */
export const subnetSpec = Type.Object({
  name: text("Name in Azure."),
  role: oneOf("Which machines live here; `cluster` serves both.", ["node", "control-plane", "bastion", "cluster"]),
  id: Type.Optional(text("Resource id; informative.")),
  cidrBlocks: Type.Optional(list("Address ranges, inside those of the virtual network.", Type.String())),
  securityGroup: Type.Optional(securityGroup),
  routeTable: Type.Optional(routeTable),
  natGateway: Type.Optional(natGateway),
  serviceEndpoints: Type.Optional(listMap("Azure services reached directly.", "service", serviceEndpoint)),
  privateEndpoints: Type.Optional(listMap("Private endpoints in this subnet.", "name", privateEndpoint)),
});
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

const peering = Type.Object({
  remoteVnetName: text("Name of the other virtual network."),
  resourceGroup: Type.Optional(text("Resource group of the other virtual network; that of the cluster when absent.")),
  forwardPeeringProperties: Type.Optional(peeringProperties),
  reversePeeringProperties: Type.Optional(peeringProperties),
});

/** The virtual network. */
export const vnetSpec = Type.Object({
  name: text("Name in Azure; an existing network of that name without our tag is used as it is."),
  resourceGroup: Type.Optional(text("Resource group; that of the cluster when absent.")),
  id: Type.Optional(text("Resource id; informative.")),
  cidrBlocks: Type.Optional(list("Address ranges.", Type.String())),
  tags: Type.Optional(map("Tags as observed by an earlier provider; not read.", Type.String())),
  peerings: Type.Optional(list("Peerings with other virtual networks, both directions.", peering)),
});
