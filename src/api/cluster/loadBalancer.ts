import { Type } from "typebox";
import { textAt, valueOr } from "../cel/parts.ts";
import { unlessUnchanged } from "../cel/unlessUnchanged.ts";
import { int32, list, type Parsed, type Rule, ruled, set, text } from "../schema.ts";
import { networkName } from "./azureNames.ts";
import { publicIpSpec } from "./network.ts";

const frontendIp = Type.Object(
  {
    name: networkName("Name of the frontend.", { minLength: 1 }),
    publicIP: Type.Optional(publicIpSpec),
    privateIP: Type.Optional(
      ruled(text("Fixed address in the control-plane subnet.", { maxLength: 45 }), {
        rule: "self == '' || isIP(self)",
        message: "must be an IP address",
      }),
    ),
  },
  { description: "An address under which the load balancer is reached, or from which its machines reach out." },
);
export type FrontendIpSpec = Parsed<typeof frontendIp>;

/** A load balancer: in front of the API server, or for outbound traffic only. */
export const loadBalancerSpec = Type.Object({
  name: Type.Optional(networkName("Name in Azure.")),
  id: Type.Optional(text("Resource id; informative.")),
  sku: Type.Optional(
    ruled(text("Only `Standard`.", { maxLength: 20 }), {
      rule: "self in ['', 'Standard']",
      message: "must be Standard",
    }),
  ),
  type: Type.Optional(text("`Public` or `Internal`.", { maxLength: 20 })),
  idleTimeoutInMinutes: Type.Optional(
    ruled(int32("Idle time-out of its rules, 4 to 30 minutes; 4 when absent."), {
      rule: "self >= 4 && self <= 30",
      message: "must be from 4 to 30",
    }),
  ),
  frontendIPs: Type.Optional(
    ruled(list("Frontends.", frontendIp, { maxItems: 16 }), {
      rule: "self.all(a, self.exists_one(b, b.name.lowerAscii() == a.name.lowerAscii()))",
      message: "must have frontends whose names differ",
    }),
  ),
  frontendIPsCount: Type.Optional(int32("How many outbound frontends there are, each with a public IP address.")),
  backendPool: Type.Optional(
    Type.Object(
      { name: Type.Optional(networkName("Name of the backend pool.")) },
      { description: "The machines behind it." },
    ),
  ),
  availabilityZones: Type.Optional(
    set("Zones of an internal frontend, or of the public IP addresses.", Type.String({ pattern: "^[1-3]$" }), {
      maxItems: 3,
    }),
  ),
});
export type LoadBalancerSpec = Parsed<typeof loadBalancerSpec>;

/** Other load balancers are public whatever they say. */
export const apiServerType: Rule = {
  rule: "!has(self.type) || self.type in ['', 'Public', 'Internal']",
  message: "must be Public or Internal",
  fieldPath: ".type",
};

const internal = "(has(self.type) && self.type == 'Internal')";
const frontends = "!has(self.frontendIPs)";

const apiServerFrontends: readonly Rule[] = [
  {
    rule: `${internal} || ${frontends} || self.frontendIPs.size() == 0 || self.frontendIPs.exists_one(f, has(f.publicIP))`,
    message: "must have exactly one frontend with a publicIP unless the type is Internal",
    fieldPath: ".frontendIPs",
  },
  {
    rule: `${frontends} || self.frontendIPs.filter(f, has(f.privateIP) && f.privateIP != '').size() <= 1`,
    message: "must have at most one frontend with a privateIP",
    fieldPath: ".frontendIPs",
  },
  {
    rule: `!${internal} || ${frontends} || self.frontendIPs.size() <= 1`,
    message: "must have one frontend when the type is Internal",
    fieldPath: ".frontendIPs",
  },
  {
    rule: `!${internal} || ${frontends} || self.frontendIPs.all(f, !has(f.publicIP))`,
    message: "must have no publicIP when the type is Internal",
    fieldPath: ".frontendIPs",
  },
  {
    rule: `${internal} || !has(self.frontendIPsCount) || self.frontendIPsCount == 1`,
    message: "must be 1 or absent unless the type is Internal",
    fieldPath: ".frontendIPsCount",
  },
];

/** The load balancer in front of the API server. A public one with a private frontend too has a second one beside it. */
export const apiServerLoadBalancer = ruled(
  Type.Object(loadBalancerSpec.properties, { description: "The load balancer in front of the API server." }),
  ...unlessUnchanged(
    [textAt("type"), valueOr("frontendIPs", "[]"), valueOr("frontendIPsCount", "1")],
    apiServerType,
    ...apiServerFrontends,
  ),
);

/**
 * A load balancer through which machines reach out, with at most 16 addresses as upstream allows. Upstream looks at the
 * one of nodes only where subnets have IPv6 ranges; Azure demands the same of all.
 */
export const outboundLoadBalancer = (description: string) => {
  const { frontendIPs, frontendIPsCount, ...others } = loadBalancerSpec.properties;
  const fields = {
    ...others,
    frontendIPs: Type.Optional(
      ruled(frontendIPs, {
        rule: "self.all(f, has(f.publicIP))",
        message: "must have frontends with a publicIP",
      }),
    ),
    frontendIPsCount: Type.Optional(
      ruled(frontendIPsCount, { rule: "self >= 0 && self <= 16", message: "must be from 0 to 16" }),
    ),
  };
  return Type.Object(fields, { description });
};
