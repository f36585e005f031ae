import { describe, expect, it } from "vitest";
import { type ApplyResult, apply } from "../../src/core/apply/apply.ts";
import type { AppliedLeaf, Desired, Json, JsonObject, KubeObject } from "../../src/core/types.ts";
import { clusterServices } from "../../src/services/index.ts";
import { loadSchema } from "../../src/wire/loadSchema.ts";
import { anAzureCluster, at, inputOf, scopeIn, withNetwork } from "../kinds/aCluster.ts";

/** What the declared rules of a service make of a change, by the engine's own comparison. */

type Name = (typeof clusterServices)[number]["name"];
const serviceOf = (name: Name) => clusterServices.find((service) => service.name === name)!;

const wantedBy = (object: KubeObject, name: Name, resource: string): Desired => {
  const scope = scopeIn(inputOf(object));
  if (!scope.ok) throw new Error(JSON.stringify(scope.error));
  return serviceOf(name)
    .desired(scope.value)
    .find(({ id }) => id.endsWith(`/${resource}`))!;
};

const compare = async (
  name: Name,
  desired: Desired,
  body: JsonObject,
  applied: readonly AppliedLeaf[] | undefined,
): Promise<ApplyResult> => {
  const { rules, type, ownership } = serviceOf(name);
  return apply({
    schema: await loadSchema(type),
    rules,
    desired,
    observed: { kind: "present", body, etag: "1" },
    applied,
    tagsAtScope: ownership === "tag",
  });
};

interface Story {
  readonly service: Name;
  readonly resource: string;
  readonly before?: KubeObject;
  /** What Azure and others make of the body that we sent. */
  readonly azure?: (body: JsonObject) => JsonObject;
  readonly after: KubeObject;
}

/** Creates as the first spec says, lets Azure have its way, and plans for the second spec. */
const planOf = async ({ service, resource, before = anAzureCluster(), azure = (body) => body, after }: Story) => {
  const { rules, type } = serviceOf(service);
  const first = wantedBy(before, service, resource);
  const created = apply({
    schema: await loadSchema(type),
    rules,
    desired: first,
    observed: { kind: "absent" },
    applied: undefined,
    tagsAtScope: true,
  });
  const result = await compare(service, wantedBy(after, service, resource), azure(first.body), created.applied);
  const [request] = result.kind === "write" ? result.requests : [];
  return {
    kind: result.kind,
    changes: result.kind === "write" ? result.requests.flatMap(({ changes }) => changes.map(({ path }) => path)) : [],
    body: (request?.body ?? {}) as Json,
    refusals: result.kind === "unchanged" ? [] : result.refusals.map(({ reason, path }) => ({ reason, path })),
  };
};

const properties = (body: JsonObject, changes: JsonObject): JsonObject => ({
  ...body,
  properties: { ...(body["properties"] as JsonObject), ...changes },
});
const named = (list: Json, name: string): Json => {
  const found = (list as readonly JsonObject[]).find((item) => item["name"] === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
};
const namesOf = (list: Json): readonly Json[] => (list as readonly JsonObject[]).map((item) => item["name"] ?? null);

const rule = (rest: JsonObject): JsonObject => ({
  name: "web",
  description: "d",
  protocol: "Tcp",
  direction: "Inbound",
  priority: 300,
  source: "*",
  sourcePorts: "*",
  destination: "*",
  destinationPorts: "80",
  ...rest,
});
const withRules = (...securityRules: readonly JsonObject[]): KubeObject =>
  withNetwork({
    vnet: { name: "c1-vnet" },
    subnets: [
      { name: "cp", role: "control-plane" },
      { name: "n", role: "node", securityGroup: { name: "g", securityRules } },
    ],
  });
const foreignRule: JsonObject = {
  name: "k8s-azure-lb",
  properties: {
    protocol: "Tcp",
    direction: "Inbound",
    access: "Allow",
    priority: 500,
    sourceAddressPrefix: "Internet",
    sourcePortRange: "*",
    destinationAddressPrefix: "*",
    destinationPortRanges: ["80", "443"],
  },
};
const addRule = (item: JsonObject) => (body: JsonObject) =>
  properties(body, {
    securityRules: [...((body["properties"] as JsonObject)["securityRules"] as readonly Json[]), item],
  });

describe("security groups", () => {
  const story = { service: "securityGroups", resource: "g" } as const;

  it("leave foreign rules alone (known fault A50)", async () => {
    const plan = await planOf({
      ...story,
      before: withRules(rule({})),
      after: withRules(rule({})),
      azure: addRule(foreignRule),
    });
    expect(plan.kind).toBe("unchanged");
  });
  it("take out a rule that left the spec, and only that one (A51)", async () => {
    const plan = await planOf({
      ...story,
      before: withRules(rule({}), rule({ name: "old", priority: 301 })),
      after: withRules(rule({})),
      azure: addRule(foreignRule),
    });
    expect(namesOf(at(plan.body, "properties", "securityRules"))).toEqual(["web", "k8s-azure-lb"]);
  });
  it("change a rule in its place, every field of it (fact sheet 12.3)", async () => {
    const after = withRules(
      rule({ destinationPorts: "8080", priority: 310, action: "Deny", sources: ["10.0.0.0/8"], source: "" }),
    );
    const plan = await planOf({ ...story, before: withRules(rule({})), after, azure: addRule(foreignRule) });
    const rules = at(plan.body, "properties", "securityRules");
    expect(namesOf(rules)).toEqual(["web", "k8s-azure-lb"]);
    expect(at(named(rules, "web"), "properties")).toMatchObject({
      destinationPortRange: "8080",
      priority: 310,
      access: "Deny",
      sourceAddressPrefixes: ["10.0.0.0/8"],
    });
    expect(at(named(rules, "web"), "properties")).not.toHaveProperty("sourceAddressPrefix");
  });
  it("do not write over a foreign rule of the same priority", async () => {
    const before = withRules(rule({}));
    const plan = await planOf({
      ...story,
      before,
      after: withRules(rule({}), rule({ name: "more", priority: 500 })),
      azure: addRule(foreignRule),
    });
    expect(plan.refusals).toMatchObject([{ reason: "ForeignConflict" }]);
  });
  it("do not bring the default rules back into a group that was taken over without them", async () => {
    const desired = wantedBy(anAzureCluster(), "securityGroups", "c1-controlplane-nsg");
    const result = await compare("securityGroups", desired, properties(desired.body, { securityRules: [] }), undefined);
    expect(result.kind).toBe("unchanged");
  });
});

describe("virtual networks", () => {
  it("are never sent with their subnets and peerings", async () => {
    const plan = await planOf({
      service: "virtualNetworks",
      resource: "c1-vnet",
      azure: (body) =>
        properties(body, { subnets: [{ name: "x", properties: {} }], virtualNetworkPeerings: [{ name: "y" }] }),
      after: withNetwork({ vnet: { name: "c1-vnet", cidrBlocks: ["10.0.0.0/8", "172.16.0.0/16"] } }),
    });
    expect(plan.changes).toEqual(["properties.addressSpace.addressPrefixes"]);
    expect(at(plan.body, "properties")).toEqual({ addressSpace: { addressPrefixes: ["10.0.0.0/8", "172.16.0.0/16"] } });
  });
  it("keep their region", async () => {
    const plan = await planOf({
      service: "virtualNetworks",
      resource: "c1-vnet",
      after: anAzureCluster({ location: "westus" }),
    });
    expect(plan).toMatchObject({ kind: "refused", refusals: [{ reason: "ImmutableDrift", path: "location" }] });
  });
});

describe("subnets", () => {
  const withEndpoint = (...serviceEndpoints: readonly JsonObject[]) =>
    withNetwork({
      vnet: { name: "c1-vnet" },
      subnets: [
        { name: "cp", role: "control-plane" },
        { name: "node-subnet", role: "node", serviceEndpoints },
      ],
    });
  const story = { service: "subnets", resource: "node-subnet" } as const;

  it("keep what others put on them (A55, fact sheet 12.19)", async () => {
    const foreign = {
      delegations: [{ name: "d", properties: { serviceName: "Microsoft.Web/serverFarms" } }],
      privateEndpointNetworkPolicies: "Disabled",
    };
    const plan = await planOf({
      ...story,
      azure: (body) => properties(body, foreign),
      after: withEndpoint({ service: "Microsoft.Storage", locations: ["eastus"] }),
    });
    expect(at(plan.body, "properties")).toMatchObject({
      ...foreign,
      serviceEndpoints: [{ service: "Microsoft.Storage", locations: ["eastus"] }],
    });
    expect(at(plan.body, "properties", "networkSecurityGroup", "id")).toContain("c1-node-nsg");
  });
  it("are the same whether Azure shows one range or a list of one", async () => {
    const plan = await planOf({
      ...story,
      azure: (body) => {
        const { addressPrefix, ...rest } = body["properties"] as JsonObject;
        return { ...body, properties: { ...rest, addressPrefixes: [addressPrefix ?? null] } };
      },
      after: anAzureCluster(),
    });
    expect(plan.kind).toBe("unchanged");
  });
});

describe("load balancers", () => {
  const outbound = (count: number, rest: JsonObject = {}) =>
    withNetwork({ vnet: { name: "c1-vnet" }, nodeOutboundLB: { frontendIPsCount: count, ...rest } });
  const foreign = (body: JsonObject): JsonObject => {
    const own = body["properties"] as JsonObject;
    return properties(body, {
      frontendIPConfigurations: [
        ...(own["frontendIPConfigurations"] as readonly Json[]),
        {
          name: "a1b2",
          properties: {
            publicIPAddress: {
              id: "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/publicIPAddresses/svc",
            },
          },
        },
      ],
      inboundNatRules: [{ name: "machine-0", properties: { protocol: "Tcp", frontendPort: 22, backendPort: 22 } }],
    });
  };

  it("keep frontends and NAT rules of others when they are written (fact sheet 12.7)", async () => {
    const after = anAzureCluster({
      networkSpec: { vnet: { name: "c1-vnet" }, apiServerLB: { idleTimeoutInMinutes: 10 } },
    });
    const plan = await planOf({ service: "loadBalancers", resource: "c1-public-lb", azure: foreign, after });
    expect(plan.changes.toSorted()).toEqual([
      "properties.loadBalancingRules[LBRuleHTTPS].properties.idleTimeoutInMinutes",
      "properties.outboundRules[OutboundNATAllProtocols].properties.idleTimeoutInMinutes",
    ]);
    expect(namesOf(at(plan.body, "properties", "frontendIPConfigurations"))).toEqual(["c1-public-lb-frontEnd", "a1b2"]);
    expect(namesOf(at(plan.body, "properties", "inboundNatRules"))).toEqual(["machine-0"]);
  });
  it("lead out through all frontends after their number rose (fact sheet 12.6)", async () => {
    const plan = await planOf({
      service: "loadBalancers",
      resource: "c1",
      before: outbound(2),
      after: outbound(3),
      azure: foreign,
    });
    const rule = named(at(plan.body, "properties", "outboundRules"), "OutboundNATAllProtocols");
    const used = (at(rule, "properties", "frontendIPConfigurations") as readonly JsonObject[]).map(({ id }) =>
      String(id as string)
        .split("/")
        .at(-1),
    );
    expect(used).toEqual(["c1-frontEnd-1", "c1-frontEnd-2", "c1-frontEnd-3"]);
  });
  it("let go of a frontend when their number falls", async () => {
    const plan = await planOf({
      service: "loadBalancers",
      resource: "c1",
      before: outbound(3),
      after: outbound(2),
      azure: foreign,
    });
    expect(namesOf(at(plan.body, "properties", "frontendIPConfigurations"))).toEqual([
      "c1-frontEnd-1",
      "c1-frontEnd-2",
      "a1b2",
    ]);
  });
  it("let go of a port that left the spec (fact sheet 12.28)", async () => {
    const before = withNetwork({
      vnet: { name: "c1-vnet" },
      additionalAPIServerLBPorts: [{ name: "rke2", port: 9345 }],
    });
    const plan = await planOf({
      service: "loadBalancers",
      resource: "c1-public-lb",
      before,
      after: withNetwork({ vnet: { name: "c1-vnet" } }),
    });
    expect(namesOf(at(plan.body, "properties", "loadBalancingRules"))).toEqual(["LBRuleHTTPS"]);
  });
  it("move the private address of the API server when the spec does (A54)", async () => {
    const internal = (privateIP: string) =>
      withNetwork({
        vnet: { name: "c1-vnet" },
        apiServerLB: { type: "Internal", frontendIPs: [{ name: "f", privateIP }] },
      });
    const plan = await planOf({
      service: "loadBalancers",
      resource: "c1-internal-lb",
      before: internal("10.0.0.100"),
      after: internal("10.0.0.101"),
    });
    expect(plan.changes).toEqual(["properties.frontendIPConfigurations[f].properties.privateIPAddress"]);
  });
  it("do not return the members of a pool, which belong to interfaces", async () => {
    const after = anAzureCluster({
      networkSpec: { vnet: { name: "c1-vnet" }, apiServerLB: { idleTimeoutInMinutes: 10 } },
    });
    const plan = await planOf({
      service: "loadBalancers",
      resource: "c1-public-lb",
      azure: (body) =>
        properties(body, {
          backendAddressPools: [
            {
              name: "c1-public-lb-backendPool",
              properties: { loadBalancerBackendAddresses: [{ name: "nic", properties: {} }] },
            },
          ],
        }),
      after,
    });
    expect(JSON.stringify(plan.body)).not.toContain("loadBalancerBackendAddresses");
  });
});

describe("public IP addresses", () => {
  it("keep their zones when the region gets another one (fact sheet 12.22)", async () => {
    const desired = wantedBy(anAzureCluster(), "publicIps", "pip-c1-apiserver");
    const result = await compare("publicIps", desired, { ...desired.body, zones: ["1", "2"] }, undefined);
    expect(result.kind).toBe("unchanged");
  });
});

describe("route tables", () => {
  it("leave routes to the cloud provider", async () => {
    const plan = await planOf({
      service: "routeTables",
      resource: "c1-node-routetable",
      azure: (body) =>
        properties(body, { routes: [{ name: "node-0", properties: {} }], disableBgpRoutePropagation: false }),
      after: anAzureCluster(),
    });
    expect(plan.kind).toBe("unchanged");
  });
});

describe("tags", () => {
  it("of others stay, those of the spec follow it (A01)", async () => {
    const plan = await planOf({
      service: "routeTables",
      resource: "c1-node-routetable",
      before: anAzureCluster({ additionalTags: { team: "blue", old: "x" } }),
      azure: (body) => ({ ...body, tags: { ...(body["tags"] as JsonObject), costCenter: "42" } }),
      after: anAzureCluster({ additionalTags: { team: "red" } }),
    });
    expect(plan.changes.toSorted()).toEqual(["tags.old", "tags.team"]);
  });
});
