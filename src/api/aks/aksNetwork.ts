import { Type } from "typebox";
import { filled, valueOr } from "../cel/parts.ts";
import { subnetSpec } from "../cluster/network.ts";
import { flag, integer, list, listMap, ruled, text } from "../schema.ts";

/** How nodes of a managed cluster are connected, and how the API server is reached. */

// Names that may be left out default to "": the contract requires them, and nobody but the API server can fill them in
// before it checks that.

const { privateEndpoints } = subnetSpec.properties;

// Azure has services with names of three parts (Microsoft.Storage.Global), which an AzureCluster never took.
const serviceEndpoints = Type.Optional(
  listMap(
    "Azure services reached directly.",
    "service",
    Type.Object({
      service: text("Service, such as `Microsoft.Storage`."),
      locations: list("Regions, or `*`.", Type.String()),
    }),
  ),
);

/** Names of networks and subnets have up to 80 characters in Azure; room for what was never held to that. */
const longName = 256;
/** Longest text of an address range, IPv6 included, and some. */
const longRange = 64;

const range = (description: string, example: string, byDefault: string) =>
  ruled(text(description, { maxLength: longRange, default: byDefault }), {
    rule: "self == '' || isCIDR(self)",
    message: `must be an address range in CIDR form, such as ${example}`,
  });

const subnet = ruled(
  Type.Object(
    {
      name: text("Name in Azure; that of the control plane when empty.", { maxLength: longName, default: "" }),
      cidrBlock: range("Address range, inside that of the virtual network.", "10.240.0.0/16", "10.240.0.0/16"),
      serviceEndpoints,
      privateEndpoints,
    },
    { description: "Subnet in which nodes live unless their pool names another." },
  ),
  {
    rule: "!isCIDR(self.cidrBlock) || !has(self.privateEndpoints) || self.privateEndpoints.all(endpoint, !has(endpoint.privateIPAddresses) || endpoint.privateIPAddresses.all(address, !isIP(address) || cidr(self.cidrBlock).containsIP(address)))",
    message: "must have all addresses of its private endpoints in its cidrBlock",
    messageExpression: "'must have all addresses of its private endpoints in its cidrBlock, ' + self.cidrBlock",
    fieldPath: ".privateEndpoints",
  },
);

/** The virtual network of the nodes. One that exists without our tag is used as it is. */
export const aksVirtualNetwork = Type.Object(
  {
    name: text("Name in Azure; that of the control plane when empty.", { maxLength: longName, default: "" }),
    resourceGroup: Type.Optional(
      text("Resource group of the virtual network; that of the cluster when absent.", { maxLength: longName }),
    ),
    cidrBlock: range("Address range.", "10.0.0.0/8", "10.0.0.0/8"),
    subnet: Type.Optional(subnet),
  },
  { description: "Virtual network of the nodes." },
);

/** How traffic of the nodes leaves through the load balancer. At most one of the three ways may be named. */
export const aksLoadBalancerProfile = ruled(
  Type.Object(
    {
      managedOutboundIPs: Type.Optional(integer("Public IP addresses that AKS makes.", { minimum: 1, maximum: 100 })),
      outboundIPPrefixes: Type.Optional(list("Resource ids of public IP prefixes to use instead.", Type.String())),
      outboundIPs: Type.Optional(list("Resource ids of public IP addresses to use instead.", Type.String())),
      allocatedOutboundPorts: Type.Optional(
        integer("Ports a node may use for outbound connections; 0 lets Azure choose.", { minimum: 0, maximum: 64_000 }),
      ),
      idleTimeoutInMinutes: Type.Optional(
        integer("Idle time-out of outbound connections in minutes.", { minimum: 4, maximum: 120 }),
      ),
    },
    { description: "Outbound side of the load balancer." },
  ),
  {
    rule: `[has(self.managedOutboundIPs), ${filled("outboundIPPrefixes")("self")}, ${filled("outboundIPs")("self")}].filter(named, named).size() <= 1`,
    message: "must name one of managedOutboundIPs, outboundIPPrefixes and outboundIPs at most",
  },
);

/** The proxy through which nodes reach the outside. */
export const aksHttpProxyConfig = Type.Object(
  {
    httpProxy: Type.Optional(text("Proxy for http.")),
    httpsProxy: Type.Optional(text("Proxy for https.")),
    noProxy: Type.Optional(list("Hosts, domains and ranges that are reached directly.", Type.String())),
    trustedCa: Type.Optional(text("Further certificate authority to trust, base64.")),
  },
  { description: "Proxy of the nodes; fixed at creation." },
);

const authorizedRange = ruled(text("One range.", { maxLength: longRange }), {
  rule: "isCIDR(self)",
  message: "must be an address range in CIDR form, such as 203.0.113.0/24, or 203.0.113.7/32 for one address",
});

// https://learn.microsoft.com/azure/aks/private-clusters#configure-a-private-dns-zone
const privateDnsZone = ruled(text("`System`, `None`, or the resource id of a private DNS zone.", { maxLength: 1024 }), {
  rule: "self == '' || self.lowerAscii() in ['system', 'none'] || self.lowerAscii().matches('privatednszones/([a-z0-9-]{1,32}[.])?(privatelink|private)[.][a-z0-9]+[.]azmk8s[.]io$')",
  message:
    "must be System, None, or the resource id of a zone named [SUBZONE.]privatelink.REGION.azmk8s.io or [SUBZONE.]private.REGION.azmk8s.io",
});

/** Who reaches the API server. */
export const aksApiServerAccessProfile = ruled(
  Type.Object(
    {
      authorizedIPRanges: Type.Optional(
        // AKS takes 200, and 2000 for an API server inside the virtual network.
        list("Address ranges in CIDR form that may connect.", authorizedRange, { maxItems: 2000 }),
      ),
      enablePrivateCluster: Type.Optional(flag("Whether the API server has a private address only.")),
      privateDNSZone: Type.Optional(privateDnsZone),
      enablePrivateClusterPublicFQDN: Type.Optional(
        flag("Whether the private address also stands in public DNS; the endpoint then uses that name."),
      ),
    },
    { description: "Who reaches the API server; all but the ranges is fixed at creation." },
  ),
  {
    rule: `!has(self.privateDNSZone) || !self.privateDNSZone.lowerAscii().contains('privatednszones/') || ${valueOr("enablePrivateCluster", "false")("self")}`,
    message: "must not be the id of a zone unless enablePrivateCluster is true",
    fieldPath: ".privateDNSZone",
  },
);
