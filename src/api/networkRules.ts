import { overlap } from "./addressRanges.ts";
import { everyOf, type Input, present, someOf, textAt, valueOr } from "./effective.ts";
import type { Rule } from "./schema.ts";
import { unlessUnchanged } from "./unlessUnchanged.ts";

/**
 * What the parts of a network must be to each other, as far as the spec lists them: default names and ranges are
 * computed by the turn, which asks the same of them.
 */

/** Ranges of one subnet are compared where they are listed. */
const overlapping = `a.name != b.name && ${someOf("cidrBlocks", "x", someOf("cidrBlocks", "y", overlap("x", "y"))("b"))("a")}`;

/** `%s` shows lists and texts alike, at no cost. */
const shownSubnet = "'%s (%s)'.format([a.name, a.cidrBlocks])";

const subnetsApart: Rule = {
  rule: `self.all(a, self.all(b, a.name >= b.name || !(${overlapping})))`,
  message: "must be subnets whose ranges do not overlap",
  messageExpression: `'must be subnets whose ranges do not overlap: %s'.format([self.filter(a, self.exists(b, ${overlapping})).map(a, ${shownSubnet})])`,
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

/** Rules of the list of subnets. */
export const subnetListRules: readonly Rule[] = [subnetsApart, subnetNames, oneClusterSubnet];

const hasRanges = `${present("vnet.cidrBlocks")("self")} && self.vnet.cidrBlocks.size() > 0`;

/** Whether a range lies in the virtual network, or one of the network's is no range. */
const inside = `(${hasRanges} ? self.vnet.cidrBlocks.exists(v, !isCIDR(v) || cidr(v).containsCIDR(c)) : cidr('10.0.0.0/8').containsCIDR(c))`;
const outside = `isCIDR(c) && !${inside}`;

const shownRanges = "'%s (%s)'.format([s.name, s.cidrBlocks])";

const subnetsInside: Rule = {
  rule: everyOf("subnets", "s", everyOf("cidrBlocks", "c", `!(${outside})`)("s"))("self"),
  message: "must be subnets inside the virtual network",
  messageExpression: `"must be subnets inside the virtual network's %s: not %s".format([${valueOr("vnet.cidrBlocks", "['10.0.0.0/8']")("self")}, self.subnets.filter(s, ${someOf("cidrBlocks", "c", outside)("s")}).map(s, ${shownRanges})])`,
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

const subnets: Input = valueOr("subnets", "[]");
const ranges: Input = valueOr("vnet.cidrBlocks", "[]");

/** The same for a network that may have been there before the rules. */
export const keptNetworkRules: readonly Rule[] = [
  unlessUnchanged(subnetsInside, ranges, subnets),
  unlessUnchanged(zoneNamed, zoneGroup, zone),
];
