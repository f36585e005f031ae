import { Type } from "typebox";
import { listMap, type Rule, ruled, text } from "../schema.ts";
import { templateMeta } from "../templateMeta.ts";
import { azureClusterSpec } from "./azureCluster.ts";
import { networkName } from "./azureNames.ts";
import { mostSubnets, sharedNetworkFields } from "./clusterNetwork.ts";
import { templateClusterRules } from "./clusterRules.ts";
import { apiServerType, loadBalancerSpec } from "./loadBalancer.ts";
import { endpointsAtHome, subnetSpec, vnetSpec } from "./network.ts";
import { networkRules, subnetListRules } from "./networkRules.ts";
import { samePeer } from "./peeringRules.ts";

/** A template has the fields of an AzureCluster that many clusters can share: no names, addresses or groups. */

const subnet = subnetSpec.properties;

const subnetFields = {
  ...Type.Pick(subnetSpec, ["role", "cidrBlocks", "serviceEndpoints", "privateEndpoints"]).properties,
  securityGroup: Type.Optional(
    Type.Object(Type.Pick(subnet.securityGroup, ["securityRules", "tags"]).properties, {
      description: "Security group of the subnet.",
    }),
  ),
  natGateway: Type.Optional(
    Type.Object({ name: networkName("Name in Azure.") }, { description: "NAT gateway of the subnet." }),
  ),
};

const subnetTemplate = ruled(
  Type.Object(
    {
      name: ruled(subnet.name, { rule: "self != ''", message: "must be given, so that the list is stable" }),
      ...subnetFields,
    },
    { description: "One subnet of the virtual network." },
  ),
  endpointsAtHome,
);

/** An earlier provider stored it without a name wherever a class asked for a bastion host and no more. */
const bastionSubnetTemplate = ruled(
  Type.Object({ name: subnet.name, ...subnetFields }, { description: "The subnet of the bastion host." }),
  endpointsAtHome,
);

const loadBalancerTemplate = (description: string) =>
  Type.Object(Type.Pick(loadBalancerSpec, ["sku", "type", "idleTimeoutInMinutes"]).properties, { description });

/** The group of the cluster is not known yet, so peers without one are peers in one group. */
const peersDiffer: Rule = {
  rule: `!has(self.peerings) || self.peerings.all(p, self.peerings.exists_one(q, ${samePeer("''")}))`,
  message: "must name each remote network once",
  fieldPath: ".peerings",
};

const networkTemplate = Type.Object(
  {
    ...sharedNetworkFields,
    vnet: Type.Optional(
      ruled(
        Type.Object(Type.Pick(vnetSpec, ["cidrBlocks", "tags", "peerings"]).properties, {
          description: "The virtual network.",
        }),
        peersDiffer,
      ),
    ),
    subnets: Type.Optional(
      ruled(
        listMap("Subnets of the virtual network.", "name", subnetTemplate, { maxItems: mostSubnets }),
        ...subnetListRules,
      ),
    ),
    apiServerLB: Type.Optional(
      ruled(loadBalancerTemplate("The load balancer in front of the API server."), apiServerType),
    ),
    nodeOutboundLB: Type.Optional(loadBalancerTemplate("Outbound load balancer of workers.")),
    controlPlaneOutboundLB: Type.Optional(
      loadBalancerTemplate("Outbound load balancer of control-plane machines behind an internal API server."),
    ),
  },
  { description: "Virtual network and load balancers." },
);
const ruledNetwork = ruled(networkTemplate, ...networkRules);

const bastionTemplate = Type.Object(
  {
    azureBastion: Type.Optional(
      Type.Object(
        { subnet: Type.Optional(bastionSubnetTemplate) },
        { description: "Azure Bastion; its presence, even empty, asks for one." },
      ),
    ),
  },
  { description: "How people reach machines that have no public address." },
);

/** What Cluster API makes AzureClusters from. */
export const azureClusterTemplateSpec = Type.Object({
  template: Type.Object(
    {
      metadata: Type.Optional(templateMeta),
      spec: ruled(
        Type.Object(
          {
            location: text("Azure region; may be empty where the class patches it.", { maxLength: 100, default: "" }),
            ...Type.Pick(azureClusterSpec, [
              "subscriptionID",
              "azureEnvironment",
              "identityRef",
              "additionalTags",
              "extendedLocation",
              "failureDomains",
              "cloudProviderConfigOverrides",
            ]).properties,
            bastionSpec: Type.Optional(bastionTemplate),
            networkSpec: Type.Optional(ruledNetwork),
          },
          { description: "The Azure side of the cluster." },
        ),
        ...templateClusterRules,
      ),
    },
    { description: "The cluster to make." },
  ),
});
