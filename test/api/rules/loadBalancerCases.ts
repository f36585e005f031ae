import type { JsonObject } from "../../../src/core/types.ts";
import type { RuleCase } from "../../support/admission/ruleCase.ts";
import { asItem, fieldCase, itemsCase, lengthCase, type Place, twiceCase, within } from "./specPlaces.ts";
import { networkNameCases, publicIpCases } from "./subnetCases.ts";

const publicOne = (name: string): JsonObject => ({ name, publicIP: { name } });
const privateOne = (name: string): JsonObject => ({ name, privateIP: "10.0.0.100" });

/** What any load balancer of a cluster or template is held to. */
export const loadBalancerClassCases = (lb: Place): readonly RuleCase[] => [
  fieldCase(lb, "sku", "must be Standard", "", "Basic"),
  { ...lengthCase(lb, "sku", 20), accepts: lb.patch({ sku: "Standard" }), refuses: lb.patch({ sku: "a".repeat(21) }) },
  fieldCase(lb, "idleTimeoutInMinutes", "must be from 4 to 30", 30, 31),
];

export const apiServerTypeCases = (lb: Place): readonly RuleCase[] => [
  fieldCase(lb, "type", "must be Public or Internal", "Public", "Both"),
  { ...lengthCase(lb, "type", 20), accepts: lb.patch({ type: "" }), refuses: lb.patch({ type: "a".repeat(21) }) },
];

/** What the load balancer of the API server is held to. */
export const apiServerCases = (network: Place): readonly RuleCase[] => {
  const lb = within(network, "apiServerLB");
  const frontend = asItem(lb, "frontendIPs", publicOne("a"));
  const frontendIp: Place = {
    field: `${frontend.field}.publicIP`,
    patch: (part) => frontend.patch({ publicIP: { name: "", ...part } }),
  };
  const internal = (...frontendIPs: readonly JsonObject[]) => lb.patch({ type: "Internal", frontendIPs });
  return [
    ...loadBalancerClassCases(lb),
    ...apiServerTypeCases(lb),
    ...networkNameCases(lb),
    ...networkNameCases(within(lb, "backendPool")),
    ...networkNameCases(frontend),
    ...publicIpCases(frontendIp),
    fieldCase(frontend, "privateIP", "must be an IP address", "10.0.0.5", "10.0.0"),
    {
      ...lengthCase(frontend, "privateIP", 45),
      accepts: frontend.patch({ privateIP: "" }),
      refuses: frontend.patch({ privateIP: "1".repeat(46) }),
    },
    fieldCase(
      lb,
      "frontendIPs",
      "must have frontends whose names differ",
      [publicOne("a")],
      [publicOne("a"), privateOne("A")],
    ),
    {
      rule: "must have exactly one frontend with a publicIP",
      field: `${lb.field}.frontendIPs`,
      accepts: lb.patch({ frontendIPs: [publicOne("a"), privateOne("b")] }),
      refuses: lb.patch({ frontendIPs: [publicOne("a"), publicOne("b")] }),
    },
    {
      rule: "must have at most one frontend with a privateIP",
      field: `${lb.field}.frontendIPs`,
      accepts: lb.patch({ frontendIPs: [publicOne("a"), privateOne("b")] }),
      refuses: lb.patch({ frontendIPs: [publicOne("a"), privateOne("b"), privateOne("c")] }),
    },
    {
      rule: "must have one frontend when the type is Internal",
      field: `${lb.field}.frontendIPs`,
      accepts: internal(privateOne("a")),
      refuses: internal(privateOne("a"), { name: "b" }),
    },
    {
      rule: "must have no publicIP when the type is Internal",
      field: `${lb.field}.frontendIPs`,
      accepts: internal({ name: "a" }),
      refuses: internal(publicOne("a")),
    },
    fieldCase(lb, "frontendIPsCount", "must be 1 or absent", 1, 2),
    {
      ...itemsCase(lb, "frontendIPs", 16, (index) => privateOne(`a${index}`)),
      accepts: internal(privateOne("a")),
    },
    itemsCase(lb, "availabilityZones", 3, (index) => String(index + 1)),
    twiceCase(lb, "availabilityZones", "1", "availabilityZones[1]"),
    {
      rule: "must have a privateIP inside the control-plane subnet",
      field: `${lb.field}.frontendIPs`,
      accepts: network.patch({
        apiServerLB: { type: "Internal", frontendIPs: [{ name: "a", privateIP: "10.0.0.9" }] },
      }),
      refuses: network.patch({
        apiServerLB: { type: "Internal", frontendIPs: [{ name: "a", privateIP: "10.1.0.9" }] },
      }),
    },
    {
      rule: "must have a privateIP inside the control-plane subnet",
      field: `${lb.field}.frontendIPs`,
      // What ranges a network elsewhere has is not known, unless the spec lists them.
      accepts: network.patch({
        vnet: { name: "shared", resourceGroup: "net" },
        subnets: [{ name: "cp", role: "control-plane" }],
        apiServerLB: { type: "Internal", frontendIPs: [{ name: "a", privateIP: "172.16.1.9" }] },
      }),
      refuses: network.patch({
        vnet: { name: "shared", resourceGroup: "net", cidrBlocks: ["172.16.0.0/16"] },
        subnets: [{ name: "cp", role: "control-plane", cidrBlocks: ["172.16.2.0/24"] }],
        apiServerLB: { type: "Internal", frontendIPs: [{ name: "a", privateIP: "172.16.1.9" }] },
      }),
    },
    {
      rule: `inside the control-plane subnet, cp (10.4.0.0/16)`,
      field: `${lb.field}.frontendIPs`,
      accepts: network.patch({
        subnets: [{ name: "cp", role: "control-plane", cidrBlocks: ["10.0.0.0/24"] }],
        apiServerLB: { type: "Internal" },
      }),
      refuses: network.patch({
        subnets: [{ name: "cp", role: "control-plane", cidrBlocks: ["10.4.0.0/16"] }],
        apiServerLB: { type: "Internal" },
      }),
    },
  ];
};

/** What the load balancers for the way out are held to. */
export const outboundCases = (network: Place): readonly RuleCase[] => {
  const lb = within(network, "nodeOutboundLB");
  return [
    ...loadBalancerClassCases(lb),
    fieldCase(lb, "frontendIPsCount", "must be from 0 to 16", 16, 17),
    fieldCase(lb, "frontendIPs", "must have frontends with a publicIP", [publicOne("a")], [privateOne("a")]),
    {
      rule: "must be absent when apiServerLB is Public",
      field: `${network.field}.controlPlaneOutboundLB`,
      accepts: network.patch({
        apiServerLB: { type: "Internal" },
        controlPlaneOutboundLB: { idleTimeoutInMinutes: 4 },
      }),
      refuses: network.patch({ controlPlaneOutboundLB: { idleTimeoutInMinutes: 4 } }),
    },
  ];
};
