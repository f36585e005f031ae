import type { JsonObject } from "../../../src/core/types.ts";
import { patched } from "../../support/admission/admissionServer.ts";
import { type Fixed, internal, network, nodes } from "./editCase.ts";

const edge = (name: string): JsonObject => ({ extendedLocation: { name, type: "EdgeZone" } });
const tag = { type: "RoutingPreference", tag: "Internet" };
const other = { type: "RoutingPreference", tag: "Other" };

const gateway = (part: JsonObject): JsonObject => nodes({ natGateway: { name: "c1-node-natgw-1", ...part } });
const ip = (name: string, ipTags: readonly JsonObject[]): JsonObject => ({ name, ipTags });
const gatewayIp = (...ipTags: readonly JsonObject[]): JsonObject => gateway({ ip: ip("pip-c1-node-natgw-1", ipTags) });

const out = (name: string, ...ipTags: readonly JsonObject[]): JsonObject =>
  network({ [name]: { frontendIPs: [{ name: "front", publicIP: ip("ip", ipTags) }] } });
const api = (...ipTags: readonly JsonObject[]): JsonObject =>
  network({
    apiServerLB: { frontendIPs: [{ name: "c1-public-lb-frontEnd", publicIP: ip("pip-c1-apiserver", ipTags) }] },
  });
const tagFields = (at: string): readonly string[] => [`${at}.ipTags[].type`, `${at}.ipTags[].tag`];
/** Tags of an address, set and changed. */
const tagged = (
  at: string,
  place: (...ipTags: readonly JsonObject[]) => JsonObject,
  base: JsonObject,
): readonly Fixed[] => [
  {
    title: `${at}.ipTags, set`,
    fields: tagFields(at),
    from: patched(base, place()),
    edit: place(tag),
    condition: "PublicIPsReady",
    says: ["RoutingPreference", "Internet"],
  },
  {
    title: `${at}.ipTags, changed`,
    fields: tagFields(at),
    from: patched(base, place(tag)),
    edit: place(other),
    condition: "PublicIPsReady",
    says: ["Internet", "Other"],
  },
];

const target = (name: string): string =>
  `/subscriptions/00000000-0000-4000-8000-000000000001/resourceGroups/hub-rg/providers/Microsoft.Storage/storageAccounts/${name}`;
const connection: JsonObject = { name: "conn", privateLinkServiceID: target("logs"), groupIDs: ["blob"] };
const endpoint = (part: JsonObject): JsonObject => ({
  name: "pe",
  privateLinkServiceConnections: [connection],
  ...part,
});
const connected = (part: JsonObject): JsonObject => ({ privateLinkServiceConnections: [{ ...connection, ...part }] });
const bastion = (privateEndpoint: JsonObject): JsonObject => ({
  bastionSpec: {
    azureBastion: { subnet: { name: "AzureBastionSubnet", role: "bastion", privateEndpoints: [privateEndpoint] } },
  },
});

type Place = (part: JsonObject) => JsonObject;
/** Private endpoints are the same in a subnet for machines and in that of the bastion host. */
const endpointEdits = (at: string, place: Place, address: (last: number) => string): readonly Fixed[] => {
  const fixed = (field: string, from: JsonObject, to: JsonObject, ...says: readonly string[]): Fixed => ({
    title: `${at}.${field}: ${says.join(" to ")}`,
    fields: [`${at}.${field}`],
    from: place(from),
    edit: place(to),
    condition: "PrivateEndpointsReady",
    says,
  });
  const link = "privateLinkServiceConnections[]";
  return [
    fixed("location", {}, { location: "westus" }, '"eastus"', '"westus"'),
    fixed(
      "customNetworkInterfaceName",
      { customNetworkInterfaceName: "nic" },
      { customNetworkInterfaceName: "other" },
      '"nic"',
      '"other"',
    ),
    fixed(`${link}.requestMessage`, {}, connected({ requestMessage: "please" }), "null", '"please"'),
    fixed(`${link}.groupIDs[]`, {}, connected({ groupIDs: ["file"] }), '["blob"]', '["file"]'),
    fixed(
      `${link}.privateLinkServiceID`,
      {},
      connected({ privateLinkServiceID: target("x") }),
      target("logs"),
      target("x"),
    ),
    fixed(`${link}.name`, {}, connected({ name: "other" }), "null", '"name":"other"'),
    fixed("manualApproval", {}, { manualApproval: true }, "null", '"name":"conn"'),
    fixed("privateIPAddresses[]", {}, { privateIPAddresses: [address(9)] }, "null", address(9)),
    fixed(
      "privateIPAddresses[]",
      { privateIPAddresses: [address(9)] },
      { privateIPAddresses: [address(10)] },
      address(9),
      address(10),
    ),
  ];
};
const endpoints: readonly Fixed[] = [
  ...endpointEdits(
    "networkSpec.subnets[].privateEndpoints[]",
    (part) => nodes({ privateEndpoints: [endpoint(part)] }),
    (last) => `10.1.0.${last}`,
  ),
  ...endpointEdits(
    "bastionSpec.azureBastion.subnet.privateEndpoints[]",
    (part) => bastion(endpoint(part)),
    (last) => `10.255.255.${224 + last}`,
  ),
];

/** Edits of what only Azure knows to be fixed. */
export const fixedEdits: readonly Fixed[] = [
  ...["VNetReady", "PublicIPsReady", "LoadBalancersReady"].flatMap((condition): readonly Fixed[] => [
    {
      title: `extendedLocation, changed: ${condition}`,
      fields: ["extendedLocation.name"],
      from: edge("losangeles"),
      edit: edge("miami"),
      condition,
      says: ['"losangeles"', '"miami"'],
    },
    {
      title: `extendedLocation, set: ${condition}`,
      fields: ["extendedLocation.name", "extendedLocation.type"],
      edit: edge("losangeles"),
      condition,
      says: ["it is null", '"losangeles"', '"EdgeZone"'],
    },
  ]),
  {
    title: "zones of a NAT gateway, changed",
    fields: ["networkSpec.subnets[].natGateway.zones[]"],
    from: gateway({ zones: ["1"] }),
    edit: gateway({ zones: ["2"] }),
    condition: "NATGatewaysReady",
    says: ['["1"]', '["2"]'],
  },
  {
    title: "zones of a NAT gateway, set",
    fields: ["networkSpec.subnets[].natGateway.zones[]"],
    edit: gateway({ zones: ["2"] }),
    condition: "NATGatewaysReady",
    says: ["null", '["2"]'],
  },
  ...tagged("networkSpec.subnets[].natGateway.ip", gatewayIp, {}),
  ...tagged("networkSpec.apiServerLB.frontendIPs[].publicIP", api, {}),
  ...tagged("networkSpec.nodeOutboundLB.frontendIPs[].publicIP", (...tags) => out("nodeOutboundLB", ...tags), {}),
  ...tagged(
    "networkSpec.controlPlaneOutboundLB.frontendIPs[].publicIP",
    (...tags) => out("controlPlaneOutboundLB", ...tags),
    internal,
  ),
  ...endpoints,
];
