import { filled } from "../cel/parts.ts";
import { list, type Rule, ruled, text } from "../schema.ts";

/**
 * Address ranges in CIDR notation. Rules about several ranges leave out what is no range, so that a misspelt one gives
 * one message. A range may have bits behind its prefix, as upstream admits it; the turn asks for its network address.
 */

/** The longest range: an IPv6 address in full with its prefix length. */
const longestRange = 43;

const range = () =>
  ruled(text("A range such as `10.0.0.0/16`.", { maxLength: longestRange }), {
    rule: "isCIDR(self)",
    message: "must be a CIDR block such as 10.0.0.0/16",
  });

/** Azure's limits of subnets (https://learn.microsoft.com/azure/virtual-network/virtual-networks-faq, and ip-services/ipv6-overview). */
const subnetRange = () =>
  ruled(
    range(),
    {
      rule: "!isCIDR(self) || cidr(self).ip().family() == 4 || cidr(self).prefixLength() == 64",
      message: "must have the prefix length 64, as Azure demands of IPv6 subnets",
    },
    {
      rule: "!isCIDR(self) || cidr(self).ip().family() == 6 || cidr(self).prefixLength() <= 29",
      message: "must be at least a /29, Azure's smallest IPv4 subnet",
    },
  );

/** Whether two ranges have addresses in common; false when one of them is no range. */
const overlap = (a: string, b: string): string =>
  `isCIDR(${a}) && isCIDR(${b}) && (cidr(${a}).containsCIDR(${b}) || cidr(${b}).containsCIDR(${a}))`;

/** A subnet as messages show it, by its name in CEL: `a (10.0.0.0/16, fd00::/64)`. */
export const withRanges = (subnet: string, whenNone = ""): string =>
  `'%s (%s)'.format([${subnet}.name, ${filled("cidrBlocks")(subnet)} ? ${subnet}.cidrBlocks.join(', ') : '${whenNone}'])`;

/** Only overlaps within one list: others are for whoever sees both. */
const apart: Rule = {
  rule: `self.all(a, !isCIDR(a) || self.exists_one(b, ${overlap("a", "b")}))`,
  message: "must be ranges that do not overlap",
};

/** Ranges of a virtual network; more than 64 are in no cluster. */
export const networkRanges = (description: string) => ruled(list(description, range(), { maxItems: 64 }), apart);

/** Ranges of a subnet: IPv4 and IPv6, with room for a second of each. More would make the comparison of all subnets too dear for the API server. */
export const subnetRanges = (description: string) => ruled(list(description, subnetRange(), { maxItems: 4 }), apart);
