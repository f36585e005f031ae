import type { SecurityGroup, SecurityRule } from "../services/scope.ts";
import { controlPlaneSubnetOf } from "./apiServerLoadBalancers.ts";
import type { ClusterFacts, SettledSubnet } from "./settled.ts";

/** Azure ignores the case of names, so two spellings are one thing. */
const key = (name: string): string => name.toLowerCase();

/** The first free priority at or above one, among inbound rules. */
const freePriority = (rules: readonly SecurityRule[], from: number): number => {
  const taken = new Set(rules.filter(({ direction }) => direction === "Inbound").map(({ priority }) => priority));
  return (
    Array.from({ length: taken.size + 1 }, (_, step) => from + step).find((priority) => !taken.has(priority)) ?? from
  );
};

const inboundTcp = (name: string, description: string, priority: number, port: number): SecurityRule => ({
  name,
  description,
  protocol: "Tcp",
  direction: "Inbound",
  access: "Allow",
  priority,
  source: "*",
  sourcePorts: "*",
  destination: "*",
  destinationPorts: String(port),
  asked: false,
});

/** Adds a rule unless one names exactly that port (whatever it does with it) or already has its name. */
const withRule = (
  rules: readonly SecurityRule[],
  name: string,
  description: string,
  priority: number,
  port: number,
): readonly SecurityRule[] => {
  const present = rules.some((rule) => rule.destinationPorts === String(port) || key(rule.name) === key(name));
  return present ? rules : [...rules, inboundTcp(name, description, freePriority(rules, priority), port)];
};

/** Machines of the control plane must be reached by SSH and as API servers. */
const withControlPlaneRules = (rules: readonly SecurityRule[], apiServerPort: number): readonly SecurityRule[] =>
  withRule(
    withRule(rules, "allow_ssh", "Allow SSH", 2200, 22),
    "allow_apiserver",
    "Allow K8s API Server",
    2201,
    apiServerPort,
  );

/** Rules of all subnets that share a group, each name once. */
const mergedRules = (subnets: readonly SettledSubnet[]): readonly SecurityRule[] => [
  ...new Map(subnets.flatMap(({ rules }) => rules).map((rule) => [key(rule.name), rule])).values(),
];

/** Security groups by name with the rules of all their subnets, and those that a control plane needs. */
export const gatherSecurityGroups = (
  facts: ClusterFacts,
  subnets: readonly SettledSubnet[],
): readonly SecurityGroup[] => {
  const named = subnets.filter(({ role, securityGroup }) => role !== "bastion" && securityGroup !== undefined);
  const groups = Map.groupBy(named, ({ securityGroup }) => key(securityGroup ?? ""));
  const role = controlPlaneSubnetOf(subnets)?.role;
  return [...groups.values()].map((members) => {
    const rules = mergedRules(members);
    const controlPlane = facts.controlPlaneEnabled && members.some((member) => member.role === role);
    return {
      name: members[0]?.securityGroup ?? "",
      rules: controlPlane ? withControlPlaneRules(rules, facts.apiServerPort.value) : rules,
    };
  });
};
