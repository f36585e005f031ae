import { asText, type CelFunctions, noSuchOverload } from "./celFunction.ts";
import { memoised } from "./memoised.ts";
import { containsCidr, containsIp, masked, NetCidr, NetIp, netCidr, netIp } from "./netAddress.ts";

/** Functions of addresses (https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-ip-address-library and the library for ranges). */

const parsedIp = memoised(netIp);
const parsedCidr = memoised(netCidr);

const ipOf = (text: unknown): NetIp => {
  const ip = parsedIp(asText(text));
  if (ip === undefined) throw new Error(`IP Address ${JSON.stringify(text)} parse error during conversion from string`);
  return ip;
};
const cidrOf = (text: unknown): NetCidr => {
  const cidr = parsedCidr(asText(text));
  if (cidr === undefined) throw new Error("network address parse error during conversion from string");
  return cidr;
};

const asIp = (value: unknown): NetIp => (value instanceof NetIp ? value : noSuchOverload());
const asCidr = (value: unknown): NetCidr => (value instanceof NetCidr ? value : noSuchOverload());

const startsWith =
  (...bytes: readonly number[]) =>
  (value: unknown): boolean =>
    bytes.every((byte, i) => asIp(value).bytes[i] === byte);
const isFour = (value: unknown): boolean => asIp(value).bytes.length === 4;
const isAll = (value: unknown, byte: number): boolean => asIp(value).bytes.every((it) => it === byte);
const bytesOf = (value: unknown): NetIp["bytes"] => asIp(value).bytes;

const isLoopback = (value: unknown): boolean =>
  isFour(value) ? startsWith(127)(value) : bytesOf(value).every((byte, i) => byte === (i === 15 ? 1 : 0));
const isMulticast = (value: unknown): boolean =>
  isFour(value) ? (bytesOf(value)[0] ?? 0) >> 4 === 0xe : startsWith(0xff)(value);
const isLinkLocalMulticast = (value: unknown): boolean =>
  isFour(value) ? startsWith(224, 0, 0)(value) : startsWith(0xff)(value) && ((bytesOf(value)[1] ?? 0) & 0x0f) === 2;
const isLinkLocalUnicast = (value: unknown): boolean =>
  isFour(value) ? startsWith(169, 254)(value) : startsWith(0xfe)(value) && ((bytesOf(value)[1] ?? 0) & 0xc0) === 0x80;
const isGlobalUnicast = (value: unknown): boolean =>
  !isAll(value, 0) &&
  !(isFour(value) && isAll(value, 255)) &&
  !isLoopback(value) &&
  !isMulticast(value) &&
  !isLinkLocalUnicast(value);

export const networkFunctions: CelFunctions = {
  "isIP/1": (text) => parsedIp(asText(text)) !== undefined,
  "ip/1": (value) => (value instanceof NetCidr ? value.ip : ipOf(value)),
  "ip.isCanonical/1": (text) => ipOf(text).text === text,
  "family/1": (ip) => (isFour(ip) ? 4n : 6n),
  "isUnspecified/1": (ip) => isAll(ip, 0),
  "isLoopback/1": isLoopback,
  "isLinkLocalMulticast/1": isLinkLocalMulticast,
  "isLinkLocalUnicast/1": isLinkLocalUnicast,
  "isGlobalUnicast/1": isGlobalUnicast,
  "isCIDR/1": (text) => parsedCidr(asText(text)) !== undefined,
  "cidr/1": cidrOf,
  "containsIP/2": (cidr, ip) => containsIp(asCidr(cidr), ip instanceof NetIp ? ip : ipOf(ip)),
  "containsCIDR/2": (cidr, inner) => containsCidr(asCidr(cidr), inner instanceof NetCidr ? inner : cidrOf(inner)),
  "prefixLength/1": (cidr) => BigInt(asCidr(cidr).length),
  "masked/1": (cidr) => masked(asCidr(cidr)),
};
