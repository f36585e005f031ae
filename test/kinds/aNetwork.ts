import type { JsonObject, KubeObject } from "../../src/core/types.ts";
import { withNetwork } from "./aCluster.ts";

/** Pieces of a network that is right, each with what a test says otherwise. */

export const vnet = { name: "c1-vnet" };
export const cp = (rest: JsonObject = {}): JsonObject => ({ name: "cp", role: "control-plane", ...rest });
export const node = (rest: JsonObject = {}): JsonObject => ({ name: "nodes", role: "node", ...rest });
export const network = (rest: JsonObject): KubeObject => withNetwork({ vnet, subnets: [cp(), node()], ...rest });
export const subnets = (...listed: readonly JsonObject[]): KubeObject => network({ subnets: listed });
export const rule = (rest: JsonObject = {}): JsonObject => ({
  name: "r",
  description: "d",
  protocol: "Tcp",
  direction: "Inbound",
  priority: 100,
  ...rest,
});
