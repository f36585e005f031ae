import ipaddr from "ipaddr.js";

/** A range of addresses as numbers; `bits` is 32 or 128. */
export interface Prefix {
  readonly text: string;
  readonly bits: number;
  readonly first: bigint;
  readonly last: bigint;
  /** Whether the address part is the first address of the range. */
  readonly aligned: boolean;
}

const numberOf = (bytes: readonly number[]): bigint => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

/** Reads CIDR notation; undefined when it is none. */
export const prefixOf = (text: string): Prefix | undefined => {
  if (!ipaddr.isValidCIDR(text)) return undefined;
  const [address, length] = ipaddr.parseCIDR(text);
  const bytes = address.toByteArray();
  const bits = bytes.length * 8;
  const value = numberOf(bytes);
  const size = 1n << BigInt(bits - length);
  const first = (value / size) * size;
  return { text, bits, first, last: first + size - 1n, aligned: first === value };
};

export const within = (inner: Prefix, outer: Prefix): boolean =>
  inner.bits === outer.bits && inner.first >= outer.first && inner.last <= outer.last;

export const overlaps = (left: Prefix, right: Prefix): boolean =>
  left.bits === right.bits && left.first <= right.last && right.first <= left.last;

/** An address as a number, with the width of its family; undefined when it is none. */
export const addressOf = (text: string): { readonly value: bigint; readonly bits: number } | undefined => {
  if (!ipaddr.isValid(text)) return undefined;
  const bytes = ipaddr.parse(text).toByteArray();
  return { value: numberOf(bytes), bits: bytes.length * 8 };
};

const textOf = (value: bigint, bits: number): string => {
  const bytes = Array.from({ length: bits / 8 }, (_, at) => Number((value >> BigInt(bits - 8 * (at + 1))) & 255n));
  return ipaddr.fromByteArray(bytes).toString();
};

/** Azure keeps the first four addresses of a subnet and the last one. */
const reservedAtStart = 4n;

/** Whether an address of a subnet is one that Azure keeps for itself. */
export const isReserved = (address: bigint, prefix: Prefix): boolean =>
  address < prefix.first + reservedAtStart || address === prefix.last;

/** The first address of a subnet that is neither reserved nor used; undefined when it is full. */
export const firstFree = (prefix: Prefix, used: ReadonlySet<string>): string | undefined => {
  for (let address = prefix.first + reservedAtStart; address < prefix.last; address += 1n) {
    const text = textOf(address, prefix.bits);
    if (!used.has(text)) return text;
  }
  return undefined;
};
