import type { JsonObject } from "../../../src/core/types.ts";
import { patched } from "../../support/admission/admissionServer.ts";
import { type Carried, nodes } from "./editCase.ts";

const ref = (part: JsonObject): JsonObject => ({ identityRef: { name: "sp", kind: "AzureClusterIdentity", ...part } });
const identityField = (name: string): string => `identityRef.${name}`;

/** Everything of the default cluster that has tags. */
const tagged: readonly string[] = [
  "resourceGroups/c1",
  "virtualNetworks/c1-vnet",
  "networkSecurityGroups/c1-controlplane-nsg",
  "networkSecurityGroups/c1-node-nsg",
  "routeTables/c1-node-routetable",
  "publicIPAddresses/pip-c1-apiserver",
  "publicIPAddresses/pip-c1-node-natgw-1",
  "natGateways/c1-node-natgw-1",
  "loadBalancers/c1-public-lb",
];
const tagsWrite = (path: string): readonly string[] => tagged.map((id) => `PATCH ${id}: tags.${path}`);

const bastion = (azureBastion: JsonObject): JsonObject => ({ bastionSpec: { azureBastion } });
const host = (subnet: JsonObject): JsonObject =>
  bastion({ subnet: { name: "AzureBastionSubnet", role: "bastion", ...subnet } });
const bastionField = (name: string): string => `bastionSpec.azureBastion.${name}`;
const rule: JsonObject = { name: "r", description: "d", protocol: "Tcp", direction: "Inbound", priority: 300 };

const target =
  "/subscriptions/00000000-0000-4000-8000-000000000001/resourceGroups/hub-rg/providers/Microsoft.Storage/storageAccounts/logs";
const group = (name: string): string =>
  `/subscriptions/00000000-0000-4000-8000-000000000001/resourceGroups/hub-rg/providers/Microsoft.Network/applicationSecurityGroups/${name}`;
const connection: JsonObject = { name: "conn", privateLinkServiceID: target, groupIDs: ["blob"] };
const endpoint = (part: JsonObject = {}): JsonObject => ({
  name: "pe",
  privateLinkServiceConnections: [connection],
  ...part,
});

type Place = (...privateEndpoints: readonly JsonObject[]) => JsonObject;
const write = (...paths: readonly string[]): readonly string[] => [
  `PUT privateEndpoints/pe: ${paths.map((path) => `properties.${path}`).join(", ")}`,
];

/** Private endpoints are the same in a subnet for machines and in that of the bastion host. */
const privateEndpointEdits = (where: string, at: string, place: Place, base: JsonObject): readonly Carried[] => {
  const field = (name: string): string => `${at}.privateEndpoints[].${name}`;
  const from = patched(base, place(endpoint()));
  return [
    {
      title: `a private endpoint in ${where} comes and goes`,
      fields: [field("name"), field("location"), field("manualApproval")],
      from: base,
      steps: [
        [place(endpoint()), ["PUT privateEndpoints/pe (new)"]],
        [place(endpoint({ location: "eastus", manualApproval: false })), []],
        [place(endpoint({ name: "second" }), endpoint()), ["PUT privateEndpoints/second (new)"]],
        [place(endpoint(), endpoint({ name: "second" })), []],
        [place(endpoint()), ["DELETE privateEndpoints/second"]],
        [place(), ["DELETE privateEndpoints/pe"]],
      ],
    },
    {
      title: `application security groups of a private endpoint in ${where}`,
      fields: [field("applicationSecurityGroups[]")],
      from,
      steps: [
        [place(endpoint({ applicationSecurityGroups: [group("asg")] })), write("applicationSecurityGroups")],
        [
          place(endpoint({ applicationSecurityGroups: [group("asg"), group("asg2")] })),
          write("applicationSecurityGroups"),
        ],
        [place(endpoint({ applicationSecurityGroups: [group("asg2"), group("asg")] })), []],
        [place(endpoint()), write("applicationSecurityGroups")],
      ],
    },
  ];
};

/** Edits of the cluster itself, its bastion host and private endpoints that are carried out. */
export const clusterEdits: readonly Carried[] = [
  {
    title: "parts of the reference to an identity that are not read",
    fields: ["apiVersion", "fieldPath", "resourceVersion", "uid", "namespace", "kind", "name"].map(identityField),
    steps: [
      [ref({ apiVersion: "v1", fieldPath: "x", resourceVersion: "7", uid: "u", namespace: "default" }), []],
      [ref({ apiVersion: "v2", fieldPath: "", resourceVersion: "", uid: "", namespace: "" }), []],
    ],
  },
  {
    title: "tags of everything",
    fields: ["additionalTags{}"],
    steps: [
      [{ additionalTags: { team: "blue" } }, tagsWrite("team")],
      [{ additionalTags: { team: "red" } }, tagsWrite("team")],
      [{ additionalTags: { team: null } }, tagsWrite("team")],
    ],
  },
  {
    title: "zones of the control plane, and attributes that nobody reads",
    fields: ["failureDomains{}.controlPlane", "failureDomains{}.attributes{}"],
    steps: [
      [{ failureDomains: { 1: { controlPlane: true, attributes: { a: "b" } } } }, []],
      [{ failureDomains: null }, []],
    ],
  },
  {
    title: "a bastion host comes",
    fields: [bastionField("name")],
    steps: [
      [
        bastion({}),
        [
          "PUT publicIPAddresses/c1-azure-bastion-pip (new)",
          "PUT virtualNetworks/c1-vnet/subnets/AzureBastionSubnet (new)",
          "PUT bastionHosts/c1-azure-bastion (new)",
        ],
      ],
    ],
  },
  {
    title: "what says nothing of a bastion host's subnet",
    fields: [
      "role",
      "id",
      "securityGroup.id",
      "securityGroup.tags{}",
      "securityGroup.securityRules[]…",
      "routeTable.id",
      "natGateway.id",
      "natGateway.ip.name",
      "natGateway.ip.dnsName",
      "natGateway.ip.ipTags[].type",
      "natGateway.ip.ipTags[].tag",
      "natGateway.zones[]",
    ].map((name) => bastionField(`subnet.${name}`)),
    from: bastion({}),
    steps: [
      [
        host({
          role: "node",
          id: "/x",
          securityGroup: { name: "", id: "/x", tags: { a: "b" }, securityRules: [rule] },
          routeTable: { name: "", id: "/x" },
          natGateway: {
            name: "",
            id: "/x",
            ip: { name: "ip", dnsName: "out.eastus.cloudapp.azure.com", ipTags: [{ type: "a", tag: "b" }] },
            zones: ["1"],
          },
        }),
        [],
      ],
      [bastion({ subnet: null }), []],
    ],
  },
  {
    title: "service endpoints of a bastion host's subnet",
    fields: ["service", "locations[]"].map((name) => bastionField(`subnet.serviceEndpoints[].${name}`)),
    from: bastion({}),
    steps: [
      [
        host({ serviceEndpoints: [{ service: "Microsoft.Storage", locations: ["eastus"] }] }),
        ["PUT virtualNetworks/c1-vnet/subnets/AzureBastionSubnet: properties.serviceEndpoints"],
      ],
      [
        host({ serviceEndpoints: [{ service: "Microsoft.Storage", locations: ["eastus", "westus"] }] }),
        ["PUT virtualNetworks/c1-vnet/subnets/AzureBastionSubnet: properties.serviceEndpoints"],
      ],
    ],
  },
  ...privateEndpointEdits(
    "a subnet for nodes",
    "networkSpec.subnets[]",
    (...privateEndpoints) => nodes({ privateEndpoints }),
    {},
  ),
  ...privateEndpointEdits(
    "the bastion host's subnet",
    bastionField("subnet"),
    (...privateEndpoints) => host({ privateEndpoints }),
    bastion({}),
  ),
];
