import type { SecurityRule } from "../../services/scope.ts";
import type { SettledNetwork, SettledSubnet } from "../settled.ts";
import { clusterRules } from "./clusterRules.ts";
import { type Broken, broken } from "./turnRule.ts";

interface Placed {
  readonly path: string;
  readonly rule: SecurityRule;
}

const sameName = (a: Placed, b: Placed): boolean => a.rule.name.toLowerCase() === b.rule.name.toLowerCase();
const sameContent = (a: Placed, b: Placed): boolean => JSON.stringify(a.rule) === JSON.stringify(b.rule);

const checkPair = (one: Placed, other: Placed): readonly Broken[] => {
  if (sameName(one, other)) {
    return sameContent(one, other)
      ? []
      : [broken(clusterRules.sharedRules, `${one.path}.name`, one.rule.name, `another one at ${other.path}`)];
  }
  return one.rule.priority === other.rule.priority && one.rule.direction === other.rule.direction
    ? [
        broken(
          clusterRules.sharedPriorities,
          `${one.path}.priority`,
          one.rule.priority,
          `${other.rule.name} has it too`,
        ),
      ]
    : [];
};

/** Subnets that share a group share its rules, so they are compared together. Rules of ours make way for others. */
const checkGroup = (subnets: readonly SettledSubnet[]): readonly Broken[] => {
  const placed = subnets.flatMap((subnet) =>
    subnet.rules.flatMap((rule, index): readonly Placed[] =>
      rule.asked ? [{ path: `${subnet.path}.securityGroup.securityRules[${index}]`, rule }] : [],
    ),
  );
  return placed.flatMap((one, index) => placed.slice(0, index).flatMap((other) => checkPair(one, other)));
};

/** Rules of all security groups. */
export const checkSecurityRules = ({ subnets }: SettledNetwork): readonly Broken[] =>
  [...Map.groupBy(subnets, ({ securityGroup = "" }) => securityGroup.toLowerCase()).values()].flatMap(checkGroup);
