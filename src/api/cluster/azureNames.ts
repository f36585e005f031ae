import { type Rule, ruled, text } from "../schema.ts";

/**
 * Texts that become names in Azure (https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules).
 * The empty text, which Go clients write for what is not set, is none and passes.
 */

const name = (pattern: string, words: string): Rule => ({
  rule: `self == '' || self.matches('${pattern}')`,
  message: words,
});

// Short, because the API server takes the length of a pattern for its cost.
const networkPattern = String.raw`^\\w([-.\\w]*\\w)?$`;
const networkWords = (most: number): string =>
  `must have at most ${most} letters, digits, underscores, dots and hyphens, beginning and ending with a letter, digit or underscore`;

/** Name of a network resource or of a part of one: at most 80 characters, and at least so many as said. */
export const networkName = (
  description: string,
  options: { readonly minLength?: number; readonly default?: string } = {},
) => ruled(text(description, { maxLength: 80, ...options }), name(networkPattern, networkWords(80)));

/** Name of a virtual network: at most 64 characters. */
export const vnetName = (description: string, options: { readonly default?: string } = {}) =>
  ruled(text(description, { maxLength: 64, ...options }), name(networkPattern, networkWords(64)));

/** Name of a resource group: at most 90 characters. */
export const resourceGroupName = (description: string) =>
  ruled(
    text(description, { maxLength: 90 }),
    name(
      "^[-A-Za-z0-9_.()]*[-A-Za-z0-9_()]$",
      "must have at most 90 letters, digits, underscores, dots, hyphens and parentheses, and not end with a dot",
    ),
  );

/** A full DNS name (at most 253 characters) whose first label Azure registers for a public IP address. */
export const publicDnsName = (description: string) =>
  ruled(text(description, { maxLength: 253 }), {
    rule: "self == '' || self.split('.')[0].matches('^[a-z][a-z0-9-]{1,61}[a-z0-9]$')",
    message:
      "must begin with a label of 3 to 63 lower-case letters, digits and hyphens that begins with a letter and ends with a letter or digit",
  });

/** Name of a private DNS zone (https://learn.microsoft.com/azure/dns/private-dns-privatednszone). */
export const privateZoneName = (description: string) =>
  ruled(text(description, { maxLength: 255 }), {
    rule: "self == '' || (!isIP(self) && self.matches('^[A-Za-z0-9_][A-Za-z0-9_-]{0,62}([.][A-Za-z0-9_][A-Za-z0-9_-]{0,62})*[._]?$'))",
    message: "must be a DNS name",
  });
