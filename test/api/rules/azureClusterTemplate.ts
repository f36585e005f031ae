import type { JsonObject } from "../../../src/core/types.ts";
import type { RuleCases } from "../../support/admission/ruleCase.ts";
import { placeCases, sharedNetworkCases } from "./azureCluster.ts";
import { apiServerTypeCases, loadBalancerClassCases } from "./loadBalancerCases.ts";
import { asItem, fieldCase, type Place, within } from "./specPlaces.ts";
import { networkCases, networkNameCases, securityRuleCases, subnetCases } from "./subnetCases.ts";

const spec: Place = {
  field: "spec.template.spec",
  patch: (part: JsonObject) => ({ spec: { template: { spec: part } } }),
};
const network = within(spec, "networkSpec");
const node = asItem(network, "subnets", { name: "node", role: "node" });
const bastionSubnet: Place = {
  field: `${spec.field}.bastionSpec.azureBastion.subnet`,
  patch: (part) => spec.patch({ bastionSpec: { azureBastion: { subnet: { name: "a", role: "bastion", ...part } } } }),
};
const apiServer = within(network, "apiServerLB");

export const azureClusterTemplateCases: RuleCases = {
  kind: "AzureClusterTemplate",
  base: {
    metadata: { name: "template" },
    spec: { template: { spec: { location: "westeurope", networkSpec: {} } } },
  },
  cases: [
    ...placeCases(spec),
    // A class may leave it to a variable.
    fieldCase(spec, "location", "must be of type string", null, 2),
    ...networkCases(network),
    fieldCase(node, "name", "must be given, so that the list is stable", "a", ""),
    ...subnetCases(node),
    // As an earlier provider stored it for a class that asks for a bastion host and no more.
    fieldCase(bastionSubnet, "name", "letters, digits, underscores", "", "a/b"),
    ...securityRuleCases(within(node, "securityGroup")),
    ...networkNameCases(within(node, "natGateway")),
    ...loadBalancerClassCases(apiServer),
    ...apiServerTypeCases(apiServer),
    ...loadBalancerClassCases(within(network, "nodeOutboundLB")),
    ...sharedNetworkCases(network, { type: "Internal" }),
    {
      rule: "must be absent when apiServerLB is Public",
      field: `${network.field}.controlPlaneOutboundLB`,
      accepts: network.patch({ apiServerLB: { type: "Internal" }, controlPlaneOutboundLB: {} }),
      refuses: network.patch({ controlPlaneOutboundLB: {} }),
    },
    {
      rule: "must stay as it is: make a new template under another name and refer to that one",
      field: "spec.template.spec",
      // With the defaults that an earlier provider stored.
      from: spec.patch({
        azureEnvironment: "AzurePublicCloud",
        bastionSpec: {
          azureBastion: {
            subnet: {
              name: "a",
              role: "bastion",
              cidrBlocks: ["10.255.255.224/27"],
              securityGroup: {},
              natGateway: { name: "" },
            },
          },
        },
        networkSpec: {
          vnet: { cidrBlocks: ["10.0.0.0/8"] },
          subnets: [
            {
              name: "cp",
              role: "control-plane",
              cidrBlocks: ["10.0.0.0/16"],
              securityGroup: {},
              natGateway: { name: "" },
            },
            { name: "node", role: "node", cidrBlocks: ["10.1.0.0/16"], securityGroup: {}, natGateway: { name: "" } },
          ],
          apiServerLB: { type: "Public", sku: "Standard", idleTimeoutInMinutes: 4 },
        },
      }),
      accepts: spec.patch({
        azureEnvironment: null,
        bastionSpec: { azureBastion: { subnet: { name: "a", role: "bastion", cidrBlocks: null } } },
        networkSpec: {
          vnet: null,
          subnets: [
            { name: "cp", role: "control-plane" },
            { name: "node", role: "node" },
          ],
          apiServerLB: null,
        },
      }),
      refuses: spec.patch({
        networkSpec: {
          subnets: [
            { name: "cp", role: "control-plane" },
            { name: "node", role: "node", cidrBlocks: ["10.1.1.0/24"] },
          ],
        },
      }),
    },
    {
      rule: "must stay as it is: make a new template under another name and refer to that one",
      field: "spec.template.spec",
      from: {},
      accepts: { metadata: { labels: { a: "b" } } },
      refuses: spec.patch({ location: "eastus" }),
    },
  ],
};
