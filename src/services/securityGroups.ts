import { byDefault, type Marked } from "../core/marked.ts";
import { defineService } from "../core/service.ts";
import type { NetworkSecurityGroupBody } from "../wire/generated/network.ts";
import { ids } from "./ids.ts";
import type { ClusterScope, SecurityRule } from "./scope.ts";
import { ownedTags } from "./tags.ts";

type RuleBody = NonNullable<NonNullable<NetworkSecurityGroupBody["properties"]>["securityRules"]>[number];

const at = (field: string): string => `properties.securityRules[].properties.${field}`;

const ruleBody = (rule: SecurityRule): Marked<RuleBody> => {
  const body: RuleBody = {
    name: rule.name,
    properties: {
      description: rule.description,
      protocol: rule.protocol,
      direction: rule.direction,
      access: rule.access,
      priority: rule.priority,
      ...(rule.sourcePorts !== undefined && { sourcePortRange: rule.sourcePorts }),
      ...(rule.destinationPorts !== undefined && { destinationPortRange: rule.destinationPorts }),
      ...(rule.source !== undefined && { sourceAddressPrefix: rule.source }),
      ...(rule.sources !== undefined && { sourceAddressPrefixes: rule.sources }),
      ...(rule.destination !== undefined && { destinationAddressPrefix: rule.destination }),
    },
  };
  return rule.asked ? body : byDefault<RuleBody>(body);
};

/**
 * Network security groups, one per distinct name among the subnets, with the rules of all of them. Rules that others add
 * (the cloud provider, for Services) stay; a rule that left the spec goes by what we remember to have applied.
 */
export const securityGroups = defineService<ClusterScope, NetworkSecurityGroupBody>({
  name: "securityGroups",
  label: "securitygroups",
  type: "Microsoft.Network/networkSecurityGroups",
  condition: "SecurityGroupsReady",
  after: ["resourceGroups", "virtualNetworks"],
  ownership: "tag",
  remove: "withGroup",
  lastApplied: { annotation: "security-rules", holds: "securityRules" },
  rules: {
    writes: "overlay",
    immutable: ["location"],
    oneOf: [
      [at("sourceAddressPrefix"), at("sourceAddressPrefixes"), at("sourceApplicationSecurityGroups")],
      [at("destinationAddressPrefix"), at("destinationAddressPrefixes"), at("destinationApplicationSecurityGroups")],
      [at("sourcePortRange"), at("sourcePortRanges")],
      [at("destinationPortRange"), at("destinationPortRanges")],
    ],
    sets: [
      at("sourceAddressPrefixes"),
      at("destinationAddressPrefixes"),
      at("sourcePortRanges"),
      at("destinationPortRanges"),
    ],
    compare: {
      [at("protocol")]: "ignoreCase",
      [at("access")]: "ignoreCase",
      [at("direction")]: "ignoreCase",
      [at("sourceAddressPrefix")]: "address",
      [at("sourceAddressPrefixes")]: "address",
      [at("destinationAddressPrefix")]: "address",
      [at("destinationAddressPrefixes")]: "address",
    },
    absentMeans: { "properties.flushConnection": false, [at("description")]: "" },
    exclusive: { "properties.securityRules[]": ["properties.priority", "properties.direction"] },
    tells: ["properties.securityRules"],
  },
  desired: (scope) =>
    scope.securityGroups.map(({ name, rules }) => ({
      id: ids.securityGroup(scope, name),
      onlyBeside: ids.virtualNetwork(scope),
      body: {
        location: scope.location,
        tags: ownedTags(scope, { name }),
        properties: rules.length === 0 ? {} : { securityRules: rules.map(ruleBody) },
      },
    })),
});
