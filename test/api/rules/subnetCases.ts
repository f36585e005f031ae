import type { RuleCase } from "../../support/admission/ruleCase.ts";
import { asItem, fieldCase, itemsCase, lengthCase, type Place, twiceCase, within } from "./specPlaces.ts";

const networkName = "must have at most 80 letters, digits, underscores";

/** A name in Azure of a field below a place. */
export const networkNameCases = (place: Place, field = "name"): readonly RuleCase[] => [
  fieldCase(place, field, networkName, "a_b.c-1", "a/b"),
  lengthCase(place, field, 80),
];

export const resourceGroupCases = (place: Place, field: string): readonly RuleCase[] => [
  fieldCase(place, field, "and not end with a dot", "a.(b)", "a."),
  lengthCase(place, field, 90),
];

export const publicIpCases = (place: Place): readonly RuleCase[] => [
  ...networkNameCases(place),
  fieldCase(place, "dnsName", "must begin with a label of 3 to 63", "abc.example.com", "Abc.example.com"),
  lengthCase(place, "dnsName", 253, (length) => `abc.${"a".repeat(length - 4)}`),
  itemsCase(place, "ipTags", 50, () => ({ type: "RoutingPreference", tag: "Internet" })),
];

const rule = { name: "a", description: "", protocol: "Tcp", direction: "Inbound", priority: 100 };

export const securityRuleCases = (group: Place): readonly RuleCase[] => {
  const item = asItem(group, "securityRules", rule);
  return [
    fieldCase(item, "priority", "must be from 100 to 4096", 4096, 99),
    {
      rule: "must not stand beside source: use one of them",
      field: `${item.field}.sources`,
      accepts: item.patch({ source: "", sources: ["10.0.0.0/8"] }),
      refuses: item.patch({ source: "*", sources: ["10.0.0.0/8"] }),
    },
    ...networkNameCases(item),
    itemsCase(group, "securityRules", 1000, (index) => ({ ...rule, name: `a${index}` })),
    twiceCase(group, "securityRules", rule, "securityRules[1]"),
  ];
};

const connection = {
  privateLinkServiceID: "/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/a",
};
const endpoint = { name: "a", privateLinkServiceConnections: [connection] };

const endpointCases = (subnet: Place): readonly RuleCase[] => {
  const item = asItem(subnet, "privateEndpoints", endpoint);
  const link = asItem(item, "privateLinkServiceConnections", connection);
  return [
    fieldCase(item, "name", "must be given", "a", ""),
    ...networkNameCases(item),
    itemsCase(subnet, "privateEndpoints", 32, (index) => ({ ...endpoint, name: `a${index}` })),
    twiceCase(subnet, "privateEndpoints", endpoint, "privateEndpoints[1]"),
    fieldCase(item, "privateLinkServiceConnections", "must have a connection", [connection], []),
    itemsCase(item, "privateLinkServiceConnections", 4, () => connection),
    ...networkNameCases(link),
    fieldCase(
      link,
      "privateLinkServiceID",
      "must be a resource id",
      connection.privateLinkServiceID,
      "storageAccounts/a",
    ),
    lengthCase(link, "privateLinkServiceID", 512, (length) => connection.privateLinkServiceID.padEnd(length, "a")),
    itemsCase(item, "privateIPAddresses", 16, (index) => `10.1.0.${index + 4}`),
    fieldCase(item, "privateIPAddresses", "must be an IP address", ["10.1.0.4"], ["10.1.0"], "privateIPAddresses[0]"),
    {
      ...lengthCase(item, "privateIPAddresses", 45),
      field: `${item.field}.privateIPAddresses[0]`,
      accepts: item.patch({ privateIPAddresses: ["2001:db8::1"] }),
      refuses: item.patch({ privateIPAddresses: ["1".repeat(46)] }),
    },
    {
      rule: "must have only addresses inside the subnet",
      field: `${subnet.field}.privateEndpoints`,
      accepts: subnet.patch({
        cidrBlocks: ["10.1.0.0/16"],
        privateEndpoints: [{ ...endpoint, privateIPAddresses: ["10.1.0.4"] }],
      }),
      refuses: subnet.patch({
        cidrBlocks: ["10.1.0.0/16"],
        privateEndpoints: [{ ...endpoint, privateIPAddresses: ["10.2.0.4"] }],
      }),
    },
  ];
};

const service = { service: "Microsoft.Storage", locations: ["*"] };

const serviceCases = (subnet: Place): readonly RuleCase[] => {
  const item = asItem(subnet, "serviceEndpoints", service);
  const letters = (index: number) => String.fromCodePoint(97 + (index % 26)).repeat(1 + Math.floor(index / 26));
  return [
    fieldCase(item, "service", "must look like Microsoft.Storage", "Microsoft.Sql", "Storage"),
    {
      ...lengthCase(item, "service", 100),
      accepts: item.patch({ service: `Microsoft.${"a".repeat(84)}` }),
      refuses: item.patch({ service: `Microsoft.${"a".repeat(91)}` }),
    },
    fieldCase(item, "locations", "must name a region, or *", ["*"], []),
    fieldCase(item, "locations", "must be a region such as westus2, or *", ["westus2"], ["West US 2"], "locations[0]"),
    {
      ...lengthCase(item, "locations", 47),
      field: `${item.field}.locations[0]`,
      accepts: item.patch({ locations: ["a".repeat(47)] }),
      refuses: item.patch({ locations: ["a".repeat(48)] }),
    },
    itemsCase(item, "locations", 32, letters),
    twiceCase(item, "locations", "westus2", "locations[1]"),
    itemsCase(subnet, "serviceEndpoints", 32, (index) => ({ ...service, service: `Microsoft.${letters(index)}` })),
    twiceCase(subnet, "serviceEndpoints", service, "serviceEndpoints[1]"),
  ];
};

const rangeCases = (subnet: Place): readonly RuleCase[] => [
  fieldCase(
    subnet,
    "cidrBlocks",
    "must be a CIDR block such as 10.0.0.0/16",
    ["10.1.0.0/16"],
    ["10.1.0.0"],
    "cidrBlocks[0]",
  ),
  {
    ...lengthCase(subnet, "cidrBlocks", 43),
    field: `${subnet.field}.cidrBlocks[0]`,
    accepts: subnet.patch({ cidrBlocks: ["10.1.0.0/16"] }),
    refuses: subnet.patch({ cidrBlocks: ["1".repeat(44)] }),
  },
  fieldCase(subnet, "cidrBlocks", "must be at least a /29", ["10.1.0.0/29"], ["10.1.0.0/30"], "cidrBlocks[0]"),
  itemsCase(subnet, "cidrBlocks", 4, (index) => `10.${index + 1}.0.0/16`),
  fieldCase(
    subnet,
    "cidrBlocks",
    "must be ranges that do not overlap",
    ["10.1.0.0/24", "10.1.1.0/24"],
    ["10.1.0.0/16", "10.1.1.0/24"],
  ),
];

/** What one subnet is held to, wherever it stands. */
export const subnetCases = (subnet: Place): readonly RuleCase[] => [
  ...networkNameCases(subnet),
  ...rangeCases(subnet),
  ...serviceCases(subnet),
  ...endpointCases(subnet),
];

/** What the virtual network and its subnets are to each other; `network` holds `vnet` and `subnets`. */
export const networkCases = (network: Place): readonly RuleCase[] => {
  const subnet = (name: string, ...cidrBlocks: readonly string[]) => ({ name, role: "node", cidrBlocks });
  const many = () =>
    Array.from({ length: 64 }, (_, index) =>
      subnet(`subnet-${index}`, ...[0, 1, 2, 3].map((part) => `10.${index}.${part}.0/24`)),
    );
  const v6 = "2001:db8:0:0::/48";
  const vnetPlace = within(network, "vnet");
  const peering = asItem(vnetPlace, "peerings", { remoteVnetName: "hub" });
  return [
    {
      rule: "must have the prefix length 64, as Azure demands of IPv6 subnets",
      field: `${network.field}.subnets[0].cidrBlocks[0]`,
      accepts: network.patch({ vnet: { cidrBlocks: [v6] }, subnets: [subnet("a", "2001:db8::/64")] }),
      refuses: network.patch({ vnet: { cidrBlocks: [v6] }, subnets: [subnet("a", "2001:db8::/65")] }),
    },
    {
      rule: "must be subnets whose ranges do not overlap",
      field: `${network.field}.subnets`,
      accepts: network.patch({ subnets: [subnet("a", "10.1.0.0/24"), subnet("b", "10.1.1.0/24")] }),
      refuses: network.patch({ subnets: [subnet("a", "10.1.0.0/16"), subnet("b", "10.2.0.0/16", "10.1.1.0/24")] }),
    },
    {
      rule: `do not overlap: a (10.1.0.0/16), b (10.1.1.0/24)`,
      field: `${network.field}.subnets`,
      accepts: network.patch({ subnets: [subnet("a", "10.1.0.0/24"), subnet("b", "10.1.1.0/24")] }),
      refuses: network.patch({
        subnets: [subnet("b", "10.1.1.0/24"), subnet("a", "10.1.0.0/16"), subnet("c", "10.4.0.0/24")],
      }),
    },
    {
      // As many as one may list.
      rule: "must be subnets whose ranges do not overlap",
      field: `${network.field}.subnets`,
      accepts: network.patch({ subnets: many() }),
      refuses: network.patch({ subnets: [...many().slice(1), subnet("last", "10.63.3.128/29")] }),
    },
    {
      rule: "must be subnets inside the virtual network",
      field: `${network.field}.subnets`,
      accepts: network.patch({ vnet: { cidrBlocks: ["10.0.0.0/16"] }, subnets: [subnet("a", "10.0.1.0/24")] }),
      refuses: network.patch({ vnet: { cidrBlocks: ["10.0.0.0/16"] }, subnets: [subnet("a", "10.0.0.0/15")] }),
    },
    {
      rule: `must be subnets inside the virtual network's 10.0.0.0/8: not a (`,
      field: `${network.field}.subnets`,
      accepts: network.patch({ subnets: [subnet("a", "10.0.1.0/24")] }),
      refuses: network.patch({ subnets: [subnet("a", "172.16.0.0/24")] }),
    },
    {
      rule: "must be subnets whose names differ in more than their case",
      field: `${network.field}.subnets`,
      accepts: network.patch({ subnets: [subnet("a"), subnet("b")] }),
      refuses: network.patch({ subnets: [subnet("a"), subnet("A")] }),
    },
    {
      rule: "must have at most one subnet of the role cluster",
      field: `${network.field}.subnets`,
      accepts: network.patch({ subnets: [{ name: "a", role: "cluster" }] }),
      refuses: network.patch({
        subnets: [
          { name: "a", role: "cluster" },
          { name: "b", role: "cluster" },
        ],
      }),
    },
    itemsCase(network, "subnets", 64, (index) => subnet(`a${index}`)),
    twiceCase(network, "subnets", subnet("a"), "subnets[1]"),
    fieldCase(
      vnetPlace,
      "cidrBlocks",
      "must be a CIDR block such as 10.0.0.0/16",
      ["10.1.0.0/16"],
      ["10.1.0.0/33"],
      "cidrBlocks[0]",
    ),
    {
      ...lengthCase(vnetPlace, "cidrBlocks", 43),
      field: `${vnetPlace.field}.cidrBlocks[0]`,
      accepts: vnetPlace.patch({ cidrBlocks: ["10.1.0.0/16"] }),
      refuses: vnetPlace.patch({ cidrBlocks: ["1".repeat(44)] }),
    },
    itemsCase(vnetPlace, "cidrBlocks", 64, (index) => `10.${index}.0.0/16`),
    fieldCase(
      vnetPlace,
      "cidrBlocks",
      "must be ranges that do not overlap",
      ["10.1.0.0/16"],
      ["10.1.0.0/16", "10.0.0.0/8"],
    ),
    fieldCase(peering, "remoteVnetName", "must have at most 64 letters", "hub", "-hub"),
    lengthCase(peering, "remoteVnetName", 64),
    ...resourceGroupCases(peering, "resourceGroup"),
    itemsCase(vnetPlace, "peerings", 200, (index) => ({ remoteVnetName: `hub${index}` })),
    fieldCase(
      vnetPlace,
      "peerings",
      "must name each remote network once",
      [{ remoteVnetName: "hub" }, { remoteVnetName: "hub", resourceGroup: "other" }],
      [{ remoteVnetName: "hub" }, { remoteVnetName: "HUB" }],
    ),
  ];
};
