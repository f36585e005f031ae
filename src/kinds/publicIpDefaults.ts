import type { PublicIpSpec } from "../api/network.ts";
import type { PublicIp } from "../services/scope.ts";
import { given } from "./given.ts";

/** An address as the spec has it, with a name and the zones of the region where it says nothing. */
export const publicIp = (
  spec: Partial<PublicIpSpec> | undefined,
  fallbackName: string,
  zones: readonly string[] | undefined,
): PublicIp => {
  const dnsName = given(spec?.dnsName);
  return {
    name: given(spec?.name) ?? fallbackName,
    ...(dnsName !== undefined && { dnsName: { value: dnsName, asked: true } }),
    ipTags: spec?.ipTags ?? [],
    ...(zones !== undefined && { zones: { value: zones, asked: false } }),
  };
};
