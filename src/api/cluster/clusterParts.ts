import { everyOf, type Part, someOf } from "../cel/parts.ts";

/** Parts of rules about clusters. */

/** The name of the object, from which default names derive; only a rule of the whole object sees it. */
export const nameOf: Part = (self) => `${self}.metadata.name`;
/** The name of the object and a suffix. */
export const named =
  (suffix: string): Part =>
  (self) =>
    `${nameOf(self)} + '${suffix}'`;

/** Whether machines of a network have IPv6 addresses; `network` is its path. */
export const hasIpv6 = (network: string): Part =>
  someOf(
    `${network}.subnets`,
    "s",
    `s.role in ['node', 'cluster'] && ${someOf("cidrBlocks", "c", "c.contains(':')")("s")}`,
  );

/** Whether a subnet has a default range. The number in that of nodes is its place in the list, which is not compared. */
export const hasDefaultRange: Part = (subnet) =>
  everyOf(
    "cidrBlocks",
    "c",
    `${subnet}.role == 'node' ? c.startsWith('10.') && c.endsWith('.0.0/16') : c == '10.0.0.0/16'`,
  )(subnet);
