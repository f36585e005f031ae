import type { ComputeFacts } from "./facts.ts";

/**
 * The subnet of a machine whose spec names none (fact sheet, machines, 1.4): the one of its role, or where that role has
 * none the one for all machines. Undefined where there is none or a choice.
 */
export const subnetOf = ({ role, subnets }: Pick<ComputeFacts, "role" | "subnets">): string | undefined => {
  const own = subnets.filter((subnet) => subnet.role === role);
  const [first, ...more] = own.length > 0 ? own : subnets.filter((subnet) => subnet.role === "cluster");
  return more.length === 0 ? first?.name : undefined;
};
