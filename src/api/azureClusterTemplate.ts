import { Type } from "typebox";
import { azureClusterSpec } from "./azureCluster.ts";
import { loadBalancerSpec } from "./loadBalancer.ts";
import { subnetSpec, vnetSpec } from "./network.ts";
import { listMap, text } from "./schema.ts";
import { templateMeta } from "./templateMeta.ts";

/** A template has the fields of an AzureCluster that many clusters can share: no names, addresses or groups. */

const cluster = azureClusterSpec.properties;
const subnet = subnetSpec.properties;

const subnetTemplate = Type.Object(
  {
    ...Type.Pick(subnetSpec, ["name", "role", "cidrBlocks", "serviceEndpoints", "privateEndpoints"]).properties,
    securityGroup: Type.Optional(
      Type.Object(Type.Pick(subnet.securityGroup, ["securityRules", "tags"]).properties, {
        description: "Security group of the subnet.",
      }),
    ),
    natGateway: Type.Optional(
      Type.Object({ name: text("Name in Azure.") }, { description: "NAT gateway of the subnet." }),
    ),
  },
  { description: "One subnet of the virtual network." },
);

const loadBalancerTemplate = (description: string) =>
  Type.Object(Type.Pick(loadBalancerSpec, ["sku", "type", "idleTimeoutInMinutes"]).properties, { description });

const networkTemplate = Type.Object(
  {
    ...Type.Pick(cluster.networkSpec, [
      "additionalAPIServerLBPorts",
      "privateDNSZoneName",
      "privateDNSZoneResourceGroup",
    ]).properties,
    vnet: Type.Optional(
      Type.Object(Type.Pick(vnetSpec, ["cidrBlocks", "tags", "peerings"]).properties, {
        description: "The virtual network.",
      }),
    ),
    subnets: Type.Optional(listMap("Subnets of the virtual network.", "name", subnetTemplate)),
    apiServerLB: Type.Optional(loadBalancerTemplate("The load balancer in front of the API server.")),
    nodeOutboundLB: Type.Optional(loadBalancerTemplate("Outbound load balancer of workers.")),
    controlPlaneOutboundLB: Type.Optional(
      loadBalancerTemplate("Outbound load balancer of control-plane machines behind an internal API server."),
    ),
  },
  { description: "Virtual network and load balancers." },
);

const bastionTemplate = Type.Object(
  {
    azureBastion: Type.Optional(
      Type.Object(
        { subnet: Type.Optional(subnetTemplate) },
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
      spec: Type.Object(
        {
          ...Type.Pick(azureClusterSpec, [
            "location",
            "subscriptionID",
            "azureEnvironment",
            "identityRef",
            "additionalTags",
            "extendedLocation",
            "failureDomains",
            "cloudProviderConfigOverrides",
          ]).properties,
          bastionSpec: Type.Optional(bastionTemplate),
          networkSpec: Type.Optional(networkTemplate),
        },
        { description: "The Azure side of the cluster." },
      ),
    },
    { description: "The cluster to make." },
  ),
});
