import type { SecurityRuleSpec } from "../api/cluster/network.ts";
import type { CompleteSubnet } from "./complete.ts";
import { given } from "./given.ts";
import type { ClusterFacts } from "./settled.ts";

/** Azure ignores the case of names, so two spellings are one thing. */
const key = (name: string): string => name.toLowerCase();

/** The first free priority at or above one, among inbound rules. */
const freePriority = (rules: readonly SecurityRuleSpec[], from: number): number => {
  const taken = new Set(rules.filter(({ direction }) => direction === "Inbound").map(({ priority }) => priority));
  return (
    Array.from({ length: taken.size + 1 }, (_, step) => from + step).find((priority) => !taken.has(priority)) ?? from
  );
};

interface Opening {
  readonly name: string;
  readonly description: string;
  readonly priority: number;
  readonly port: number;
}

/** Machines of the control plane must be reached by SSH and as API servers. */
const openings = ({ apiServerPort }: ClusterFacts): readonly Opening[] => [
  { name: "allow_ssh", description: "Allow SSH", priority: 2200, port: 22 },
  { name: "allow_apiserver", description: "Allow K8s API Server", priority: 2201, port: apiServerPort.value },
];

/** Adds a rule unless one names exactly that port (whatever it does with it) or already has its name. */
const withOpening = (rules: readonly SecurityRuleSpec[], opening: Opening): readonly SecurityRuleSpec[] => {
  const { name, description, priority, port } = opening;
  const present = rules.some((rule) => rule.destinationPorts === String(port) || key(rule.name) === key(name));
  if (present) return rules;
  const added: SecurityRuleSpec = {
    name,
    description,
    protocol: "Tcp",
    direction: "Inbound",
    action: "Allow",
    priority: freePriority(rules, priority),
    source: "*",
    sourcePorts: "*",
    destination: "*",
    destinationPorts: String(port),
  };
  return [...rules, added];
};

/** Which subnets hold the control plane: those for it alone, else the one for everything. */
export const controlPlaneRole = (subnets: readonly Pick<CompleteSubnet, "role">[]): CompleteSubnet["role"] =>
  subnets.some(({ role }) => role === "control-plane") ? "control-plane" : "cluster";

const groupOf = ({ role, securityGroup }: CompleteSubnet): string | undefined =>
  role === "bastion" ? undefined : given(securityGroup?.name)?.toLowerCase();

const rulesOf = ({ securityGroup }: CompleteSubnet): readonly SecurityRuleSpec[] => securityGroup?.securityRules ?? [];

/** What the rules of a security group lack for a control plane, given those of all subnets that share it. */
const lacking = (facts: ClusterFacts, members: readonly CompleteSubnet[]): readonly SecurityRuleSpec[] => {
  const present = members.flatMap(rulesOf);
  return openings(facts).reduce(withOpening, present).slice(present.length);
};

/** The same subnets, with what a control plane needs added to the first of them in each of its security groups. */
export const withControlPlaneRules = (
  facts: ClusterFacts,
  subnets: readonly CompleteSubnet[],
): readonly CompleteSubnet[] => {
  if (!facts.controlPlaneEnabled) return subnets;
  const home = controlPlaneRole(subnets);
  return subnets.map((subnet) => {
    const group = groupOf(subnet);
    const members = subnets.filter((other) => groupOf(other) === group);
    const first = members.find(({ role }) => role === home);
    if (group === undefined || first !== subnet || subnet.securityGroup === undefined) return subnet;
    const securityRules = [...rulesOf(subnet), ...lacking(facts, members)];
    return { ...subnet, securityGroup: { ...subnet.securityGroup, securityRules } };
  });
};
