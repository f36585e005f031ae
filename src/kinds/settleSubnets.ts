import type { NetworkSpec } from "../api/cluster/azureCluster.ts";
import type { SecurityRuleSpec, SubnetSpec } from "../api/cluster/network.ts";
import type { NatGateway, SecurityRule } from "../services/scope.ts";
import { chosen } from "./asked.ts";
import type { CompleteBastion, CompleteSubnet } from "./complete.ts";
import { given } from "./given.ts";
import { impliedParts } from "./implied.ts";
import type { ClusterFacts, SettledSubnet } from "./settled.ts";
import { settlePrivateEndpoints } from "./settlePrivateEndpoints.ts";
import { settlePublicIp } from "./settlePublicIp.ts";
import { hasOwnGateway } from "./subnetDefaults.ts";

/** A rule of the complete form. A priority that is missing shows as 0, which the definition refuses. */
const securityRule = ({ action, priority, sources, ...rule }: SecurityRuleSpec, asked: boolean): SecurityRule => ({
  ...rule,
  access: action ?? "Allow",
  priority: priority ?? 0,
  ...(sources !== undefined && sources.length > 0 && { sources }),
  asked,
});

const ownGateway = (
  facts: ClusterFacts,
  subnet: CompleteSubnet,
  said: SubnetSpec | undefined,
): NatGateway | undefined => {
  const { name, ip, zones = [] } = subnet.natGateway ?? {};
  if (given(name) === undefined || name === undefined || ip === undefined || !hasOwnGateway(subnet)) return undefined;
  const implied = impliedParts(facts, said).includes("natGateway") ? ({ implied: true } as const) : {};
  return {
    name,
    publicIp: { ...settlePublicIp(facts, ip, said?.natGateway?.ip), ...implied },
    ...(zones.length > 0 && { zones }),
    ...implied,
  };
};

const settle = (
  facts: ClusterFacts,
  subnet: CompleteSubnet,
  said: SubnetSpec | undefined,
  path: string,
): SettledSubnet => {
  const securityGroup = given(subnet.securityGroup?.name);
  const routeTable = given(subnet.routeTable?.name);
  const natGateway = given(subnet.natGateway?.name);
  const ownNatGateway = ownGateway(facts, subnet, said);
  // Rules of ours stand behind those of the spec.
  const askedRules = said?.securityGroup?.securityRules?.length ?? 0;
  return {
    path,
    name: subnet.name,
    role: subnet.role,
    cidrBlocks: chosen(subnet.cidrBlocks, said?.cidrBlocks),
    ...(securityGroup !== undefined && { securityGroup }),
    rules: (subnet.securityGroup?.securityRules ?? []).map((rule, index) => securityRule(rule, index < askedRules)),
    ...(routeTable !== undefined && { routeTable }),
    ...(natGateway !== undefined && { natGateway }),
    ...(ownNatGateway !== undefined && { ownNatGateway }),
    implied: impliedParts(facts, said),
    serviceEndpoints: subnet.serviceEndpoints ?? [],
    privateEndpoints: settlePrivateEndpoints(facts, subnet),
  };
};

/** The subnet of the bastion host, unless it is listed among the others. */
const bastionSubnet = (
  facts: ClusterFacts,
  { subnet }: CompleteBastion,
  said: SubnetSpec | undefined,
  others: readonly SettledSubnet[],
): readonly SettledSubnet[] =>
  others.some(({ name }) => name.toLowerCase() === subnet.name.toLowerCase())
    ? []
    : [settle(facts, subnet, said, "spec.bastionSpec.azureBastion.subnet")];

/** All subnets of a cluster. `said` and `saidBastion`: what the spec itself has in their places. */
export const settleSubnets = (
  facts: ClusterFacts,
  complete: { readonly subnets: readonly CompleteSubnet[]; readonly bastion: CompleteBastion | undefined },
  said: NetworkSpec["subnets"] = [],
  saidBastion?: SubnetSpec,
): readonly SettledSubnet[] => {
  const machines = complete.subnets.map((subnet, index) => {
    const listed = said[index];
    const path = listed === undefined ? `default ${subnet.role} subnet` : `spec.networkSpec.subnets[${index}]`;
    return settle(facts, subnet, listed, path);
  });
  const { bastion } = complete;
  return [...machines, ...(bastion === undefined ? [] : bastionSubnet(facts, bastion, saidBastion, machines))];
};
