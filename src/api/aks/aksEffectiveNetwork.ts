import { same } from "../cel/change.ts";
import type { ChangeRule } from "../cel/changeRule.ts";
import { type Part, textOr } from "../cel/parts.ts";

/**
 * Names and ranges of the network as they count, in CEL: an earlier provider wrote its defaults into the spec, so a value
 * may come and go as long as it is the default.
 */

const byMode =
  (overlay: string, otherwise: string): Part =>
  (spec) =>
    `(has(${spec}.networkPluginMode) && ${spec}.networkPluginMode == 'overlay' ? '${overlay}' : '${otherwise}')`;

/** Range of the virtual network. */
export const networkRange = textOr("virtualNetwork.cidrBlock", byMode("10.224.0.0/12", "10.0.0.0/8"));

/** Range of the subnet. */
export const subnetRange = textOr("virtualNetwork.subnet.cidrBlock", byMode("10.224.0.0/16", "10.240.0.0/16"));

const rangeStays = (field: string, range: Part): ChangeRule => ({
  field,
  holds: same(range),
  message: "must stay as it is, or be absent where it is the default of the networkPluginMode",
  messageExpression: (_now, was) =>
    `'must stay ' + ${range(was)} + ': name it where it is not the default of the networkPluginMode'`,
});

/** Ranges never change. With the overlay the defaults are others, so who turns it on must name the ranges first. */
export const rangesStay: readonly ChangeRule[] = [
  rangeStays("virtualNetwork.cidrBlock", networkRange),
  rangeStays("virtualNetwork.subnet.cidrBlock", subnetRange),
];
