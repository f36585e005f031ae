import type { JsonObject } from "../../../../src/core/types.ts";
import { webRule } from "../../webRule.ts";
import type { Place } from "../manifests.ts";

/** What a user edits in the course of a schedule; the last word is what must stand in the end. */
export interface Wish {
  /** Value of an additional tag; found nowhere else. */
  readonly team: string;
  /** Source of the one security rule at the nodes; found nowhere else. */
  readonly source: string;
  /** A second subnet for nodes, with all that belongs to it. */
  readonly isWider: boolean;
}

export const sources = ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"] as const;
export const firstWish: Wish = { team: "team-none", source: sources[0], isWider: false };

/** The part of the spec that says a wish; a merge patch of one wish over another is the other. */
export const specOf = ({ name }: Place, { team, source, isWider }: Wish): JsonObject => {
  const nodes = { name: `${name}-node-nsg`, securityRules: [{ ...webRule, source }] };
  const more = {
    name: "more-subnet",
    role: "node",
    cidrBlocks: ["10.7.0.0/16"],
    securityGroup: { name: `${name}-more-nsg` },
  };
  const subnets: readonly JsonObject[] = [
    { name: "control-plane-subnet", role: "control-plane" },
    { name: "node-subnet", role: "node", securityGroup: nodes },
    ...(isWider ? [more] : []),
  ];
  return { additionalTags: { team }, networkSpec: { subnets: [...subnets] } };
};
