import ipaddr from "ipaddr.js";

/** An address as a number. */
export interface Address {
  readonly version: 4 | 6;
  readonly value: bigint;
}

/** A range of addresses, ends included. Ranges of different versions have nothing in common. */
export interface AddressRange {
  readonly version: 4 | 6;
  readonly prefixLength: number;
  readonly first: bigint;
  readonly last: bigint;
}

const toBigint = (bytes: readonly number[]): bigint => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

/** An address, strictly written; undefined when the text is none. */
export const parseAddress = (text: string): Address | undefined => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) {
    return { version: 4, value: toBigint(ipaddr.IPv4.parse(text).toByteArray()) };
  }
  if (ipaddr.IPv6.isValid(text) && !text.includes("%")) {
    return { version: 6, value: toBigint(ipaddr.IPv6.parse(text).toByteArray()) };
  }
  return undefined;
};

/** A CIDR block (`10.0.0.0/16`); undefined when the text is none. */
export const parseCidr = (text: string): AddressRange | undefined => {
  const [address, length, ...rest] = text.split("/");
  const parsed = parseAddress(address ?? "");
  if (parsed === undefined || length === undefined || rest.length > 0 || !/^\d{1,3}$/.test(length)) return undefined;
  const bits = parsed.version === 4 ? 32 : 128;
  const prefixLength = Number(length);
  if (prefixLength > bits) return undefined;
  const size = 1n << BigInt(bits - prefixLength);
  const first = (parsed.value / size) * size;
  return { version: parsed.version, prefixLength, first, last: first + size - 1n };
};

/** Whether a CIDR block begins at its own network address, as Azure demands. */
export const beginsAtNetwork = (text: string): boolean =>
  parseCidr(text)?.first === parseAddress(text.split("/")[0] ?? "")?.value;

export const contains = (outer: AddressRange, inner: AddressRange): boolean =>
  outer.version === inner.version && outer.first <= inner.first && inner.last <= outer.last;

export const overlap = (a: AddressRange, b: AddressRange): boolean =>
  a.version === b.version && a.first <= b.last && b.first <= a.last;

export const holds = (range: AddressRange, address: Address): boolean =>
  range.version === address.version && range.first <= address.value && address.value <= range.last;

/**
 * Whether Azure keeps an address of a subnet for itself: the first four and, in IPv4, the last
 * (https://learn.microsoft.com/azure/virtual-network/virtual-networks-faq).
 */
export const isReserved = (range: AddressRange, address: Address): boolean =>
  holds(range, address) && (address.value < range.first + 4n || (range.version === 4 && address.value === range.last));

/** Whether one of the blocks is IPv6, by its spelling. */
export const hasIpv6 = (cidrs: readonly string[]): boolean => cidrs.some((cidr) => cidr.includes(":"));
