import type { NetworkSpec } from "../api/cluster/azureCluster.ts";
import type { SecurityRuleSpec, SubnetSpec } from "../api/cluster/network.ts";
import { hasIpv6 } from "./cidr.ts";
import type { CompleteSubnet } from "./complete.ts";
import { given } from "./given.ts";
import { names } from "./names.ts";
import type { ClusterFacts } from "./settled.ts";

type Role = SubnetSpec["role"];
type Listed = Partial<SubnetSpec> & Pick<SubnetSpec, "role">;

/** Listed ranges, or ours where the list is empty. */
export const rangesOr = (listed: readonly string[] | undefined, fallback: readonly string[]): readonly string[] =>
  listed === undefined || listed.length === 0 ? fallback : listed;

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

/** Only machines that nobody reaches from outside have a gateway of their own; other subnets name one at most. */
export const hasOwnGateway = ({ role }: Pick<SubnetSpec, "role">): boolean => role === "node" || role === "cluster";

/**
 * The gateway through which machines of a subnet reach out. None by default where there is an IPv6 range (NAT gateways are
 * IPv4 only here; a load balancer serves instead) or where the spec says that the subnet exists already.
 */
const gatewayOf = (
  subnet: Listed,
  cidrs: readonly string[],
  fallback: string | undefined,
): SubnetSpec["natGateway"] => {
  const implied = hasIpv6(cidrs) || given(subnet.id) !== undefined ? undefined : fallback;
  const name = given(subnet.natGateway?.name) ?? implied;
  if (name === undefined || !hasOwnGateway(subnet)) return subnet.natGateway;
  const ip = { ...subnet.natGateway?.ip, name: given(subnet.natGateway?.ip?.name) ?? names.publicIp.natGateway(name) };
  return { ...subnet.natGateway, name, ip };
};

const withAction = (rule: SecurityRuleSpec): SecurityRuleSpec => ({ ...rule, action: rule.action ?? "Allow" });

const complete = (subnet: Listed, defaults: RoleDefaults): CompleteSubnet => {
  const cidrBlocks = rangesOr(subnet.cidrBlocks, defaults.cidr === undefined ? [] : [defaults.cidr]);
  const securityGroup = given(subnet.securityGroup?.name) ?? defaults.securityGroup;
  const routeTable = given(subnet.routeTable?.name) ?? defaults.routeTable;
  const natGateway = gatewayOf(subnet, cidrBlocks, defaults.natGateway);
  return {
    ...subnet,
    name: given(subnet.name) ?? defaults.name,
    cidrBlocks,
    ...(securityGroup !== undefined && {
      securityGroup: {
        ...subnet.securityGroup,
        name: securityGroup,
        securityRules: (subnet.securityGroup?.securityRules ?? []).map(withAction),
      },
    }),
    ...(routeTable !== undefined && { routeTable: { ...subnet.routeTable, name: routeTable } }),
    ...(natGateway !== undefined && { natGateway }),
  };
};

const completeListed = (facts: ClusterFacts, subnets: readonly SubnetSpec[]): readonly CompleteSubnet[] =>
  subnets.map((subnet, index) => {
    const nodeIndex = subnets.slice(0, index + 1).filter(({ role }) => role === "node").length;
    return complete(subnet, roleDefaults(facts, subnet.role, nodeIndex));
  });

/** Subnets that a spec must have and does not list. */
const missing = (facts: ClusterFacts, subnets: readonly SubnetSpec[]): readonly CompleteSubnet[] => {
  const has = (role: Role): boolean => subnets.some((subnet) => subnet.role === role);
  if (has("cluster")) return [];
  const roles: readonly Role[] = facts.controlPlaneEnabled ? ["control-plane", "node"] : ["node"];
  return roles.filter((role) => !has(role)).map((role) => complete({ role }, roleDefaults(facts, role)));
};

/** Control-plane subnets share the route table of the machines, so that pods are reached from there too. */
const withSharedRouteTable = (facts: ClusterFacts, subnets: readonly CompleteSubnet[]): readonly CompleteSubnet[] => {
  const name = subnets.find(hasOwnGateway)?.routeTable?.name;
  if (!facts.controlPlaneEnabled || name === undefined) return subnets;
  return subnets.map((subnet) =>
    subnet.role === "control-plane" && given(subnet.routeTable?.name) === undefined
      ? { ...subnet, routeTable: { ...subnet.routeTable, name } }
      : subnet,
  );
};

/** The listed subnets with their defaults, in their places, then those that are implied. */
export const completeSubnets = (facts: ClusterFacts, network: NetworkSpec): readonly CompleteSubnet[] => {
  const listed = completeListed(facts, network.subnets ?? []);
  return withSharedRouteTable(facts, [...listed, ...missing(facts, listed)]);
};

/** The subnet of the bastion host, whose role is fixed. */
export const completeBastionSubnet = (subnet: SubnetSpec | undefined): CompleteSubnet =>
  complete({ ...subnet, role: "bastion" }, { name: names.subnet.bastion, cidr: "10.255.255.224/27" });
