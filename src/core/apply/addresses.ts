import ipaddr, { type IPv4, type IPv6 } from "ipaddr.js";

interface Network {
  readonly bytes: readonly number[];
  readonly length: number;
}

const fourParts = /^\d{1,3}(\.\d{1,3}){3}(\/\d{1,2})?$/;

const bytesOf = (address: IPv4 | IPv6): readonly number[] => address.toByteArray();

/** Only what is plainly an address: the parser also takes `1` or `0x1` for one. */
const parseNetwork = (text: string): Network | undefined => {
  if (!fourParts.test(text) && !text.includes(":")) return undefined;
  if (ipaddr.isValidCIDR(text)) {
    const [address, length] = ipaddr.parseCIDR(text);
    return { bytes: bytesOf(address), length };
  }
  if (!ipaddr.isValid(text)) return undefined;
  const bytes = bytesOf(ipaddr.parse(text));
  return { bytes, length: bytes.length * 8 };
};

/** Whether the first bits of two addresses of one family are equal. */
const sameBits = (a: Network, b: Network, length: number): boolean =>
  a.bytes.length === b.bytes.length &&
  a.bytes.every((byte, index) => {
    const bits = Math.min(8, Math.max(0, length - index * 8));
    return byte >> (8 - bits) === (b.bytes[index] ?? 0) >> (8 - bits);
  });

/** Whether two texts name the same address or prefix: `10.1.0.0/8` is `10.0.0.0/8`, `::1` is `0:0::1`. */
export const sameAddress = (a: string, b: string): boolean => {
  const [one, other] = [parseNetwork(a), parseNetwork(b)];
  if (one === undefined || other === undefined) return a.toLowerCase() === b.toLowerCase();
  return one.length === other.length && sameBits(one, other, one.length);
};

/** Whether two prefixes share an address; texts that are no prefixes, when they are equal. */
export const overlaps = (a: string, b: string): boolean => {
  const [one, other] = [parseNetwork(a), parseNetwork(b)];
  if (one === undefined || other === undefined) return a.toLowerCase() === b.toLowerCase();
  return sameBits(one, other, Math.min(one.length, other.length));
};
