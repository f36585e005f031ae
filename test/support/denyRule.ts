import type { JsonObject } from "../../src/core/types.ts";

/** What a security rule of somebody else's says in Azure. */
export const denyRule = (priority: number): JsonObject => ({
  protocol: "Tcp",
  direction: "Inbound",
  access: "Deny",
  priority,
  sourcePortRange: "*",
  destinationPortRange: "22",
  sourceAddressPrefix: "*",
  destinationAddressPrefix: "*",
});
