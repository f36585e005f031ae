import type { Problem } from "../../core/kind.ts";
import type { SecurityRule } from "../../services/scope.ts";
import { invalid } from "../problem.ts";
import type { SettledNetwork, SettledSubnet } from "../settled.ts";
import { checkName, networkName } from "./patterns.ts";

const checkRule = (path: string, rule: SecurityRule): readonly Problem[] => [
  ...checkName(`${path}.name`, rule.name, networkName),
  ...(rule.priority >= 100 && rule.priority <= 4096
    ? []
    : [invalid(`${path}.priority`, rule.priority, "must be from 100 to 4096")]),
  ...(rule.source === undefined || rule.sources === undefined
    ? []
    : [invalid(`${path}.sources`, rule.sources, "must not stand beside source: use one of them")]),
];

interface Placed {
  readonly path: string;
  readonly rule: SecurityRule;
}

const sameName = (a: Placed, b: Placed): boolean => a.rule.name.toLowerCase() === b.rule.name.toLowerCase();
const sameContent = (a: Placed, b: Placed): boolean => JSON.stringify(a.rule) === JSON.stringify(b.rule);

const checkPair = (one: Placed, other: Placed): readonly Problem[] => {
  if (sameName(one, other)) {
    return sameContent(one, other)
      ? []
      : [
          invalid(
            `${one.path}.name`,
            one.rule.name,
            `means another rule at ${other.path}, in the same security group: make them equal or rename one`,
          ),
        ];
  }
  return one.rule.priority === other.rule.priority && one.rule.direction === other.rule.direction
    ? [
        invalid(
          `${one.path}.priority`,
          one.rule.priority,
          `is the priority of ${other.rule.name} too: priorities must differ per direction`,
        ),
      ]
    : [];
};

/** Subnets that share a group share its rules, so they are compared together. */
const checkGroup = (subnets: readonly SettledSubnet[]): readonly Problem[] => {
  const placed = subnets.flatMap((subnet) =>
    subnet.rules.map((rule, index): Placed => ({ path: `${subnet.path}.securityGroup.securityRules[${index}]`, rule })),
  );
  return [
    ...placed.flatMap(({ path, rule }) => checkRule(path, rule)),
    ...placed.flatMap((one, index) => placed.slice(0, index).flatMap((other) => checkPair(one, other))),
  ];
};

/** Rules of all security groups. */
export const checkSecurityRules = ({ subnets }: SettledNetwork): readonly Problem[] =>
  [...Map.groupBy(subnets, ({ securityGroup = "" }) => securityGroup.toLowerCase()).values()].flatMap(checkGroup);
