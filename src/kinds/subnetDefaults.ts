import type { NetworkSpec } from "../api/azureCluster.ts";
import type { SecurityRuleSpec, SubnetSpec } from "../api/network.ts";
import type { Choice, NatGateway, SecurityRule } from "../services/scope.ts";
import { hasIpv6 } from "./cidr.ts";
import { given } from "./given.ts";
import { names } from "./names.ts";
import { publicIp } from "./publicIpDefaults.ts";
import type { ClusterFacts, SettledSubnet } from "./settled.ts";

type Role = SubnetSpec["role"];
type Listed = Partial<SubnetSpec> & Pick<SubnetSpec, "role">;

/** A listed value, or ours where the list is empty. */
export const cidrsOrDefault = (
  asked: readonly string[] | undefined,
  fallback: readonly string[],
): Choice<readonly string[]> =>
  asked === undefined || asked.length === 0 ? { value: fallback, asked: false } : { value: asked, asked: true };

/** A rule of the spec. A priority that is missing shows as 0 and is refused by the validation. */
const securityRule = ({ action, priority, sources, ...rule }: SecurityRuleSpec): SecurityRule => ({
  ...rule,
  access: action ?? "Allow",
  priority: priority ?? 0,
  ...(sources !== undefined && sources.length > 0 && { sources }),
  asked: true,
});

/** What a subnet of a role has when its spec does not say. */
interface RoleDefaults {
  readonly name: string;
  readonly cidr?: string;
  readonly securityGroup?: string;
  readonly routeTable?: string;
  readonly natGateway?: string;
}

/** `nodeIndex` counts the listed node subnets from 1; absent for the one that is made from nothing. */
const roleDefaults = ({ name }: ClusterFacts, role: Role, nodeIndex?: number): RoleDefaults => {
  switch (role) {
    case "cluster":
      return {
        name: names.subnet.cluster(name),
        cidr: "10.0.0.0/16",
        securityGroup: names.securityGroup.cluster(name),
        routeTable: names.routeTable.cluster(name),
        natGateway: names.natGateway.cluster(name),
      };
    case "control-plane":
      return {
        name: names.subnet.controlPlane(name),
        cidr: "10.0.0.0/16",
        securityGroup: names.securityGroup.controlPlane(name),
      };
    case "node":
      return {
        name: names.subnet.node(name, nodeIndex),
        cidr: `10.${nodeIndex ?? 1}.0.0/16`,
        securityGroup: names.securityGroup.node(name),
        routeTable: names.routeTable.node(name),
        natGateway: names.natGateway.node(name, nodeIndex),
      };
    case "bastion":
      return { name: names.subnet.bastion };
  }
};

/**
 * The gateway through which machines of a subnet reach out. None by default where there is an IPv6 range (NAT gateways are
 * IPv4 only here; a load balancer serves instead) or where the spec says that the subnet exists already.
 */
const natGatewayOf = (
  facts: ClusterFacts,
  subnet: Listed,
  cidrs: readonly string[],
  fallback: string | undefined,
): NatGateway | undefined => {
  const implied = hasIpv6(cidrs) || given(subnet.id) !== undefined ? undefined : fallback;
  const name = given(subnet.natGateway?.name) ?? implied;
  if (name === undefined) return undefined;
  const zones = subnet.natGateway?.zones ?? [];
  return {
    name,
    publicIp: publicIp(subnet.natGateway?.ip, names.publicIp.natGateway(name), facts.zones),
    ...(zones.length > 0 && { zones }),
  };
};

const settle = (facts: ClusterFacts, subnet: Listed, path: string, defaults: RoleDefaults): SettledSubnet => {
  const cidrBlocks = cidrsOrDefault(subnet.cidrBlocks, defaults.cidr === undefined ? [] : [defaults.cidr]);
  const securityGroup = given(subnet.securityGroup?.name) ?? defaults.securityGroup;
  const routeTable = given(subnet.routeTable?.name) ?? defaults.routeTable;
  const natGateway = natGatewayOf(facts, subnet, cidrBlocks.value, defaults.natGateway);
  const makesGateway = subnet.role === "node" || subnet.role === "cluster";
  return {
    path,
    name: given(subnet.name) ?? defaults.name,
    role: subnet.role,
    cidrBlocks,
    ...(securityGroup !== undefined && { securityGroup }),
    rules: (subnet.securityGroup?.securityRules ?? []).map(securityRule),
    ...(routeTable !== undefined && { routeTable }),
    ...(natGateway !== undefined && { natGateway: natGateway.name }),
    ...(natGateway !== undefined && makesGateway && { ownNatGateway: natGateway }),
    serviceEndpoints: subnet.serviceEndpoints ?? [],
  };
};

const settleListed = (facts: ClusterFacts, subnets: readonly SubnetSpec[]): readonly SettledSubnet[] =>
  subnets.map((subnet, index) => {
    const nodeIndex = subnets.slice(0, index + 1).filter(({ role }) => role === "node").length;
    return settle(facts, subnet, `spec.networkSpec.subnets[${index}]`, roleDefaults(facts, subnet.role, nodeIndex));
  });

/** Subnets that a spec must have and does not list. */
const missing = (facts: ClusterFacts, subnets: readonly SettledSubnet[]): readonly SettledSubnet[] => {
  const has = (role: Role): boolean => subnets.some((subnet) => subnet.role === role);
  if (has("cluster")) return [];
  const roles: readonly Role[] = facts.controlPlaneEnabled ? ["control-plane", "node"] : ["node"];
  return roles
    .filter((role) => !has(role))
    .map((role) => settle(facts, { role }, `default ${role} subnet`, roleDefaults(facts, role)));
};

/** The subnet of the bastion host, unless it is listed among the others. */
const bastionSubnet = (
  facts: ClusterFacts,
  subnet: SubnetSpec | undefined,
  others: readonly SettledSubnet[],
): readonly SettledSubnet[] => {
  const listed: Listed = { ...subnet, role: "bastion" };
  const settled = settle(facts, listed, "spec.bastionSpec.azureBastion.subnet", {
    name: names.subnet.bastion,
    cidr: "10.255.255.224/27",
  });
  return others.some(({ name }) => name.toLowerCase() === settled.name.toLowerCase()) ? [] : [settled];
};

/** Control-plane subnets share the route table of the machines, so that pods are reached from there too. */
const withSharedRouteTable = (facts: ClusterFacts, subnets: readonly SettledSubnet[]): readonly SettledSubnet[] => {
  const routeTable = subnets.find(({ role }) => role === "node" || role === "cluster")?.routeTable;
  if (!facts.controlPlaneEnabled || routeTable === undefined) return subnets;
  return subnets.map((subnet) =>
    subnet.role === "control-plane" && subnet.routeTable === undefined ? { ...subnet, routeTable } : subnet,
  );
};

/** All subnets of a cluster: the listed ones with their defaults, then those that are implied. */
export const settleSubnets = (
  facts: ClusterFacts,
  network: NetworkSpec,
  bastion: { readonly subnet?: SubnetSpec } | undefined,
): readonly SettledSubnet[] => {
  const listed = settleListed(facts, network.subnets ?? []);
  const machines = withSharedRouteTable(facts, [...listed, ...missing(facts, listed)]);
  return [...machines, ...(bastion === undefined ? [] : bastionSubnet(facts, bastion.subnet, machines))];
};
