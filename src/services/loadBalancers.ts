import { byDefault, type Marked } from "../core/marked.ts";
import { defineService } from "../core/service.ts";
import type { LoadBalancerBody } from "../wire/generated/network.ts";
import { ids } from "./ids.ts";
import { marked } from "./parts/choice.ts";
import type { ClusterScope, ForwardedPort, Frontend, LoadBalancer } from "./scope.ts";
import { ownedTags } from "./tags.ts";

type Properties = NonNullable<LoadBalancerBody["properties"]>;
type Item<List extends keyof Properties> = Properties[List] extends readonly (infer T)[] | undefined ? T : never;

/** Names that existing clusters carry. */
const probeName = "HTTPSProbe";
const outboundRuleName = "OutboundNATAllProtocols";

/** Azure takes the address of a frontend for IPv4 unless it is told. */
const isIPv6 = (address: string): boolean => address.includes(":");

const frontendBody = (
  scope: ClusterScope,
  lb: LoadBalancer,
  frontend: Frontend,
): Marked<Item<"frontendIPConfigurations">> => {
  const { name } = frontend;
  switch (frontend.kind) {
    case "public":
      return { name, properties: { publicIPAddress: { id: ids.publicIp(scope, frontend.publicIp.name) } } };
    case "private":
      return {
        name,
        zones: lb.zones,
        properties: {
          privateIPAllocationMethod: byDefault("Static"),
          privateIPAddress: marked(frontend.address),
          ...(isIPv6(frontend.address.value) && { privateIPAddressVersion: "IPv6" as const }),
          subnet: { id: ids.subnet(scope, frontend.subnet) },
        },
      };
  }
};

const frontendReference = (scope: ClusterScope, lb: LoadBalancer, frontend: Frontend) => ({
  id: ids.loadBalancerPart(scope, lb.name, "frontendIPConfigurations", frontend.name),
});

const poolReference = (scope: ClusterScope, lb: LoadBalancer) => ({
  id: ids.loadBalancerPart(scope, lb.name, "backendAddressPools", lb.backendPool),
});

/** All ports go to the API server machines, so all share the probe of the API server. */
const portBody = (
  scope: ClusterScope,
  lb: LoadBalancer,
  frontend: Frontend,
  port: ForwardedPort,
): Marked<Item<"loadBalancingRules">> => ({
  name: port.name,
  properties: {
    protocol: byDefault("Tcp"),
    frontendPort: marked(port.frontendPort),
    backendPort: marked(port.backendPort),
    idleTimeoutInMinutes: marked(lb.idleTimeoutInMinutes),
    disableOutboundSnat: byDefault(true),
    enableFloatingIP: byDefault(false),
    loadDistribution: byDefault("Default"),
    frontendIPConfiguration: frontendReference(scope, lb, frontend),
    backendAddressPool: poolReference(scope, lb),
    probe: { id: ids.loadBalancerPart(scope, lb.name, "probes", probeName) },
  },
});

const probeBody = (probedPort: NonNullable<LoadBalancer["probedPort"]>): Marked<Item<"probes">> => ({
  name: probeName,
  properties: {
    protocol: byDefault("Https"),
    port: marked(probedPort),
    requestPath: byDefault("/readyz"),
    intervalInSeconds: byDefault(15),
    probeThreshold: byDefault(1),
  },
});

const outboundRuleBody = (scope: ClusterScope, lb: LoadBalancer): Marked<Item<"outboundRules">> => ({
  name: outboundRuleName,
  properties: {
    protocol: byDefault("All"),
    idleTimeoutInMinutes: marked(lb.idleTimeoutInMinutes),
    frontendIPConfigurations: lb.frontends.map((frontend) => frontendReference(scope, lb, frontend)),
    backendAddressPool: poolReference(scope, lb),
  },
});

/** Public load balancers also give their machines a way out; internal ones have no rule for it. */
const propertiesOf = (scope: ClusterScope, lb: LoadBalancer): Marked<Properties> => {
  const [first] = lb.frontends;
  const outbound = first?.kind === "public";
  return {
    frontendIPConfigurations: lb.frontends.map((frontend) => frontendBody(scope, lb, frontend)),
    backendAddressPools: [{ name: lb.backendPool }],
    loadBalancingRules:
      first === undefined || lb.ports.length === 0
        ? undefined
        : lb.ports.map((port) => portBody(scope, lb, first, port)),
    probes: lb.probedPort === undefined ? undefined : [probeBody(lb.probedPort)],
    outboundRules: outbound ? [outboundRuleBody(scope, lb)] : undefined,
  };
};

const ruleAt = (field: string): string => `properties.loadBalancingRules[].properties.${field}`;
const outboundAt = (field: string): string => `properties.outboundRules[].properties.${field}`;
const probeAt = (field: string): string => `properties.probes[].properties.${field}`;
const frontendAt = (field: string): string => `properties.frontendIPConfigurations[].${field}`;

/**
 * Load balancers of the API server and for outbound traffic. Frontends, pools, rules and NAT rules that others add (the
 * cloud provider, for Services; machines, for SSH) stay.
 */
export const loadBalancers = defineService<ClusterScope, LoadBalancerBody>({
  name: "loadBalancers",
  label: "loadbalancers",
  type: "Microsoft.Network/loadBalancers",
  condition: "LoadBalancersReady",
  after: ["resourceGroups", "publicIps", "subnets"],
  ownership: "tag",
  remove: "withGroup",
  rules: {
    writes: "overlay",
    // Azure derives the members of interface-based pools from the interfaces, and refuses them in a body.
    omit: ["properties.backendAddressPools[].properties.loadBalancerBackendAddresses"],
    oneOf: [
      [ruleAt("backendAddressPool"), ruleAt("backendAddressPools")],
      [
        frontendAt("properties.publicIPAddress"),
        frontendAt("properties.publicIPPrefix"),
        frontendAt("properties.subnet"),
      ],
    ],
    sets: [frontendAt("zones")],
    compare: {
      [frontendAt("properties.privateIPAddress")]: "address",
      [ruleAt("protocol")]: "ignoreCase",
      [outboundAt("protocol")]: "ignoreCase",
      [probeAt("protocol")]: "ignoreCase",
    },
    immutable: [
      "location",
      "extendedLocation.name",
      "extendedLocation.type",
      "sku.name",
      "sku.tier",
      frontendAt("zones"),
    ],
    absentMeans: {
      [frontendAt("properties.privateIPAddressVersion")]: "IPv4",
      [ruleAt("enableFloatingIP")]: false,
      [ruleAt("enableTcpReset")]: false,
      [ruleAt("disableOutboundSnat")]: false,
      [ruleAt("idleTimeoutInMinutes")]: 4,
      [ruleAt("loadDistribution")]: "Default",
      [outboundAt("allocatedOutboundPorts")]: 0,
      [outboundAt("enableTcpReset")]: false,
      [outboundAt("idleTimeoutInMinutes")]: 4,
      [probeAt("noHealthyBackendsBehavior")]: "AllProbedDown",
    },
    exclusive: {
      "properties.loadBalancingRules[]": [
        "properties.frontendIPConfiguration.id",
        "properties.frontendPort",
        "properties.protocol",
      ],
    },
  },
  desired: (scope) =>
    scope.loadBalancers.map((lb) => ({
      id: ids.loadBalancer(scope, lb.name),
      body: {
        location: scope.location,
        extendedLocation: scope.extendedLocation,
        sku: byDefault({ name: "Standard" }),
        tags: ownedTags(scope, { role: lb.role }),
        properties: propertiesOf(scope, lb),
      },
    })),
});
