import ipaddr from "ipaddr.js";
import { type AddressRange, parseCidr } from "../cidr.ts";

/** Ranges of pods and services, as a Cluster says them. */
export interface ClusterNetwork {
  readonly pods?: { readonly cidrBlocks?: readonly string[] };
  readonly services?: { readonly cidrBlocks?: readonly string[] };
}

/** The ranges that AKS is given: it takes one of each, and chooses where the Cluster says none. */
export const aksRanges = ({
  pods,
  services,
}: ClusterNetwork): { readonly podCidr?: string; readonly serviceCidr?: string } => {
  const [podCidr, ...morePods] = pods?.cidrBlocks ?? [];
  const [serviceCidr, ...moreServices] = services?.cidrBlocks ?? [];
  return {
    ...(podCidr !== undefined && morePods.length === 0 && { podCidr }),
    ...(serviceCidr !== undefined && moreServices.length === 0 && { serviceCidr }),
  };
};

const bytesOf = (value: bigint, length: number): readonly number[] =>
  Array.from({ length }, (_, index) => Number((value >> BigInt(8 * (length - 1 - index))) & 255n));

const written = ({ version }: AddressRange, address: bigint): string =>
  ipaddr.fromByteArray([...bytesOf(address, version === 4 ? 4 : 16)]).toString();

/**
 * Address of the DNS service in a range of services: its tenth. Undefined where the range is too small or is none, so
 * that AKS says what it makes of it.
 */
export const defaultDnsServiceIp = (serviceCidr: string): string | undefined => {
  const range = parseCidr(serviceCidr);
  return range !== undefined && range.first + 10n <= range.last ? written(range, range.first + 10n) : undefined;
};
