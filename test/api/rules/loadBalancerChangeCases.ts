import type { JsonObject } from "../../../src/core/types.ts";
import type { RuleCase } from "../../support/admission/ruleCase.ts";

/** Changes of the load balancers of an AzureCluster called `c1`, with the defaults that earlier providers stored. */

const ofNetwork = (networkSpec: JsonObject): JsonObject => ({ spec: { networkSpec } });
const internal = { apiServerLB: { type: "Internal" } };

const apiServer = (lb: JsonObject | null): JsonObject => ofNetwork({ apiServerLB: lb });
const storedPublic = {
  name: "c1-public-lb",
  sku: "Standard",
  type: "Public",
  idleTimeoutInMinutes: 4,
  backendPool: { name: "c1-public-lb-backendPool" },
  frontendIPs: [{ name: "c1-public-lb-frontEnd", publicIP: { name: "pip-c1-apiserver" } }],
};

const apiServerLoadBalancer: readonly RuleCase[] = [
  {
    rule: "must stay as it is; Public when absent",
    field: "spec.networkSpec.apiServerLB.type",
    from: apiServer(storedPublic),
    accepts: apiServer(null),
    refuses: apiServer({ type: "Internal", frontendIPs: null }),
  },
  {
    rule: "must stay as it is; when absent the name of this object with -public-lb or -internal-lb",
    field: "spec.networkSpec.apiServerLB.name",
    from: {},
    accepts: apiServer(storedPublic),
    refuses: apiServer({ name: "other" }),
  },
  {
    rule: "must stay as it is; when absent the name of this object with -public-lb or -internal-lb",
    field: "spec.networkSpec.apiServerLB.name",
    from: apiServer({ type: "Internal", name: "c1-internal-lb" }),
    accepts: apiServer({ name: "" }),
    refuses: apiServer({ name: "c1-public-lb" }),
  },
  {
    rule: "must stay as it is; 4 when absent",
    field: "spec.networkSpec.apiServerLB.idleTimeoutInMinutes",
    from: apiServer(storedPublic),
    accepts: apiServer({ idleTimeoutInMinutes: null }),
    refuses: apiServer({ idleTimeoutInMinutes: 5 }),
  },
  {
    rule: "must stay the same zones",
    field: "spec.networkSpec.apiServerLB.availabilityZones",
    from: apiServer({ availabilityZones: ["1", "2"] }),
    accepts: apiServer({ availabilityZones: ["2", "1"] }),
    refuses: apiServer(null),
  },
  {
    rule: "must keep the privateIP",
    field: "spec.networkSpec.apiServerLB.frontendIPs",
    from: apiServer({ type: "Internal", frontendIPs: [{ name: "a", privateIP: "10.0.0.100" }] }),
    accepts: apiServer({ frontendIPs: null }),
    refuses: apiServer({ frontendIPs: [{ name: "a", privateIP: "10.0.0.101" }] }),
  },
  {
    rule: "must keep the privateIP",
    field: "spec.networkSpec.apiServerLB.frontendIPs",
    from: apiServer({ type: "Internal" }),
    accepts: apiServer({ frontendIPs: [{ name: "a", privateIP: "10.0.0.100" }] }),
    refuses: apiServer({ frontendIPs: [{ name: "a", privateIP: "10.0.0.101" }] }),
  },
  {
    rule: "must keep the privateIP",
    field: "spec.networkSpec.apiServerLB.frontendIPs",
    from: apiServer({
      frontendIPs: [
        { name: "a", publicIP: { name: "a" } },
        { name: "b", privateIP: "10.0.0.9" },
      ],
    }),
    accepts: apiServer({
      frontendIPs: [
        { name: "c", publicIP: { name: "c" } },
        { name: "b", privateIP: "10.0.0.9" },
      ],
    }),
    refuses: apiServer({ frontendIPs: null }),
  },
];

const nodes = (lb: JsonObject | null): JsonObject => ofNetwork({ nodeOutboundLB: lb });
const ipv6 = {
  vnet: { cidrBlocks: ["10.0.0.0/8", "2001:db8::/56"] },
  subnets: [{ name: "n", role: "node", cidrBlocks: ["10.1.0.0/16", "2001:db8::/64"] }],
};

const nodeLoadBalancer: readonly RuleCase[] = [
  {
    rule: "must stay as it is; the name of this object when absent",
    field: "spec.networkSpec.nodeOutboundLB.name",
    from: nodes({ name: "c1", frontendIPsCount: 1 }),
    accepts: nodes({ name: null, frontendIPsCount: 2 }),
    refuses: nodes({ name: "other" }),
  },
  {
    rule: "must stay as it is where subnets have IPv6 ranges; 4 when absent",
    field: "spec.networkSpec.nodeOutboundLB.idleTimeoutInMinutes",
    from: ofNetwork({ ...ipv6, nodeOutboundLB: { idleTimeoutInMinutes: 4 } }),
    accepts: nodes(null),
    refuses: nodes({ idleTimeoutInMinutes: 5 }),
  },
  {
    rule: "must stay the same zones",
    field: "spec.networkSpec.nodeOutboundLB.availabilityZones",
    from: nodes({ idleTimeoutInMinutes: 4 }),
    accepts: nodes({ idleTimeoutInMinutes: 5 }),
    refuses: nodes({ availabilityZones: ["1"] }),
  },
];

const storedOutbound = {
  name: "c1-outbound-lb",
  sku: "Standard",
  type: "Public",
  idleTimeoutInMinutes: 4,
  frontendIPsCount: 1,
  frontendIPs: [{ name: "c1-outbound-lb-frontEnd", publicIP: { name: "pip-c1-controlplane-outbound" } }],
  backendPool: { name: "c1-outbound-lb-outboundBackendPool" },
};

const controlPlaneLoadBalancer: readonly RuleCase[] = [
  {
    rule: "must stay as it was at creation",
    field: "spec.networkSpec.controlPlaneOutboundLB",
    from: ofNetwork({ ...internal, controlPlaneOutboundLB: storedOutbound }),
    accepts: ofNetwork({
      controlPlaneOutboundLB: {
        name: null,
        sku: null,
        type: null,
        idleTimeoutInMinutes: null,
        frontendIPs: null,
        backendPool: null,
      },
    }),
    refuses: ofNetwork({ controlPlaneOutboundLB: { frontendIPsCount: 2 } }),
  },
  {
    rule: "must stay as it was at creation",
    field: "spec.networkSpec.controlPlaneOutboundLB",
    from: ofNetwork(internal),
    accepts: ofNetwork({ controlPlaneOutboundLB: null }),
    refuses: ofNetwork({ controlPlaneOutboundLB: storedOutbound }),
  },
];

/** Changes of load balancers that are let pass and refused. */
export const loadBalancerChangeCases: readonly RuleCase[] = [
  ...apiServerLoadBalancer,
  ...nodeLoadBalancer,
  ...controlPlaneLoadBalancer,
];
