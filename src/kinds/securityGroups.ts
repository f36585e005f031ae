import type { SecurityGroup, SecurityRule } from "../services/scope.ts";
import type { SettledSubnet } from "./settled.ts";

/** Azure ignores the case of names, so two spellings are one thing. */
const key = (name: string): string => name.toLowerCase();

/** Rules of all subnets that share a group, each name once. */
const mergedRules = (subnets: readonly SettledSubnet[]): readonly SecurityRule[] => [
  ...new Map(subnets.flatMap(({ rules }) => rules).map((rule) => [key(rule.name), rule])).values(),
];

/** Security groups by name with the rules of all their subnets. */
export const gatherSecurityGroups = (subnets: readonly SettledSubnet[]): readonly SecurityGroup[] => {
  const named = subnets.filter(({ role, securityGroup }) => role !== "bastion" && securityGroup !== undefined);
  const groups = Map.groupBy(named, ({ securityGroup }) => key(securityGroup ?? ""));
  return [...groups.values()].map((members) => ({
    name: members[0]?.securityGroup ?? "",
    rules: mergedRules(members),
  }));
};
