import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/types.ts";
import type { ClusterScope } from "../../src/services/scope.ts";
import { anAzureCluster, inputOf, scopeIn, withNetwork } from "./aCluster.ts";

const scopeOf = (object = anAzureCluster(), clusterSpec: JsonObject = {}): ClusterScope => {
  const scope = scopeIn(inputOf(object, { clusterSpec }));
  if (!scope.ok) throw new Error(scope.error.map(({ message }) => message).join("\n"));
  return scope.value;
};
const vnet = { name: "c1-vnet" };
const subnet = (name: string, role: string, rest: JsonObject = {}): JsonObject => ({ name, role, ...rest });
const machines = [subnet("cp", "control-plane"), subnet("nodes", "node")];

// Fact sheet 3.1 and 6.3.
describe("subnets", () => {
  const rows: readonly {
    readonly when: string;
    readonly subnets: readonly JsonObject[];
    readonly gives: readonly object[];
  }[] = [
    {
      when: "none is listed",
      subnets: [],
      gives: [
        {
          name: "c1-controlplane-subnet",
          cidrBlocks: { value: ["10.0.0.0/16"], asked: false },
          securityGroup: "c1-controlplane-nsg",
          routeTable: "c1-node-routetable",
        },
        {
          name: "c1-node-subnet",
          cidrBlocks: { value: ["10.1.0.0/16"], asked: false },
          securityGroup: "c1-node-nsg",
          routeTable: "c1-node-routetable",
          natGateway: "c1-node-natgw",
        },
      ],
    },
    {
      when: "a node is listed without a name",
      subnets: [subnet("nodes", "node"), subnet("", "node"), subnet("cp", "control-plane")],
      gives: [
        {
          name: "nodes",
          natGateway: "c1-node-natgw-1",
          cidrBlocks: { value: ["10.1.0.0/16"], asked: false },
        },
        {
          name: "c1-node-subnet-2",
          natGateway: "c1-node-natgw-2",
          cidrBlocks: { value: ["10.2.0.0/16"], asked: false },
        },
        { name: "cp" },
      ],
    },
    {
      when: "one subnet serves the cluster",
      subnets: [subnet("", "cluster")],
      gives: [
        {
          name: "c1-subnet",
          cidrBlocks: { value: ["10.0.0.0/16"], asked: false },
          securityGroup: "c1-nsg",
          routeTable: "c1-routetable",
          natGateway: "c1-natgw",
        },
      ],
    },
    {
      when: "the spec says everything",
      subnets: [
        subnet("cp", "control-plane", {
          cidrBlocks: ["10.5.0.0/16"],
          securityGroup: { name: "g" },
          routeTable: { name: "t" },
        }),
        subnet("n", "node", { cidrBlocks: ["10.6.0.0/16"], natGateway: { name: "nat", ip: { name: "ip" } } }),
      ],
      gives: [
        { name: "cp", cidrBlocks: { value: ["10.5.0.0/16"], asked: true }, securityGroup: "g", routeTable: "t" },
        {
          name: "n",
          cidrBlocks: { value: ["10.6.0.0/16"], asked: true },
          natGateway: "nat",
          routeTable: "c1-node-routetable",
        },
      ],
    },
    {
      when: "the control-plane subnet finds the route table of a later node subnet",
      subnets: [subnet("cp", "control-plane"), subnet("n", "node", { routeTable: { name: "mine" } })],
      gives: [{ routeTable: "mine" }, { routeTable: "mine" }],
    },
  ];
  it.each(rows)("when $when", ({ subnets, gives }) =>
    expect(scopeOf(withNetwork({ vnet, subnets })).subnets).toMatchObject(gives),
  );

  it("have no NAT gateway by default when they exist already", () => {
    const [, node] = scopeOf(
      withNetwork({ vnet, subnets: [machines[0]!, subnet("n", "node", { id: "/subscriptions/x" })] }),
    ).subnets;
    expect(node?.natGateway).toBeUndefined();
  });

  it("give a control-plane subnet a gateway only by reference", () => {
    const scope = scopeOf(
      withNetwork({ vnet, subnets: [subnet("cp", "control-plane", { natGateway: { name: "shared" } }), machines[1]!] }),
    );
    expect(scope.subnets[0]).toMatchObject({ natGateway: "shared" });
    expect(scope.natGateways.map(({ name }) => name)).toEqual(["c1-node-natgw-1"]);
  });

  it.each(["node", "cluster"])("give a %s subnet with an IPv6 range no NAT gateway, but a load balancer", (role) => {
    const cidrBlocks = ["10.3.0.0/16", "2001:1234:5678:9abd::/64"];
    const scope = scopeOf(
      withNetwork({
        vnet: { ...vnet, cidrBlocks: ["10.0.0.0/8", "2001:1234:5678:9a00::/56"] },
        subnets: [...(role === "node" ? [machines[0]!] : []), subnet("n", role, { cidrBlocks })],
      }),
    );
    expect(scope.natGateways).toEqual([]);
    expect(scope.loadBalancers.map(({ role: of }) => of)).toEqual(["apiserver", "nodeOutbound"]);
  });

  it("include that of a bastion host", () => {
    const scope = scopeOf(anAzureCluster({ bastionSpec: { azureBastion: {} } }));
    expect(scope.subnets.at(-1)).toMatchObject({
      name: "AzureBastionSubnet",
      role: "bastion",
      cidrBlocks: { value: ["10.255.255.224/27"], asked: false },
    });
    expect(scope.publicIps.at(-1)).toMatchObject({ name: "c1-azure-bastion-pip" });
  });
});

describe("group and virtual network", () => {
  it("are in one group, however it is spelled", () =>
    expect(scopeOf(withNetwork({ vnet: { name: "v", resourceGroup: "C1" } })).vnet.resourceGroup).toBe("c1"));
  it("are named after the AzureCluster, DNS and tags after the Cluster", () => {
    const owner = { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", name: "topo", uid: "u" };
    const scope = scopeOf(anAzureCluster({ networkSpec: {} }, { name: "topo-x7k2p", ownerReferences: [owner] }));
    expect(scope).toMatchObject({
      clusterName: "topo",
      resourceGroup: "topo-x7k2p",
      vnet: {
        name: "topo-x7k2p-vnet",
        resourceGroup: "topo-x7k2p",
        cidrBlocks: { value: ["10.0.0.0/8"], asked: false },
      },
    });
    expect(scope.controlPlaneEndpoint?.host).toMatch(/^topo-[0-9a-f]+\.eastus\.cloudapp\.azure\.com$/);
  });
});

// Fact sheet 6.4 to 6.7.
describe("load balancers", () => {
  const lbs = (network: JsonObject, spec: JsonObject = {}) =>
    scopeOf(withNetwork({ vnet, subnets: machines, ...network }, spec)).loadBalancers;

  it("are one public by default", () =>
    expect(lbs({})).toMatchObject([
      {
        name: "c1-public-lb",
        role: "apiserver",
        backendPool: "c1-public-lb-backendPool",
        idleTimeoutInMinutes: { value: 4, asked: false },
        frontends: [{ kind: "public", name: "c1-public-lb-frontEnd", publicIp: { name: "pip-c1-apiserver" } }],
        ports: [{ name: "LBRuleHTTPS", frontendPort: { value: 6443, asked: false }, backendPort: { value: 6443 } }],
      },
    ]));

  it("are internal when asked, without a way out of their own", () =>
    expect(lbs({ apiServerLB: { type: "Internal", availabilityZones: ["1", "2"] } })).toMatchObject([
      {
        name: "c1-internal-lb",
        zones: ["1", "2"],
        frontends: [
          {
            kind: "private",
            name: "c1-internal-lb-frontEnd",
            address: { value: "10.0.0.100", asked: false },
            subnet: "cp",
          },
        ],
      },
    ]));

  it("are two when a public one lists a private frontend, in whatever order", () => {
    const listed = [
      { name: "inside", privateIP: "10.0.0.200" },
      { name: "outside", publicIP: { name: "ip", dnsName: "api.eastus.cloudapp.azure.com" } },
    ];
    expect(lbs({ apiServerLB: { frontendIPs: listed } })).toMatchObject([
      {
        name: "c1-public-lb",
        role: "apiserver",
        frontends: [{ kind: "public", name: "outside", publicIp: { name: "ip" } }],
      },
      {
        name: "c1-public-lb-internal",
        role: "apiserver-internal",
        backendPool: "c1-public-lb-backendPool-internal",
        frontends: [{ kind: "private", name: "inside", address: { value: "10.0.0.200", asked: true } }],
      },
    ]);
  });

  it("lead nodes out when asked", () =>
    expect(lbs({ nodeOutboundLB: {} })[1]).toMatchObject({
      name: "c1",
      role: "nodeOutbound",
      backendPool: "c1-outboundBackendPool",
      frontends: [{ name: "c1-frontEnd", publicIp: { name: "pip-c1-node-outbound" } }],
      ports: [],
    }));

  it.each([
    { count: 0, listed: [], names: [] },
    { count: 3, listed: [], names: ["c1-frontEnd-1", "c1-frontEnd-2", "c1-frontEnd-3"] },
    { count: 3, listed: ["c1-frontEnd"], names: ["c1-frontEnd", "c1-frontEnd-2", "c1-frontEnd-3"] },
    { count: 1, listed: ["a", "b"], names: ["a"] },
  ])("have $count outbound frontends beside $listed", ({ count, listed, names }) => {
    const frontendIPs = listed.map((name) => ({ name, publicIP: { name: `ip-${name}` } }));
    const [, lb] = lbs({ nodeOutboundLB: { frontendIPsCount: count, frontendIPs } });
    expect(lb?.frontends.map(({ name }) => name)).toEqual(names);
  });

  it("lead a private control plane out when asked, by a pool that is not named after them", () =>
    expect(
      lbs({ apiServerLB: { type: "Internal" }, controlPlaneOutboundLB: { name: "out", frontendIPsCount: 2 } })[1],
    ).toMatchObject({
      name: "out",
      role: "controlPlaneOutbound",
      backendPool: "c1-outbound-lb-outboundBackendPool",
      frontends: [
        { name: "out-frontEnd-1", publicIp: { name: "pip-c1-controlplane-outbound-1" } },
        { name: "out-frontEnd-2", publicIp: { name: "pip-c1-controlplane-outbound-2" } },
      ],
    }));

  it("are none for a control plane elsewhere", () =>
    expect(lbs({ apiServerLB: { name: "ignored" } }, { controlPlaneEnabled: false })).toEqual([]));

  it("forward the ports that the spec asks for", () =>
    expect(
      lbs(
        { additionalAPIServerLBPorts: [{ name: "rke2", port: 9345 }] },
        { controlPlaneEndpoint: { host: "", port: 443 } },
      )[0]?.ports,
    ).toEqual([
      { name: "LBRuleHTTPS", frontendPort: { value: 443, asked: true }, backendPort: { value: 6443, asked: false } },
      { name: "rke2", frontendPort: { value: 9345, asked: true }, backendPort: { value: 9345, asked: true } },
    ]));

  it("do not take the endpoint port that we wrote ourselves for a wish", () =>
    expect(lbs({}, { controlPlaneEndpoint: { host: "h", port: 6443 } })[0]?.ports[0]?.frontendPort).toEqual({
      value: 6443,
      asked: false,
    }));
});

// Fact sheet 5.3.5.
describe("rules of the control plane", () => {
  const rules = (securityRules: readonly JsonObject[], clusterSpec: JsonObject = {}) => {
    const subnets = [subnet("cp", "control-plane", { securityGroup: { name: "g", securityRules } }), machines[1]!];
    const [group] = scopeOf(withNetwork({ vnet, subnets }), clusterSpec).securityGroups;
    return group?.rules.map(({ name, priority, asked, destinationPorts }) => ({
      name,
      priority,
      asked,
      destinationPorts,
    }));
  };
  const rule = (name: string, priority: number, destinationPorts: string): JsonObject => ({
    name,
    priority,
    destinationPorts,
    description: "",
    protocol: "Tcp",
    direction: "Inbound",
  });
  const ssh = { name: "allow_ssh", priority: 2200, asked: false, destinationPorts: "22" };
  const api = { name: "allow_apiserver", priority: 2201, asked: false, destinationPorts: "6443" };

  it("let SSH and the API server in", () => expect(rules([])).toEqual([ssh, api]));
  it("follow the port of the Cluster", () =>
    expect(rules([], { clusterNetwork: { apiServerPort: 8443 } })).toEqual([
      ssh,
      { ...api, destinationPorts: "8443" },
    ]));
  it("are not added where a rule has that port", () =>
    expect(rules([rule("deny_ssh", 150, "22")])?.map(({ name }) => name)).toEqual(["deny_ssh", "allow_apiserver"]));
  it("are not added where a rule has that name", () =>
    expect(rules([rule("allow_ssh", 150, "2222")])?.map(({ name }) => name)).toEqual(["allow_ssh", "allow_apiserver"]));
  it("make way for rules of the same priority", () =>
    expect(rules([rule("mine", 2200, "80")])?.map(({ priority }) => priority)).toEqual([2200, 2201, 2202]));
  it("stay off node subnets", () => expect(scopeOf().securityGroups[1]).toEqual({ name: "c1-node-nsg", rules: [] }));
  it("go to the control-plane subnet alone where a cluster subnet stands beside it", () => {
    const subnets = [machines[0]!, subnet("all", "cluster", { cidrBlocks: ["10.7.0.0/16"] })];
    const groups = scopeOf(withNetwork({ vnet, subnets })).securityGroups;
    expect(groups.map(({ name, rules: of }) => [name, of.length])).toEqual([
      ["c1-controlplane-nsg", 2],
      ["c1-nsg", 0],
    ]);
  });
  it("are merged where subnets share a group", () => {
    const shared = (name: string, securityRules: readonly JsonObject[], role = "node") =>
      subnet(name, role, { securityGroup: { name: "g", securityRules }, cidrBlocks: [`10.${name}.0.0/16`] });
    const groups = scopeOf(
      withNetwork({
        vnet,
        subnets: [machines[0]!, shared("21", [rule("a", 200, "80")]), shared("22", [rule("b", 201, "81")])],
      }),
    ).securityGroups;
    expect(groups.find(({ name }) => name === "g")?.rules.map(({ name }) => name)).toEqual(["a", "b"]);
  });
});

// Fact sheet 5.5 and 10.2.
describe("zones of public IP addresses", () => {
  const zonesOf = (object = anAzureCluster()) => scopeOf(object).publicIps.map(({ zones }) => zones);
  const all = { value: ["1", "2", "3"], asked: false };

  it("are those of the region", () => expect(zonesOf()).toEqual([all, all]));
  it("are those of the load balancer where it asks", () =>
    expect(zonesOf(withNetwork({ vnet, subnets: machines, apiServerLB: { availabilityZones: ["2"] } }))).toEqual([
      { value: ["2"], asked: true },
      all,
    ]));
  it("are none at the edge, where addresses of load balancers say so", () => {
    const scope = scopeOf(anAzureCluster({ extendedLocation: { name: "losangeles", type: "EdgeZone" } }));
    expect(scope.publicIps.map(({ zones, extendedLocation }) => [zones, extendedLocation?.name])).toEqual([
      [undefined, "losangeles"],
      [undefined, undefined],
    ]);
    expect(scope.failureDomains).toBeUndefined();
  });
});
