import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { idKey } from "../../src/core/ids.ts";
import type { JsonObject, KubeObject } from "../../src/core/types.ts";
import { azureCluster } from "../../src/kinds/azureCluster.ts";
import { anAzureCluster, inputOf, scopeIn } from "./aCluster.ts";

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
const spec = fc.record({
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

/** What a turn wants, or undefined when it says why it wants nothing. */
const wishesOf = (object: KubeObject) => {
  const scope = scopeIn(inputOf(object));
  if (!scope.ok) {
    expect(scope.error.length).toBeGreaterThan(0);
    for (const { message } of scope.error) expect(message.length).toBeGreaterThan(10);
    return undefined;
  }
  return azureCluster.services.flatMap((service) => service.desired(scope.value));
};

describe("any spec", () => {
  it.each([
    { when: "it lives", metadata: {} },
    { when: "it goes away", metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } },
  ])("gives wishes or problems, never an exception, when $when", ({ metadata }) =>
    fc.assert(
      fc.property(spec, (changes) => {
        const wishes = wishesOf(anAzureCluster(changes as unknown as JsonObject, metadata));
        const keys = wishes?.map(({ id }) => idKey(id)) ?? [];
        if (!("deletionTimestamp" in metadata)) expect(new Set(keys).size).toBe(keys.length);
      }),
      { numRuns: 400 },
    ),
  );

  it("gives the same wishes each time", () =>
    fc.assert(
      fc.property(spec, (changes) => {
        const object = anAzureCluster(changes as unknown as JsonObject);
        expect(wishesOf(object)).toEqual(wishesOf(object));
      }),
      { numRuns: 50 },
    ));

  it("is a good one often enough for these laws to mean something", () => {
    const sample = fc.sample(spec, { numRuns: 300, seed: 7 });
    const good = sample.filter((changes) => wishesOf(anAzureCluster(changes as unknown as JsonObject)) !== undefined);
    expect(good.length).toBeGreaterThan(15);
  });
});
