import type { JsonObject, KubeObject } from "../../src/core/types.ts";
import { webRule } from "./webRule.ts";

/** What a user edits in the course of a schedule; the last word is what must stand in the end. */
export interface Wish {
  /** Source of the one security rule at the nodes. */
  readonly source: string;
  /** A second subnet for nodes, with all that belongs to it. */
  readonly isWider: boolean;
  /** Value of an additional tag. */
  readonly team: string;
}

export const firstWish: Wish = { source: "10.0.0.0/8", isWider: false, team: "a" };

/** The spec of an AzureCluster that says this; `vnet` stays as it is. */
export const withWish = (object: KubeObject, { source, isWider, team }: Wish): KubeObject => {
  const networkSpec = object.spec["networkSpec"] as JsonObject;
  // In a network that was brought along no security group is made, so none may be named that is not there.
  const isOwn = (networkSpec["vnet"] as JsonObject)["name"] === "c1-vnet";
  const subnets: readonly JsonObject[] = [
    { name: "control-plane-subnet", role: "control-plane" },
    {
      name: "node-subnet",
      role: "node",
      securityGroup: { name: "c1-node-nsg", securityRules: [{ ...webRule, source }] },
    },
    ...(isWider
      ? [
          {
            name: "more-subnet",
            role: "node",
            cidrBlocks: ["10.7.0.0/16"],
            ...(isOwn && { securityGroup: { name: "c1-more-nsg" } }),
          },
        ]
      : []),
  ];
  return {
    ...object,
    spec: { ...object.spec, additionalTags: { team }, networkSpec: { ...networkSpec, subnets: [...subnets] } },
  };
};
