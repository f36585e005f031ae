import type { PublicIpSpec } from "../api/cluster/network.ts";
import type { PublicIp } from "../services/scope.ts";
import { chosen } from "./asked.ts";
import { given } from "./given.ts";
import type { ClusterFacts } from "./settled.ts";

/** An address of the complete form, in all zones of the region. `said`: the same address in the spec itself. */
export const settlePublicIp = (
  { zones }: ClusterFacts,
  ip: PublicIpSpec,
  said: Partial<PublicIpSpec> | undefined,
): PublicIp => {
  const dnsName = given(ip.dnsName);
  return {
    name: ip.name,
    ...(dnsName !== undefined && { dnsName: chosen(dnsName, said?.dnsName) }),
    ipTags: ip.ipTags ?? [],
    ...(zones !== undefined && { zones: { value: zones, asked: false } }),
  };
};
