import type { LoadBalancerSpec } from "../api/loadBalancer.ts";
import type { Choice, PublicIp } from "../services/scope.ts";
import type { ClusterFacts } from "./settled.ts";

/** Azure's own default, in minutes. */
const defaultIdleTimeout = 4;

export const idleTimeoutOf = (lb: LoadBalancerSpec): Choice<number> =>
  lb.idleTimeoutInMinutes === undefined
    ? { value: defaultIdleTimeout, asked: false }
    : { value: lb.idleTimeoutInMinutes, asked: true };

/** Zones that a load balancer asks for. */
export const zonesOf = (lb: LoadBalancerSpec): readonly string[] | undefined =>
  lb.availabilityZones === undefined || lb.availabilityZones.length === 0 ? undefined : lb.availabilityZones;

/** An address of a load balancer: in the zones that it asks for, and at the edge when the cluster is. */
export const addressFor = (facts: ClusterFacts, lb: LoadBalancerSpec, ip: PublicIp): PublicIp => {
  const zones = zonesOf(lb);
  return {
    ...ip,
    ...(zones !== undefined && { zones: { value: zones, asked: true } }),
    ...(facts.extendedLocation !== undefined && { extendedLocation: facts.extendedLocation }),
  };
};
