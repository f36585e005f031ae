import { beforeAll, describe, expect, it } from "vitest";
import type { ApplyResult } from "../../../src/core/apply/apply.ts";
import type { Service } from "../../../src/core/service.ts";
import type { AppliedLeaf, Desired, JsonObject } from "../../../src/core/types.ts";
import { clusterServices } from "../../../src/services/index.ts";
import type { ClusterScope } from "../../../src/services/scope.ts";
import { loadSchema } from "../../../src/wire/loadSchema.ts";
import type { ResourceSchema } from "../../../src/wire/schema.ts";
import { anAzureCluster, inputOf, scopeIn } from "../../kinds/aCluster.ts";
import { testClusters, testPools } from "../../support/testServices/askedAks.ts";
import { testSecurityGroups } from "../../support/testServices/overlayNetwork.ts";
import { testScaleSets } from "../../support/testServices/patchVm.ts";
import type { TestScope, Wish } from "../../support/testServices/wish.ts";
import { desiredOf, look, meddle, type Simulated, simulated, storedBody, turn } from "./support/simulated.ts";
import { at, put } from "./support/wishes.ts";

/** Public bug reports about what is written and what is not; each test holds the wrong value of the report. */

const requestsOf = (result: ApplyResult) => (result.kind === "write" ? result.requests : []);
const pathsOf = (result: ApplyResult): readonly string[] =>
  requestsOf(result).flatMap(({ changes }) => changes.map(({ path }) => path));

/** One resource of a test service and what becomes of it. */
const story = (service: Service<TestScope>, name: string, parents?: readonly string[]) => {
  let schema: ResourceSchema;
  let azure: Simulated;
  const start = async (): Promise<void> => {
    schema = await loadSchema(service.type);
    azure = simulated(parents);
  };
  const desired = (wish: Wish): Desired => desiredOf(service, name, wish);
  return {
    start,
    turn: (wish: Wish) => turn(azure, service, schema, desired(wish)),
    look: (wish: Wish) => look(azure, service, schema, desired(wish)),
    meddle: (change: (body: JsonObject) => JsonObject) => meddle(azure, desired({ body: {} }), change),
    body: () => storedBody(azure, desired({ body: {} })),
    forget: () => {
      azure.ledger = undefined;
    },
    ledger: (): readonly AppliedLeaf[] => azure.ledger ?? [],
  };
};

describe("tags that a policy adds", () => {
  const set = story(testScaleSets, "vmss");
  const wish: Wish = {
    body: { sku: { name: "Standard_D2s_v3", capacity: 1 }, properties: { orchestrationMode: "Uniform" } },
  };
  it("A01: leave a scale set settled: no write, whatever its strategy", async () => {
    await set.start();
    set.turn(wish);
    for (const round of [1, 2, 3]) {
      set.meddle((body) => put(body, ["tags", "costCenter"], `x${round}`));
      expect(set.turn(wish).kind).toBe("unchanged");
    }
    expect(at(set.body(), ["tags", "costCenter"])).toBe("x3");
    expect(set.ledger().map(({ path }) => path.join("."))).not.toContain("tags.costCenter");
  });
  it("A01: our own tags go alone, never with a model, and the change says which one", async () => {
    await set.start();
    set.turn(wish);
    set.meddle((body) => put(body, ["tags", "costCenter"], "x"));
    const result = set.turn({ body: { ...wish.body, tags: { env: "dev" } } });
    expect(requestsOf(result)).toMatchObject([
      {
        method: "PATCH",
        path: expect.stringMatching(/\/vmss\/providers\/Microsoft\.Resources\/tags\/default$/),
        body: { operation: "Merge", properties: { tags: { env: "dev" } } },
        changes: [{ path: "tags.env", from: null, to: "dev" }],
      },
    ]);
    expect(at(set.body(), ["tags"])).toMatchObject({ costCenter: "x", env: "dev" });
  });

  const cluster = story(testClusters, "aks");
  const nine = Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9].map((nth) => [`org-${nth}`, "mandatory"]));
  it("A02: nine of them on a managed cluster make no PUT", async () => {
    await cluster.start();
    const plain: Wish = { body: { properties: { dnsPrefix: "aks" } } };
    cluster.turn(plain);
    cluster.meddle((body) => ({ ...body, tags: { ...(body["tags"] as JsonObject), ...nine } }));
    expect(cluster.look(plain).kind).toBe("unchanged");
    cluster.forget();
    expect(cluster.look(plain).kind).toBe("unchanged");
    expect(at(cluster.body(), ["tags"])).toMatchObject(nine);
  });
});

describe("what AKS adds to a spot pool", () => {
  const pool = story(testPools, "aks/spot", ["Microsoft.ContainerService/managedClusters/aks"]);
  const taint = "kubernetes.azure.com/scalesetpriority=spot:NoSchedule";
  const label = "kubernetes.azure.com/scalesetpriority";
  const byAks = (body: JsonObject): JsonObject => {
    const taints = at(body, ["properties", "nodeTaints"]);
    const others = (Array.isArray(taints) ? taints : []).filter((one) => one !== taint);
    const tainted = put(body, ["properties", "nodeTaints"], [...others, taint]);
    return put(tainted, ["properties", "nodeLabels"], {
      ...(at(body, ["properties", "nodeLabels"]) as JsonObject),
      [label]: "spot",
    });
  };
  const spot = (more: JsonObject = {}): Wish => ({
    body: { properties: { vmSize: "Standard_D2s_v3", scaleSetPriority: "Spot", ...more } },
  });
  it.each([
    { what: "no taints and labels", more: {} },
    { what: "taints and labels of the user", more: { nodeTaints: ["a=b:NoSchedule"], nodeLabels: { a: "b" } } },
  ])("A11: is no difference to $what", async ({ more }) => {
    await pool.start();
    pool.turn(spot(more));
    pool.meddle(byAks);
    expect(pool.look(spot(more)).kind).toBe("unchanged");
    pool.forget();
    expect(pool.look(spot(more)).kind).toBe("unchanged");
  });
  it("A11: stays when a taint of the user comes and when it goes", async () => {
    await pool.start();
    pool.turn(spot());
    pool.meddle(byAks);
    pool.turn(spot({ nodeTaints: ["a=b:NoSchedule"], nodeLabels: { a: "b" } }));
    expect(at(pool.body(), ["properties", "nodeTaints"])).toEqual([taint, "a=b:NoSchedule"]);
    pool.turn(spot());
    expect(at(pool.body(), ["properties", "nodeTaints"])).toEqual([taint]);
    expect(at(pool.body(), ["properties", "nodeLabels"])).toEqual({ [label]: "spot" });
  });
});

describe("nothing and something empty", () => {
  const cluster = story(testClusters, "aks");
  const ranges = (authorizedIPRanges?: readonly string[]): Wish => ({
    body: {
      properties: {
        dnsPrefix: "aks",
        ...(authorizedIPRanges !== undefined && { apiServerAccessProfile: { authorizedIPRanges } }),
      },
    },
  });
  const place = ["properties", "apiServerAccessProfile", "authorizedIPRanges"];
  it.each([
    { asked: undefined, shown: undefined },
    { asked: undefined, shown: [] },
    { asked: [], shown: undefined },
    { asked: [], shown: [] },
  ])("A20: asked $asked and shown $shown is no difference", async ({ asked, shown }) => {
    await cluster.start();
    cluster.turn(ranges(asked));
    cluster.meddle((body) =>
      put(body, ["properties", "apiServerAccessProfile"], shown === undefined ? {} : { authorizedIPRanges: shown }),
    );
    expect(cluster.look(ranges(asked)).kind).toBe("unchanged");
    cluster.forget();
    expect(cluster.look(ranges(asked)).kind).toBe("unchanged");
  });
  it.each([{ now: undefined }, { now: [] }])(
    "A20: ranges go once when $now is asked, and by a value that AKS heeds",
    async ({ now }) => {
      await cluster.start();
      cluster.turn(ranges(["10.0.0.0/8"]));
      const result = cluster.turn(ranges(now));
      expect(at(requestsOf(result)[0]?.body, place)).toEqual([]);
      expect(at(cluster.body(), place)).toEqual([]);
      expect(cluster.look(ranges(now)).kind).toBe("unchanged");
    },
  );
  it("A20: ranges that somebody else set stay when none are asked, and go when the spec says none", async () => {
    await cluster.start();
    cluster.turn(ranges());
    cluster.meddle((body) =>
      put(body, ["properties", "apiServerAccessProfile"], { authorizedIPRanges: ["1.2.3.4/32"] }),
    );
    expect(cluster.look(ranges()).kind).toBe("unchanged");
    cluster.turn(ranges([]));
    expect(at(cluster.body(), place)).toEqual([]);
  });
});

describe("a count under an autoscaler", () => {
  const pool = story(testPools, "aks/user", ["Microsoft.ContainerService/managedClusters/aks"]);
  const scaled = (more: JsonObject = {}): Wish => ({
    body: {
      properties: { vmSize: "Standard_D2s_v3", count: 1, enableAutoScaling: true, minCount: 1, maxCount: 9, ...more },
    },
    yields: [["properties", "count"]],
  });
  it("A23: is the autoscaler's: four nodes where the spec says one are no drift", async () => {
    await pool.start();
    pool.turn(scaled());
    pool.meddle((body) => put(body, ["properties", "count"], 4));
    expect(pool.look(scaled()).kind).toBe("unchanged");
    const result = pool.turn(scaled({ maxCount: 12 }));
    expect(pathsOf(result)).toEqual(["properties.maxCount"]);
    expect(requestsOf(result).map(({ method }) => method)).toEqual(["PUT"]);
    expect(at(pool.body(), ["properties", "count"])).toBe(4);
  });
  it("A23: zones that differ are refused; no plan deletes or replaces a pool", async () => {
    await pool.start();
    pool.turn(scaled({ availabilityZones: ["1"] }));
    const result = pool.turn(scaled({ availabilityZones: ["2"], maxCount: 10 }));
    expect(result).toMatchObject({
      kind: "write",
      requests: [{ method: "PUT", changes: [{ path: "properties.maxCount" }] }],
      refusals: [{ reason: "ImmutableDrift", path: "properties.availabilityZones", observed: ["1"], desired: ["2"] }],
    });
    expect(at(pool.body(), ["properties", "availabilityZones"])).toEqual(["1"]);
  });
});

describe("rules of a security group", () => {
  const group = story(testSecurityGroups, "nsg");
  const rule = (name: string, priority: number, port = "443"): JsonObject => ({
    name,
    properties: {
      priority,
      direction: "Inbound",
      access: "Allow",
      protocol: "Tcp",
      sourcePortRange: "*",
      destinationPortRange: port,
      sourceAddressPrefix: "*",
      destinationAddressPrefix: "*",
    },
  });
  const wish = (...rules: readonly JsonObject[]): Wish => ({
    body: { properties: rules.length === 0 ? {} : { securityRules: rules } },
  });
  const names = (): readonly string[] => {
    const rules = at(group.body(), ["properties", "securityRules"]) as readonly { readonly name: string }[];
    return rules.map(({ name }) => name).toSorted((one, other) => (one < other ? -1 : 1));
  };
  it("A50: those of the cloud provider survive a hundred reconciles that write", async () => {
    await group.start();
    group.turn(wish(rule("ssh", 100, "22")));
    group.meddle((body) => put(body, ["properties", "securityRules", "k8s-service"], rule("k8s-service", 500, "80")));
    for (let round = 0; round < 100; round += 1) {
      const result = group.turn(wish(rule("ssh", 100, round % 2 === 0 ? "2222" : "22")));
      expect(result.kind).toBe("write");
      expect(requestsOf(result)[0]?.ifMatch).toBeDefined();
    }
    expect(at(group.body(), ["properties", "securityRules", "k8s-service", "properties"])).toMatchObject(
      rule("k8s-service", 500, "80")["properties"] as JsonObject,
    );
  });
  it("A51: those that left the spec go, A50: and nobody else's", async () => {
    await group.start();
    group.turn(wish(rule("ssh", 100, "22"), rule("web", 110, "80")));
    group.meddle((body) => put(body, ["properties", "securityRules", "k8s-service"], rule("k8s-service", 500)));
    group.turn(wish(rule("web", 110, "80")));
    expect(names()).toEqual(["k8s-service", "web"]);
    group.turn(wish());
    expect(names()).toEqual(["k8s-service"]);
  });
  it("A52: every field of a rule is compared, not its name alone", async () => {
    await group.start();
    group.turn(wish(rule("ssh", 100, "22")));
    const fields: readonly (readonly [string, string | number])[] = [
      ["priority", 200],
      ["access", "Deny"],
      ["protocol", "Udp"],
      ["destinationPortRange", "2222"],
      ["sourceAddressPrefix", "10.0.0.0/8"],
      ["direction", "Outbound"],
    ];
    for (const [field, value] of fields) {
      group.meddle((body) => put(body, ["properties", "securityRules", "ssh", "properties", field], value));
      expect(pathsOf(group.turn(wish(rule("ssh", 100, "22"))))).toEqual([
        `properties.securityRules[ssh].properties.${field}`,
      ]);
    }
  });
});

// ── the real services ────────────────────────────────────────────────────
const base = (): ClusterScope => {
  const scope = scopeIn(inputOf(anAzureCluster()));
  if (!scope.ok) throw new Error("no scope");
  return scope.value;
};
type Name = "publicIps" | "loadBalancers" | "subnets" | "virtualNetworks" | "securityGroups";
interface Part {
  readonly azure: Simulated;
  readonly desired: (scope: ClusterScope) => Desired;
  readonly turn: (scope: ClusterScope) => Promise<ApplyResult>;
  readonly look: (scope: ClusterScope) => Promise<ApplyResult>;
  readonly body: () => JsonObject;
}

/** All resources of a cluster, of which one is looked at more closely. */
const cluster = async (name: Name, which: (id: string) => boolean, first = base()): Promise<Part> => {
  const shared = simulated();
  let mine: Simulated | undefined;
  for (const service of clusterServices)
    for (const desired of service.desired(first)) {
      const one: Simulated = { ...shared, ledger: undefined };
      turn(one, service, await loadSchema(service.type), desired);
      if (service.name === name && which(desired.id)) mine ??= one;
    }
  const azure = mine!;
  const service = clusterServices.find((one) => one.name === name)!;
  const schema = await loadSchema(service.type);
  const desired = (scope: ClusterScope): Desired => service.desired(scope).find(({ id }) => which(id))!;
  return {
    azure,
    desired,
    turn: (scope) => Promise.resolve(turn(azure, service, schema, desired(scope))),
    look: (scope) => Promise.resolve(look(azure, service, schema, desired(scope))),
    body: () => (azure.state.resources.get(desired(first).id.toLowerCase())?.body ?? {}) as JsonObject,
  };
};
const asked = <T>(value: T) => ({ value, asked: true });

describe("a public IP address", () => {
  let part: Part;
  beforeAll(async () => {
    part = await cluster("publicIps", (id) => id.includes("pip"));
  });
  it("A09: that is unchanged is not written again, at any resync", async () => {
    for (let round = 0; round < 3; round += 1) expect((await part.look(base())).kind).toBe("unchanged");
  });
  it("A09: that drifted is corrected, where upstream has nothing to do whenever one exists", async () => {
    const scope: ClusterScope = {
      ...base(),
      publicIps: base().publicIps.map((ip) => ({ ...ip, dnsName: asked("mine.eastus.cloudapp.azure.com") })),
    };
    await part.turn(scope);
    meddle(part.azure, part.desired(scope), (body) =>
      put(body, ["properties", "dnsSettings"], { domainNameLabel: "theirs" }),
    );
    expect(pathsOf(await part.turn(scope))).toContain("properties.dnsSettings.domainNameLabel");
    expect(at(part.body(), ["properties", "dnsSettings", "domainNameLabel"])).toBe("mine");
  });
});

describe("a load balancer", () => {
  const isApiServer = (id: string): boolean => id.endsWith("-public-lb");
  type Balancer = ClusterScope["loadBalancers"][number];
  const withBalancer = (change: (lb: Balancer) => Balancer): ClusterScope => ({
    ...base(),
    loadBalancers: base().loadBalancers.map((lb) => (lb.role === "apiserver" ? change(lb) : lb)),
  });
  const other = (lb: Balancer): Balancer => ({
    ...lb,
    idleTimeoutInMinutes: asked(17),
    ports: lb.ports.map((port) => ({ ...port, frontendPort: asked(443), backendPort: asked(6444) })),
    probedPort: asked(6444),
  });
  it("A53: keeps pools and rules that others made when ours are written", async () => {
    const part = await cluster("loadBalancers", isApiServer);
    const { id } = part.desired(base());
    const frontend = base().loadBalancers.find(({ name }) => isApiServer(name))?.frontends[0]?.name ?? "";
    const [pool, rule] = [
      { name: "kubernetes", properties: {} },
      {
        name: "service",
        properties: {
          protocol: "Tcp",
          frontendPort: 80,
          backendPort: 80,
          frontendIPConfiguration: {
            id: `${id}/frontendIPConfigurations/${frontend}`,
          },
          backendAddressPool: { id: `${id}/backendAddressPools/kubernetes` },
          disableOutboundSnat: true,
        },
      },
    ];
    meddle(part.azure, part.desired(base()), (body) =>
      put(
        put(body, ["properties", "backendAddressPools", "kubernetes"], pool),
        ["properties", "loadBalancingRules", "service"],
        rule,
      ),
    );
    const result = await part.turn(withBalancer(other));
    expect(requestsOf(result)[0]?.ifMatch).toBeDefined();
    expect(at(part.body(), ["properties", "backendAddressPools", "kubernetes", "name"])).toBe("kubernetes");
    expect(at(part.body(), ["properties", "loadBalancingRules", "service", "properties"])).toMatchObject({
      frontendPort: 80,
    });
  });
  it("A54: gets every changed field of rules, probes and outbound rules, not only new names", async () => {
    const part = await cluster("loadBalancers", isApiServer);
    await part.turn(withBalancer(other));
    const first = (list: string): JsonObject => {
      const items = at(part.body(), ["properties", list]) as readonly JsonObject[];
      return items[0]?.["properties"] as JsonObject;
    };
    expect(first("loadBalancingRules")).toMatchObject({
      frontendPort: 443,
      backendPort: 6444,
      idleTimeoutInMinutes: 17,
    });
    expect(first("outboundRules")).toMatchObject({ idleTimeoutInMinutes: 17 });
    expect(first("probes")).toMatchObject({ port: 6444 });
  });
  it("A54: gets another address of its frontend", async () => {
    const inside = (address: string) =>
      withBalancer((lb) => ({
        ...lb,
        frontends: [{ kind: "private", name: "inside", address: asked(address), subnet: "control-plane-subnet" }],
      }));
    const part = await cluster("loadBalancers", isApiServer, inside("10.0.0.100"));
    expect(pathsOf(await part.turn(inside("10.0.0.101")))).toEqual([
      "properties.frontendIPConfigurations[inside].properties.privateIPAddress",
    ]);
    expect(
      at(part.body(), ["properties", "frontendIPConfigurations", "inside", "properties", "privateIPAddress"]),
    ).toBe("10.0.0.101");
  });
});

describe("a subnet", () => {
  const isNode = (id: string): boolean => id.endsWith("/node-subnet");
  const nodes = (
    scope: ClusterScope,
    change: (subnet: ClusterScope["subnets"][number]) => ClusterScope["subnets"][number],
  ): ClusterScope => ({
    ...scope,
    subnets: scope.subnets.map((subnet) => (subnet.role === "node" ? change(subnet) : subnet)),
  });
  it("A55: keeps a route table and a security group that AKS or a person put there, when something else is written", async () => {
    const bare = nodes(base(), ({ name, role, cidrBlocks, serviceEndpoints }) => ({
      name,
      role,
      cidrBlocks,
      serviceEndpoints,
      implied: [],
    }));
    const part = await cluster("subnets", isNode, bare);
    const full = base();
    const network = part.desired(bare).id.split("/virtualNetworks/")[0] ?? "";
    const [table] = full.routeTables;
    const [nsg] = full.securityGroups;
    meddle(part.azure, part.desired(bare), (body) =>
      put(
        put(body, ["properties", "routeTable"], { id: `${network}/routeTables/${table}` }),
        ["properties", "networkSecurityGroup"],
        { id: `${network}/networkSecurityGroups/${nsg?.name}` },
      ),
    );
    expect((await part.look(bare)).kind).toBe("unchanged");
    const withEndpoint = nodes(bare, (subnet) => ({
      ...subnet,
      serviceEndpoints: [{ service: "Microsoft.Storage", locations: ["eastus"] }],
    }));
    const [request] = requestsOf(await part.turn(withEndpoint));
    expect(request?.body).toMatchObject({
      properties: {
        routeTable: { id: expect.stringMatching(/routeTables/i) },
        networkSecurityGroup: { id: expect.stringMatching(/networkSecurityGroups/i) },
      },
    });
    expect(request?.ifMatch).toBeDefined();
  });
  it("A55: is no part of what is sent for its network", async () => {
    const part = await cluster("virtualNetworks", () => true);
    const wider: ClusterScope = {
      ...base(),
      vnet: { ...base().vnet, cidrBlocks: asked(["10.0.0.0/8", "172.16.0.0/12"]) },
    };
    const [request] = requestsOf(await part.turn(wider));
    expect(request?.body?.["properties"]).not.toHaveProperty("subnets");
    expect((at(part.body(), ["properties", "subnets"]) as readonly JsonObject[]).length).toBe(base().subnets.length);
  });
  it("A82: has its addresses compared as addresses: fd00::/64 is fd00:0:0::/64", async () => {
    const both = (six: string): ClusterScope =>
      nodes({ ...base(), vnet: { ...base().vnet, cidrBlocks: asked(["10.0.0.0/8", "fd00::/48"]) } }, (subnet) => ({
        ...subnet,
        cidrBlocks: asked(["10.1.0.0/16", six]),
      }));
    const part = await cluster("subnets", isNode, both("fd00:0:0:0::/64"));
    expect((await part.look(both("fd00::/64"))).kind).toBe("unchanged");
    expect((await part.look(both("FD00::/64"))).kind).toBe("unchanged");
    expect((await part.look(both("fd00:0:0:1::/64"))).kind).toBe("write");
  });
  it("A06: names by id, in whatever case Azure shows it", async () => {
    const part = await cluster("subnets", isNode);
    meddle(part.azure, part.desired(base()), (body) => {
      const group = at(body, ["properties", "networkSecurityGroup", "id"]);
      return put(body, ["properties", "networkSecurityGroup"], {
        id: typeof group === "string" ? group.toUpperCase() : "",
      });
    });
    expect((await part.look(base())).kind).toBe("unchanged");
  });
});
