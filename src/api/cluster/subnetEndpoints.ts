import { Type } from "typebox";
import { flag, list, listMap, ruled, set, text } from "../schema.ts";
import { networkName } from "./azureNames.ts";

/** How a subnet reaches services of Azure without leaving its network. */

const serviceEndpoint = Type.Object(
  {
    service: ruled(text("Service, such as `Microsoft.Storage`.", { maxLength: 100 }), {
      rule: "self.matches('^Microsoft[.][a-zA-Z]{1,42}[a-zA-Z0-9]{0,42}$')",
      message: "must look like Microsoft.Storage",
    }),
    locations: set(
      "Regions such as `westus2`, or `*`; each once.",
      ruled(text("A region, or `*`.", { maxLength: 47 }), {
        rule: "self.matches('^([a-z]+[0-9]{0,5}|[*])$')",
        message: "must be a region such as westus2, or *",
      }),
      { maxItems: 32 },
    ),
  },
  { description: "A service that is reached directly." },
);

const located = ruled(serviceEndpoint, {
  rule: "self.locations.size() > 0",
  message: "must name a region, or *",
  fieldPath: ".locations",
});

/** Azure has less than twenty services with service endpoints. */
export const serviceEndpoints = listMap("Azure services reached directly.", "service", located, {
  maxItems: 32,
});

const privateLinkServiceConnection = Type.Object(
  {
    name: Type.Optional(networkName("Name of the connection.")),
    privateLinkServiceID: Type.Optional(text("Resource id of what the endpoint leads to.", { maxLength: 512 })),
    groupIDs: Type.Optional(list("Sub-resources of the target.", Type.String())),
    requestMessage: Type.Optional(text("Shown to who approves the connection.", { maxLength: 140 })),
  },
  { description: "One connection to a service." },
);

// Not by a pattern: for long texts it would be too dear for the API server.
const targeted = ruled(privateLinkServiceConnection, {
  rule: "has(self.privateLinkServiceID) && self.privateLinkServiceID.split('/').size() >= 8 && self.privateLinkServiceID.lowerAscii().contains('/providers/')",
  message: "must be a resource id",
  fieldPath: ".privateLinkServiceID",
});

const fixedAddress = ruled(text("An address.", { maxLength: 45 }), {
  rule: "isIP(self)",
  message: "must be an IP address",
});

const privateEndpoint = Type.Object(
  {
    name: ruled(networkName("Name in Azure."), { rule: "self != ''", message: "must be given" }),
    location: Type.Optional(text("Region; that of the cluster when absent.")),
    privateLinkServiceConnections: Type.Optional(
      list("What the endpoint leads to; Azure takes one connection.", targeted, { maxItems: 4 }),
    ),
    customNetworkInterfaceName: Type.Optional(text("Name of its network interface.")),
    privateIPAddresses: Type.Optional(list("Fixed addresses in the subnet.", fixedAddress, { maxItems: 16 })),
    applicationSecurityGroups: Type.Optional(list("Resource ids of application security groups.", Type.String())),
    manualApproval: Type.Optional(flag("Whether the owner of the target must approve.")),
  },
  { description: "A way to one service through an address of the subnet." },
);

const connected = ruled(privateEndpoint, {
  rule: "has(self.privateLinkServiceConnections) && self.privateLinkServiceConnections.size() > 0",
  message: "must have a connection",
  fieldPath: ".privateLinkServiceConnections",
});

/** With more endpoints in each of 64 subnets the check of their addresses would be too dear for the API server. */
export const privateEndpoints = listMap("Private endpoints in this subnet.", "name", connected, { maxItems: 32 });
