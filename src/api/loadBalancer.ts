import { Type } from "typebox";
import { publicIpSpec } from "./network.ts";
import { int32, list, type Parsed, set, text } from "./schema.ts";

const frontendIp = Type.Object({
  name: text("Name of the frontend.", { minLength: 1 }),
  publicIP: Type.Optional(publicIpSpec),
  privateIP: Type.Optional(text("Fixed address in the control-plane subnet.")),
});
export type FrontendIpSpec = Parsed<typeof frontendIp>;

/** A load balancer: in front of the API server, or for outbound traffic only. */
export const loadBalancerSpec = Type.Object({
  name: Type.Optional(text("Name in Azure.")),
  id: Type.Optional(text("Resource id; informative.")),
  sku: Type.Optional(text("Only `Standard`.")),
  type: Type.Optional(text("`Public` or `Internal`.")),
  idleTimeoutInMinutes: Type.Optional(int32("Idle time-out of its rules, 4 to 30 minutes.")),
  frontendIPs: Type.Optional(list("Frontends.", frontendIp)),
  frontendIPsCount: Type.Optional(int32("How many outbound frontends there are, each with a public IP address.")),
  backendPool: Type.Optional(Type.Object({ name: Type.Optional(text("Name of the backend pool.")) })),
  availabilityZones: Type.Optional(
    set("Zones of an internal frontend, or of the public IP addresses.", Type.String({ pattern: "^[1-3]$" }), {
      maxItems: 3,
    }),
  ),
});
export type LoadBalancerSpec = Parsed<typeof loadBalancerSpec>;
