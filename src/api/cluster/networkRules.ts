import { listed, listedAll } from "../cel/listed.ts";
import { everyOf, filled, someOf, textAt, valueOr } from "../cel/parts.ts";
import { unlessUnchanged } from "../cel/unlessUnchanged.ts";
import type { Rule } from "../schema.ts";
import { withRanges } from "./addressRanges.ts";

/**
 * What the parts of a network must be to each other, as far as the spec lists them: default names and ranges are
 * computed by the turn, which asks the same of them.
 */

const misspelt = someOf("cidrBlocks", "c", "!isCIDR(c)")("s");

/**
 * Of two ranges that overlap one holds the address of the other, whichever it is; so each subnet must hold addresses only
 * of its own. Nothing dearer may be asked of each pair, or the API server gives up at 64 subnets of four ranges each.
 */
const alone = `[cidr(x)].all(p, self.exists_one(b, ${someOf("cidrBlocks", "y", "p.containsIP(cidr(y).ip())")("b")}))`;

const overlapping = `has(b.cidrBlocks) && a.cidrBlocks.exists(x, [cidr(x)].exists(p, b.cidrBlocks.exists(y, p.containsIP(cidr(y).ip()) || cidr(y).containsIP(p.ip()))))`;
/** Each subnet with those after it that overlap: `a (10.0.0.0/16), b (10.0.1.0/24)`. */
const shownPairs = `self.map(a, has(a.cidrBlocks), [${withRanges("a")}] + self.map(b, a.name < b.name && ${overlapping}, ${withRanges("b")})).filter(it, it.size() > 1).map(it, ${listed("it")})`;
const apart = "must be subnets whose ranges do not overlap";

const subnetsApart: Rule = {
  rule: `self.exists(s, ${misspelt}) || self.all(a, ${everyOf("cidrBlocks", "x", alone)("a")})`,
  message: apart,
  // To find the pairs is dearer than to know that there are some.
  messageExpression: `size(self) > 40 ? '${apart}' : '${apart}: %s'.format([${listedAll(shownPairs, "; ")}])`,
};

/** An exact repetition is refused by the list itself. */
const subnetNames: Rule = {
  rule: "self.all(a, self.exists_one(b, a.name.lowerAscii() == b.name.lowerAscii()))",
  message: "must be subnets whose names differ in more than their case",
};

const oneClusterSubnet: Rule = {
  rule: "self.filter(s, s.role == 'cluster').size() <= 1",
  message: "must have at most one subnet of the role cluster",
};

/** Rules of the list of subnets in what is created anew. */
export const subnetListRules: readonly Rule[] = [subnetsApart, subnetNames, oneClusterSubnet];

/** The same for a list that may have been there before the rules; unrelated updates do not pay for the comparison. */
export const keptSubnetListRules: readonly Rule[] = unlessUnchanged([(self) => self], ...subnetListRules);

/** Whether a range lies in the virtual network, or one of the network's is no range. */
const inside = `(${filled("vnet.cidrBlocks")("self")} ? self.vnet.cidrBlocks.exists(v, !isCIDR(v) || cidr(v).containsCIDR(c)) : cidr('10.0.0.0/8').containsCIDR(c))`;
const outside = `isCIDR(c) && !${inside}`;

const networkRangesShown = `(${filled("vnet.cidrBlocks")("self")} ? self.vnet.cidrBlocks.join(', ') : '10.0.0.0/8')`;
const subnetsOutside = `self.subnets.map(s, ${someOf("cidrBlocks", "c", outside)("s")}, ${withRanges("s")})`;

const subnetsInside: Rule = {
  rule: everyOf("subnets", "s", everyOf("cidrBlocks", "c", `!(${outside})`)("s"))("self"),
  message: "must be subnets inside the virtual network",
  messageExpression: `"must be subnets inside the virtual network's %s: not %s".format([${networkRangesShown}, ${listedAll(subnetsOutside)}])`,
  fieldPath: ".subnets",
};

const zone = textAt("privateDNSZoneName");
const zoneGroup = textAt("privateDNSZoneResourceGroup");

const zoneNamed: Rule = {
  rule: `${zoneGroup("self")} == '' || ${zone("self")} != ''`,
  message: "must be absent unless privateDNSZoneName is there",
  fieldPath: ".privateDNSZoneResourceGroup",
};

/** Rules of a network in what is created anew. */
export const networkRules: readonly Rule[] = [subnetsInside, zoneNamed];

/** The same for a network that may have been there before the rules. */
export const keptNetworkRules: readonly Rule[] = [
  ...unlessUnchanged([valueOr("vnet.cidrBlocks", "[]"), valueOr("subnets", "[]")], subnetsInside),
  ...unlessUnchanged([zoneGroup, zone], zoneNamed),
];
