import fc from "fast-check";

/** Mostly good, so that whole specs are good now and then. */
const rarely = <T>(good: fc.Arbitrary<T>, bad: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: good, weight: 40 }, { arbitrary: bad, weight: 1 });
const name = rarely(
  fc.nat({ max: 500 }).map((at) => (at === 0 ? "" : `n${at}`)),
  fc.constantFrom("B-1", "a/b", "x".repeat(90), "ümlaut", "10.0.0.4", "9z", "a.b.c", "?q#f"),
);
const cidr = rarely(
  fc.nat({ max: 200 }).map((at) => `10.${at}.0.0/16`),
  fc.constantFrom("2001:db8::/64", "10.0.0.1/8", "nonsense", ""),
);
const some = <T>(value: fc.Arbitrary<T>) => fc.array(value, { maxLength: 2 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 2 });

const ip = fc.record({ name, dnsName: name });
const rule = fc.record({
  name,
  description: name,
  protocol: fc.constantFrom("Tcp", "*"),
  direction: fc.constantFrom("Inbound", "Outbound"),
  priority: rarely(fc.integer({ min: 100, max: 4096 }), fc.constantFrom(0, 5000)),
  destinationPorts: fc.constantFrom("22", "6443", "*"),
});
const subnet = fc.record({
  name,
  role: fc.constantFrom("node", "control-plane", "cluster"),
  cidrBlocks: maybe(some(cidr)),
  securityGroup: maybe(fc.record({ name, securityRules: some(rule) })),
  routeTable: maybe(fc.record({ name })),
  natGateway: maybe(fc.record({ name, ip: maybe(ip) })),
});
const loadBalancer = fc.record({
  name,
  type: fc.constantFrom("", "Public", "Internal"),
  frontendIPs: some(
    fc.record({ name, publicIP: maybe(ip), privateIP: maybe(fc.constantFrom("10.0.0.100", "10.0.0.1")) }),
  ),
  frontendIPsCount: maybe(rarely(fc.integer({ min: 0, max: 3 }), fc.constantFrom(-2, 20))),
  backendPool: maybe(fc.record({ name })),
});
/** Specs of an AzureCluster, good and bad, as a Go client might store them. */
export const anySpec = fc.record({
  resourceGroup: name,
  controlPlaneEnabled: fc.boolean(),
  controlPlaneEndpoint: maybe(fc.record({ host: name, port: fc.constantFrom(0, 443, 6443) })),
  bastionSpec: maybe(fc.record({ azureBastion: maybe(fc.record({ name, publicIP: maybe(ip) })) })),
  networkSpec: fc.record({
    vnet: maybe(fc.record({ name, resourceGroup: name, cidrBlocks: maybe(some(cidr)) })),
    subnets: some(subnet),
    apiServerLB: maybe(loadBalancer),
    nodeOutboundLB: maybe(loadBalancer),
    controlPlaneOutboundLB: maybe(loadBalancer),
  }),
});
