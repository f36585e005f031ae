import type { JsonObject } from "../../src/core/types.ts";

/** Kinds of clusters whose costs are told beside those of the default one: what their networks ask for. */
export const modeClusters = {
  public: {},
  private: { apiServerLB: { type: "Internal" } },
  dualStack: {
    vnet: { name: "dual-vnet", cidrBlocks: ["10.0.0.0/8", "2001:1234:5678:9a00::/56"] },
    subnets: [
      { name: "control-plane-subnet", role: "control-plane", cidrBlocks: ["10.0.0.0/16", "2001:1234:5678:9abc::/64"] },
      { name: "node-subnet", role: "node", cidrBlocks: ["10.1.0.0/16", "2001:1234:5678:9abd::/64"] },
    ],
  },
} as const satisfies Readonly<Record<string, JsonObject>>;

export type ModeName = keyof typeof modeClusters;
export const modeNames: readonly ModeName[] = ["public", "private", "dualStack"];
