import { type ChangeRule, givenOr, isThere } from "./aksChange.ts";

/**
 * Names and ranges of the network as they count, in CEL: an earlier provider wrote its defaults into the spec, so a value
 * may come and go as long as it is the default. `spec` is CEL for the spec of a control plane.
 */

const byMode = (spec: string, overlay: string, otherwise: string): string =>
  `(${isThere(spec, "networkPluginMode")} && ${spec}.networkPluginMode == 'overlay' ? '${overlay}' : '${otherwise}')`;

/** Range of the virtual network. */
export const networkRange = (spec: string): string =>
  givenOr(spec, "virtualNetwork.cidrBlock", byMode(spec, "10.224.0.0/12", "10.0.0.0/8"));

/** Range of the subnet. */
export const subnetRange = (spec: string): string =>
  givenOr(spec, "virtualNetwork.subnet.cidrBlock", byMode(spec, "10.224.0.0/16", "10.240.0.0/16"));

const rangeStays = (field: string, range: (spec: string) => string): ChangeRule => ({
  field,
  holds: (now, was) => `${range(now)} == ${range(was)}`,
  message: "must stay as it is, or be absent where it is the default of the networkPluginMode",
  messageExpression: (_now, was) =>
    `'must stay ' + ${range(was)} + ': name it where it is not the default of the networkPluginMode'`,
});

/** Ranges never change. With the overlay the defaults are others, so who turns it on must name the ranges first. */
export const rangesStay: readonly ChangeRule[] = [
  rangeStays("virtualNetwork.cidrBlock", networkRange),
  rangeStays("virtualNetwork.subnet.cidrBlock", subnetRange),
];
