import type { JsonObject } from "../../../src/core/types.ts";
import type { Carried } from "./editCase.ts";

/** What edits of load balancers have in common. */

export const field = (lb: string, name: string): string => `networkSpec.${lb}.${name}`;
export const write = (lb: string, ...paths: readonly string[]): string =>
  `PUT loadBalancers/${lb}: ${paths
    .map((path) => `properties.${path}`)
    .toSorted()
    .join(", ")}`;
export const front = "frontendIPConfigurations";
export const outbound = "outboundRules[OutboundNATAllProtocols].properties";

/** Fields that mean nothing in Azure. */
export const meansNothing = (lb: string, from: JsonObject, patch: (part: JsonObject) => JsonObject): Carried => ({
  title: `what says nothing of ${lb}`,
  fields: [field(lb, "id"), field(lb, "sku")],
  from,
  steps: [
    [patch({ id: "/x", sku: "Standard" }), []],
    [patch({ id: null, sku: "" }), []],
    [patch({ sku: null }), []],
  ],
});
