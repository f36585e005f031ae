import ipaddr from "ipaddr.js";

/**
 * Addresses and ranges as the API server reads them (https://pkg.go.dev/net/netip): no leading zeros, no zones, and no
 * IPv4 addresses in the form of IPv6 ones.
 */

/** An address. */
export class NetIp {
  readonly bytes: readonly number[];
  readonly text: string;
  constructor(bytes: readonly number[], text: string) {
    this.bytes = bytes;
    this.text = text;
  }
}

/** An address and how many of its bits name the network; bits after these may be set. */
export class NetCidr {
  readonly ip: NetIp;
  readonly length: number;
  constructor(ip: NetIp, length: number) {
    this.ip = ip;
    this.length = length;
  }
  get text(): string {
    return `${this.ip.text}/${this.length}`;
  }
}

const fourParts = /^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/;
const groupsOnly = /^[0-9A-Fa-f:]+$/;
/** More digits than a group has. */
const longGroup = /[0-9A-Fa-f]{5,}/;

const ofIpv4 = (text: string): NetIp | undefined => {
  if (!fourParts.test(text) || !ipaddr.IPv4.isValid(text)) return undefined;
  const address = ipaddr.IPv4.parse(text);
  return new NetIp(address.toByteArray(), address.toString());
};

/** The last two groups may be written as an IPv4 address, which the library knows after some prefixes only. */
const inGroups = (text: string): string | undefined => {
  const tail = text.slice(text.lastIndexOf(":") + 1);
  if (!tail.includes(".")) return text;
  const [a = 0, b = 0, c = 0, d = 0] = ofIpv4(tail)?.bytes ?? [];
  const groups = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  return ofIpv4(tail) === undefined ? undefined : `${text.slice(0, -tail.length)}${groups}`;
};

const ofIpv6 = (written: string): NetIp | undefined => {
  const text = inGroups(written) ?? "";
  if (!groupsOnly.test(text) || longGroup.test(text) || !ipaddr.IPv6.isValid(text)) return undefined;
  const address = ipaddr.IPv6.parse(text);
  return address.isIPv4MappedAddress() ? undefined : new NetIp(address.toByteArray(), address.toRFC5952String());
};

/** The address that a text names; undefined for any other text. */
export const netIp = (text: string): NetIp | undefined => (text.includes(":") ? ofIpv6(text) : ofIpv4(text));

/** The range that a text names, such as `10.0.0.0/8`; undefined for any other text. */
export const netCidr = (text: string): NetCidr | undefined => {
  const slash = text.lastIndexOf("/");
  const length = text.slice(slash + 1);
  const ip = slash < 0 ? undefined : netIp(text.slice(0, slash));
  if (ip === undefined || !/^(0|[1-9]\d{0,2})$/.test(length)) return undefined;
  return Number(length) <= ip.bytes.length * 8 ? new NetCidr(ip, Number(length)) : undefined;
};

const maskedByte = (byte: number, i: number, length: number): number => {
  const bits = Math.max(0, Math.min(8, length - i * 8));
  return byte & (0xff << (8 - bits)) & 0xff;
};

const agree = (a: NetIp, b: NetIp, length: number): boolean =>
  a.bytes.length === b.bytes.length &&
  a.bytes.every((byte, i) => maskedByte(byte, i, length) === maskedByte(b.bytes[i] ?? 0, i, length));

export const isSameIp = (a: NetIp, b: NetIp): boolean => agree(a, b, a.bytes.length * 8);
export const isSameCidr = (a: NetCidr, b: NetCidr): boolean => a.length === b.length && isSameIp(a.ip, b.ip);
/** Whether an address lies in a range. */
export const containsIp = (range: NetCidr, ip: NetIp): boolean => agree(range.ip, ip, range.length);
/** Whether all addresses of a range lie in another. */
export const containsCidr = (range: NetCidr, inner: NetCidr): boolean =>
  range.length <= inner.length && containsIp(range, inner.ip);

/** The same range, whose address is the first of its network. */
export const masked = ({ ip, length }: NetCidr): NetCidr => {
  const bytes = ip.bytes.map((byte, i) => maskedByte(byte, i, length));
  const text =
    bytes.length === 4 ? new ipaddr.IPv4([...bytes]).toString() : new ipaddr.IPv6([...bytes]).toRFC5952String();
  return new NetCidr(new NetIp(bytes, text), length);
};
