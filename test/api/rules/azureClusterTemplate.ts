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
    ...networkCases(network),
    fieldCase(node, "name", "must be given, so that the list is stable", "a", ""),
    ...subnetCases(node),
    fieldCase(bastionSubnet, "name", "must be given, so that the list is stable", "a", ""),
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
      from: {},
      accepts: { metadata: { labels: { a: "b" } } },
      refuses: spec.patch({ location: "eastus" }),
    },
  ],
};
