import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { idKey } from "../../../src/core/ids.ts";
import type { Desired, JsonObject } from "../../../src/core/types.ts";
import { clusterServices } from "../../../src/services/index.ts";
import type { ClusterScope, Frontend, LoadBalancer, SecurityRule, Subnet } from "../../../src/services/scope.ts";
import type { ArmSimulatorOptions } from "../../../src/sim/arm/options.ts";
import { seedResources } from "../../../src/sim/arm/otherWriter.ts";
import { loadSchema } from "../../../src/wire/loadSchema.ts";
import { anAzureCluster, inputOf, scopeIn } from "../../kinds/aCluster.ts";
import { look, type Simulated, simulated, turn } from "./support/simulated.ts";

const hub = { resourceGroup: "hub-rg", name: "hub" };
const target = "/subscriptions/s/resourceGroups/r/providers/Microsoft.Storage/storageAccounts/logs";
/** A cluster that has something of every service. */
const base = (): ClusterScope => {
  const network = {
    vnet: { name: "c1-vnet", peerings: [{ resourceGroup: hub.resourceGroup, remoteVnetName: hub.name }] },
    subnets: [
      { name: "control-plane-subnet", role: "control-plane" },
      {
        name: "node-subnet",
        role: "node",
        privateEndpoints: [{ name: "logs", privateLinkServiceConnections: [{ privateLinkServiceID: target }] }],
      },
    ],
  };
  const scope = scopeIn(inputOf(anAzureCluster({ networkSpec: network, bastionSpec: { azureBastion: {} } })));
  if (!scope.ok) throw new Error("no scope");
  return { ...scope.value, privateDns: privateDns("10.0.0.100", 4) };
};
const privateDns = (address: string, version: 4 | 6): NonNullable<ClusterScope["privateDns"]> => ({
  zone: "c1.capz.io",
  resourceGroup: "c1",
  links: [
    { name: "c1-vnet-link", vnet: { name: "c1-vnet", resourceGroup: "c1" } },
    { name: "hub-link", vnet: hub },
  ],
  record: { name: "apiserver", version, address: { value: address, asked: false } },
});
const asked = <T>(value: T) => ({ value, asked: true });
type Change = (scope: ClusterScope) => ClusterScope;

const rule = (name: string, priority: number, more: Partial<SecurityRule>): SecurityRule => ({
  name,
  description: name,
  protocol: "Tcp",
  direction: "Inbound",
  access: "Allow",
  priority,
  sourcePorts: "*",
  destinationPorts: "443",
  source: "*",
  destination: "*",
  asked: true,
  ...more,
});
const { sources: _none, ...bare } = rule("", 0, {});
const withoutSource = ({ name, priority, sources }: { name: string; priority: number; sources: readonly string[] }) => {
  const { source: _source, ...rest } = { ...bare, name, priority };
  return { ...rest, sources };
};
const rules: readonly SecurityRule[] = [
  rule("tcp", 100, {}),
  rule("udp", 110, { protocol: "Udp", destinationPorts: "1000-2000" }),
  rule("icmp", 120, { protocol: "Icmp", destinationPorts: "*" }),
  rule("any", 130, { protocol: "*", access: "Deny", source: "VirtualNetwork", destination: "AzureLoadBalancer" }),
  rule("out", 100, { direction: "Outbound", source: "10.0.0.0/8", destination: "Internet" }),
  withoutSource({ name: "one", priority: 140, sources: ["10.0.0.0/8"] }),
  withoutSource({ name: "many", priority: 150, sources: ["10.0.0.0/8", "2001:DB8::/32", "192.168.0.1"] }),
  rule("empty", 160, { description: "" }),
  rule("ours", 170, { asked: false }),
];

const nodes =
  (change: (subnet: Subnet) => Subnet): Change =>
  (scope) => ({
    ...scope,
    subnets: scope.subnets.map((subnet) => (subnet.role === "node" ? change(subnet) : subnet)),
  });
const balancers =
  (change: (lb: LoadBalancer) => LoadBalancer): Change =>
  (scope) => ({
    ...scope,
    loadBalancers: scope.loadBalancers.map((lb) => (lb.role === "apiserver" ? change(lb) : lb)),
  });
const inside = (address: string): Frontend => ({
  kind: "private",
  name: "inside",
  address: asked(address),
  subnet: "control-plane-subnet",
});

const standard = { sku: asked("Standard" as const), enableTunneling: asked(true) };
const asg =
  "/subscriptions/00000000-0000-4000-8000-000000000001/resourceGroups/c1/providers/Microsoft.Network/applicationSecurityGroups/asg";

/** Every form that a field of the scope can take, one by one. */
const variants: Readonly<Record<string, Change>> = {
  plain: (scope) => scope,
  "every form of a security rule": (scope) => ({
    ...scope,
    securityGroups: scope.securityGroups.map((group) => ({ ...group, rules })),
  }),
  "no security rule": (scope) => ({
    ...scope,
    securityGroups: scope.securityGroups.map((group) => ({ ...group, rules: [] })),
  }),
  "several ranges of the network, of both families": (scope) => ({
    ...scope,
    vnet: { ...scope.vnet, cidrBlocks: asked(["10.0.0.0/8", "FD00:0:0::/48"]) },
  }),
  "a network in a group of its own": ({ privateDns: dns, ...scope }) => ({
    ...scope,
    vnet: { ...scope.vnet, resourceGroup: "network" },
    ...(dns !== undefined && { privateDns: { ...dns, links: dns.links.filter(({ vnet }) => vnet === hub) } }),
  }),
  "one range of a subnet, chosen": nodes((subnet) => ({
    ...subnet,
    cidrBlocks: { value: ["10.1.0.0/16"], asked: false },
  })),
  "one range of a subnet, asked": nodes((subnet) => ({ ...subnet, cidrBlocks: asked(["10.1.0.0/16"]) })),
  "several ranges of a subnet": nodes((subnet) => ({ ...subnet, cidrBlocks: asked(["10.1.0.0/16", "10.4.0.0/16"]) })),
  "a bare subnet": nodes(({ name, role, cidrBlocks, serviceEndpoints }) => ({
    name,
    role,
    cidrBlocks,
    serviceEndpoints,
    implied: [],
  })),
  "service endpoints": nodes((subnet) => ({
    ...subnet,
    serviceEndpoints: [
      { service: "Microsoft.Storage", locations: ["East US", "westus"] },
      { service: "Microsoft.Sql", locations: ["*"] },
    ],
  })),
  "an address with name and tags": (scope) => ({
    ...scope,
    publicIps: scope.publicIps.map((ip) => ({
      ...ip,
      dnsName: asked(`${ip.name}.eastus.cloudapp.azure.com`),
      ipTags: [{ type: "RoutingPreference", tag: "Internet" }],
    })),
  }),
  "a zonal address": (scope) => ({
    ...scope,
    publicIps: scope.publicIps.map((ip) => ({ ...ip, zones: asked(["3", "1", "2"]) })),
  }),
  "addresses without zones": (scope) => ({
    ...scope,
    publicIps: scope.publicIps.map(({ zones: _zones, ...ip }) => ip),
  }),
  "a zonal NAT gateway": (scope) => ({
    ...scope,
    publicIps: scope.publicIps.map((ip) => ({ ...ip, zones: asked(["1"]) })),
    natGateways: scope.natGateways.map((gateway) => ({ ...gateway, zones: ["1"] })),
  }),
  "an internal load balancer": balancers((lb) => ({ ...lb, frontends: [inside("10.0.0.100")] })),
  "an internal load balancer with zones": balancers((lb) => ({
    ...lb,
    frontends: [inside("10.0.0.100")],
    zones: ["1", "2", "3"],
  })),
  "more ports and another idle timeout": balancers((lb) => ({
    ...lb,
    idleTimeoutInMinutes: asked(30),
    probedPort: lb.probedPort ?? asked(6443),
    ports: [...lb.ports, { name: "konnectivity", frontendPort: asked(8132), backendPort: asked(8132) }],
  })),
  "a load balancer for outbound traffic only": balancers(({ probedPort: _port, ...lb }) => ({ ...lb, ports: [] })),
  "flags of both directions of a peering": (scope) => ({
    ...scope,
    peerings: scope.peerings.map(({ remote, forward, reverse }) => ({
      remote,
      forward: { ...forward, allowForwardedTraffic: true, allowVirtualNetworkAccess: false },
      reverse: { ...reverse, allowGatewayTransit: true, allowForwardedTraffic: false },
    })),
  }),
  "a name with an IPv6 address": ({ privateDns: dns, ...scope }) => ({
    ...scope,
    privateDns: { ...privateDns("FD00:0:0::100", 6), links: (dns ?? privateDns("", 4)).links },
  }),
  "a bastion host for native clients": (scope) => ({
    ...scope,
    bastion: { name: "Bastion", subnet: "AzureBastionSubnet", publicIp: "c1-azure-bastion-pip", ...standard },
  }),
  "a private endpoint with all that it can have": (scope) => ({
    ...scope,
    privateEndpoints: scope.privateEndpoints.map((endpoint) => ({
      ...endpoint,
      manualApproval: true,
      customNetworkInterfaceName: "logs-nic",
      addresses: ["10.1.0.10"],
      applicationSecurityGroups: [asg],
      connections: endpoint.connections.map((one) => ({ ...one, groupIds: ["blob"], requestMessage: "please" })),
    })),
  }),
  "tags of the user": (scope) => ({ ...scope, additionalTags: { Env: "prod", "a.b/c": "" } }),
  "a location in words": (scope) => ({ ...scope, location: "East US" }),
};

/** What others have made before. */
const others = [
  {
    id: `/subscriptions/00000000-0000-4000-8000-000000000001/resourceGroups/${hub.resourceGroup}/providers/Microsoft.Network/virtualNetworks/${hub.name}`,
    location: "eastus",
    properties: { addressSpace: { addressPrefixes: ["172.16.0.0/16"] } },
  },
  { id: asg, location: "eastus", properties: {} },
];

interface Made {
  readonly azure: Simulated;
  readonly service: (typeof clusterServices)[number];
  readonly desired: Desired;
}

const make = async (scope: ClusterScope, options: ArmSimulatorOptions): Promise<readonly Made[]> => {
  const shared = simulated([], options);
  seedResources(shared.state, others, 0);
  const made: Made[] = [];
  for (const service of clusterServices)
    for (const desired of service.desired(scope)) {
      const azure: Simulated = { ...shared, ledger: undefined };
      turn(azure, service, await loadSchema(service.type), desired);
      made.push({ azure, service, desired });
    }
  return made;
};

const written = async (made: readonly Made[], see?: (body: JsonObject) => JsonObject): Promise<readonly string[]> => {
  const paths: string[] = [];
  for (const { azure, service, desired } of made) {
    const result = look(azure, service, await loadSchema(service.type), desired, see);
    const changes = result.kind === "write" ? result.requests.flatMap((request) => request.changes) : [];
    paths.push(...changes.map(({ path }) => `${service.name} ${path}`));
    if (result.kind === "refused") paths.push(`${service.name} ${result.refusals[0]?.message}`);
  }
  return paths;
};

const forms = ["asSent", "single", "list", "both"] as const;

describe.each(Object.keys(variants))("A14: what Azure shows of its own answer to %s", (name) => {
  it.each(forms)("is what was sent (ranges of subnets %s)", async (subnetPrefixes) => {
    const made = await make(variants[name]!(base()), { subnetPrefixes });
    expect(await written(made)).toEqual([]);
    for (const one of made) one.azure.ledger = undefined;
    expect(await written(made), "on a takeover").toEqual([]);
  });
});

describe("A14: variants together", () => {
  it("are what was sent, also without a ledger", () =>
    fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(Object.values(variants), { minLength: 2, maxLength: 6 }),
        fc.constantFrom(...forms),
        async (changes, subnetPrefixes) => {
          const made = await make(
            changes.reduce((scope, change) => change(scope), base()),
            { subnetPrefixes },
          );
          expect(await written(made)).toEqual([]);
          for (const one of made) one.azure.ledger = undefined;
          expect(await written(made)).toEqual([]);
        },
      ),
      { numRuns: 15 },
    ));
  it("every service is among them", async () => {
    const made = [...(await make(base(), {})), ...(await make(variants["a name with an IPv6 address"]!(base()), {}))];
    expect(new Set(made.map(({ service }) => service.name))).toEqual(new Set(clusterServices.map((one) => one.name)));
    const once = await make(base(), {});
    expect(new Set(once.map(({ desired }) => idKey(desired.id))).size).toBe(once.length);
  });
});
