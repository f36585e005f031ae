import type { SubnetSpec } from "../api/cluster/network.ts";
import type { Subnet } from "../services/scope.ts";
import { given } from "./given.ts";
import { names } from "./names.ts";
import type { ClusterFacts } from "./settled.ts";

type Part = Subnet["implied"][number];

const defaultNames = ({ name }: ClusterFacts): Readonly<Record<Part, readonly string[]>> => ({
  securityGroup: [
    names.securityGroup.controlPlane(name),
    names.securityGroup.node(name),
    names.securityGroup.cluster(name),
  ],
  routeTable: [names.routeTable.node(name), names.routeTable.cluster(name)],
  natGateway: [names.natGateway.node(name), names.natGateway.cluster(name)],
});

/** The names of the gateways of listed subnets have a number behind. */
const withoutNumber = (name: string): string => name.replace(/-\d+$/, "");

/**
 * Which parts of a subnet the spec does not ask for by a name of its own. A default name in a spec asks for nothing
 * either: an earlier provider's webhook wrote it there.
 */
export const impliedParts = (facts: ClusterFacts, said: SubnetSpec | undefined): Subnet["implied"] => {
  const defaults = defaultNames(facts);
  const parts: readonly Part[] = ["securityGroup", "routeTable", "natGateway"];
  return parts.filter((part) => {
    const name = given(said?.[part]?.name);
    return name === undefined || defaults[part].includes(name) || defaults[part].includes(withoutNumber(name));
  });
};
