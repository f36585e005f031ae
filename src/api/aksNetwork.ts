import { Type } from "typebox";
import { subnetSpec } from "./network.ts";
import { flag, integer, list, text } from "./schema.ts";

/** How nodes of a managed cluster are connected, and how the API server is reached. */

// Names that may be left out default to "": the contract requires them, and nobody but the API server can fill them in
// before it checks that.

const { serviceEndpoints, privateEndpoints } = subnetSpec.properties;

const subnet = Type.Object(
  {
    name: text("Name in Azure; that of the control plane when empty.", { default: "" }),
    cidrBlock: text("Address range, inside that of the virtual network.", { default: "10.240.0.0/16" }),
    serviceEndpoints,
    privateEndpoints,
  },
  { description: "Subnet in which nodes live unless their pool names another." },
);

/** The virtual network of the nodes. One that exists without our tag is used as it is. */
export const aksVirtualNetwork = Type.Object(
  {
    name: text("Name in Azure; that of the control plane when empty.", { default: "" }),
    resourceGroup: Type.Optional(text("Resource group of the virtual network; that of the cluster when absent.")),
    cidrBlock: text("Address range.", { default: "10.0.0.0/8" }),
    subnet: Type.Optional(subnet),
  },
  { description: "Virtual network of the nodes." },
);

/** How traffic of the nodes leaves through the load balancer. At most one of the three ways may be named. */
export const aksLoadBalancerProfile = Type.Object(
  {
    managedOutboundIPs: Type.Optional(integer("Public IP addresses that AKS makes, 1 to 100.")),
    outboundIPPrefixes: Type.Optional(list("Resource ids of public IP prefixes to use instead.", Type.String())),
    outboundIPs: Type.Optional(list("Resource ids of public IP addresses to use instead.", Type.String())),
    allocatedOutboundPorts: Type.Optional(
      integer("Ports a node may use for outbound connections, 0 to 64000; 0 lets Azure choose."),
    ),
    idleTimeoutInMinutes: Type.Optional(integer("Idle time-out of outbound connections, 4 to 120 minutes.")),
  },
  { description: "Outbound side of the load balancer." },
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

/** Who reaches the API server. */
export const aksApiServerAccessProfile = Type.Object(
  {
    authorizedIPRanges: Type.Optional(list("Address ranges in CIDR form that may connect.", Type.String())),
    enablePrivateCluster: Type.Optional(flag("Whether the API server has a private address only.")),
    privateDNSZone: Type.Optional(text("`System`, `None`, or the resource id of a private DNS zone.")),
    enablePrivateClusterPublicFQDN: Type.Optional(
      flag("Whether the private address also stands in public DNS; the endpoint then uses that name."),
    ),
  },
  { description: "Who reaches the API server; all but the ranges is fixed at creation." },
);
