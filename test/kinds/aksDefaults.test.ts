import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AzureManagedControlPlaneSpec,
  parseAzureManagedControlPlane,
} from "../../src/api/aks/azureManagedControlPlane.ts";
import {
  type AzureManagedMachinePoolSpec,
  parseAzureManagedMachinePool,
} from "../../src/api/aks/azureManagedMachinePool.ts";
import { objectSchemaOf } from "../../src/api/definition/rules.ts";
import { valueAt } from "../../src/api/json.ts";
import type { Json, JsonObject } from "../../src/core/types.ts";
import { aksRanges, defaultDnsServiceIp } from "../../src/kinds/aks/clusterNetwork.ts";
import { type ControlPlaneFacts, completeControlPlane, completePool, poolLabels } from "../../src/kinds/aksDefaults.ts";
import { specArbitrary } from "../api/specArbitrary.ts";
import { anObject } from "./aCluster.ts";

const facts: ControlPlaneFacts = { name: "aks", clusterName: "demo" };

const parsedControlPlane = (spec: JsonObject): AzureManagedControlPlaneSpec => {
  const parsed = parseAzureManagedControlPlane(
    anObject("AzureManagedControlPlane", {
      spec: { identityRef: { name: "i" }, location: "eastus", version: "1.34.1", ...spec },
    }),
  );
  if (!parsed.ok) throw new Error(parsed.error.map(({ message }) => message).join("\n"));
  return parsed.value;
};
const parsedPool = (spec: JsonObject): AzureManagedMachinePoolSpec => {
  const parsed = parseAzureManagedMachinePool(
    anObject("AzureManagedMachinePool", { spec: { mode: "User", sku: "Standard_D2s_v3", ...spec } }),
  );
  if (!parsed.ok) throw new Error(parsed.error.map(({ message }) => message).join("\n"));
  return parsed.value;
};
const complete = (spec: JsonObject, more: Partial<ControlPlaneFacts> = {}) =>
  completeControlPlane({ ...facts, ...more }, parsedControlPlane(spec));

// Fact sheet 1.5, 4.1.
describe("the complete form of a control plane", () => {
  it("of the minimal one", () =>
    expect(complete({}, { subscription: "s" })).toEqual({
      identityRef: { name: "i" },
      location: "eastus",
      version: "v1.34.1",
      sku: { tier: "Free" },
      subscriptionID: "s",
      azureEnvironment: "AzurePublicCloud",
      resourceGroupName: "demo",
      nodeResourceGroupName: "MC_demo_aks_eastus",
      virtualNetwork: {
        name: "aks",
        resourceGroup: "demo",
        cidrBlock: "10.0.0.0/8",
        subnet: { name: "aks", cidrBlock: "10.240.0.0/16" },
      },
      networkPlugin: "azure",
      loadBalancerSKU: "Standard",
      dnsPrefix: "aks",
      identity: { type: "SystemAssigned" },
      oidcIssuerProfile: { enabled: false },
      enablePreviewFeatures: false,
    }));

  const network = (spec: JsonObject) => complete(spec).virtualNetwork;
  const overlay = { networkPluginMode: "overlay" };
  it.each<{ readonly when: string; readonly spec: JsonObject; readonly gives: object }>([
    {
      when: "the overlay has no network of its own",
      spec: overlay,
      gives: { cidrBlock: "10.224.0.0/12", subnet: { name: "aks", cidrBlock: "10.224.0.0/16" } },
    },
    {
      when: "the overlay is in a named network, whose ranges are those of the definition",
      spec: { ...overlay, virtualNetwork: { name: "mine", subnet: { name: "nodes" } } },
      gives: { name: "mine", cidrBlock: "10.0.0.0/8", subnet: { name: "nodes", cidrBlock: "10.240.0.0/16" } },
    },
    {
      when: "the overlay is in a named network without a subnet",
      spec: { ...overlay, virtualNetwork: { name: "mine" } },
      gives: { name: "mine", cidrBlock: "10.0.0.0/8", subnet: { name: "aks", cidrBlock: "10.224.0.0/16" } },
    },
    {
      when: "it is the user's own in another group",
      spec: {
        virtualNetwork: {
          name: "mine",
          resourceGroup: "net",
          cidrBlock: "172.16.0.0/12",
          subnet: { name: "nodes", cidrBlock: "172.16.0.0/24" },
        },
      },
      gives: {
        name: "mine",
        resourceGroup: "net",
        cidrBlock: "172.16.0.0/12",
        subnet: { name: "nodes", cidrBlock: "172.16.0.0/24" },
      },
    },
  ])("has the network where $when", ({ spec, gives }) => expect(network(spec)).toMatchObject(gives));

  it("invents no endpoints, proxies or profiles", () =>
    expect(Object.keys(complete({ virtualNetwork: { name: "mine" } }))).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/httpProxy|loadBalancerProfile|autoscaler|aad|ssh/i)]),
    ));

  it.each([
    { tier: undefined, gives: "Free" },
    { tier: "Free", gives: "Free" },
    { tier: "Standard", gives: "Standard" },
    { tier: "Paid", gives: "Standard" },
  ])("has the tier $gives for $tier", ({ tier, gives }) =>
    expect(complete(tier === undefined ? {} : { sku: { tier } }).sku).toEqual({ tier: gives }),
  );

  it("has the resource group in all names that come from it", () =>
    expect(complete({ resourceGroupName: "group" })).toMatchObject({
      resourceGroupName: "group",
      nodeResourceGroupName: "MC_group_aks_eastus",
      virtualNetwork: { resourceGroup: "group" },
    }));

  it("names plans of extensions after the cluster and the product", () =>
    expect(
      complete({
        extensions: [
          { name: "a", extensionType: "t", plan: { product: "p", publisher: "q" } },
          { name: "b", extensionType: "t", plan: { name: "mine", product: "p" }, autoUpgradeMinorVersion: false },
          { name: "c", extensionType: "t" },
        ],
      }).extensions,
    ).toEqual([
      {
        name: "a",
        extensionType: "t",
        autoUpgradeMinorVersion: true,
        plan: { name: "aks-p", product: "p", publisher: "q" },
      },
      { name: "b", extensionType: "t", autoUpgradeMinorVersion: false, plan: { name: "mine", product: "p" } },
      { name: "c", extensionType: "t", autoUpgradeMinorVersion: true },
    ]));

  it("names the member of a fleet after the Cluster, once that is known", () => {
    const fleetsMember = { managerName: "fleet", managerResourceGroup: "g" };
    expect(complete({ fleetsMember }).fleetsMember).toEqual({ ...fleetsMember, name: "demo", group: "default" });
    expect(complete({ fleetsMember }, { clusterName: "" }).fleetsMember).toEqual({ ...fleetsMember, group: "default" });
    expect(complete({ fleetsMember: { ...fleetsMember, name: "m" } }).fleetsMember).toHaveProperty("name", "m");
  });

  it.each([
    { services: ["192.168.0.0/16"], gives: "192.168.0.10" },
    { services: ["192.168.0.0/16", "fd00::/108"], gives: undefined },
    { services: [], gives: undefined },
  ])("has the DNS service at $gives in $services", ({ services, gives }) =>
    expect(complete({}, { clusterNetwork: { services: { cidrBlocks: services } } }).dnsServiceIP).toBe(gives),
  );

  it("has the DNS service where the spec says", () =>
    expect(
      complete({ dnsServiceIP: "192.168.7.10" }, { clusterNetwork: { services: { cidrBlocks: ["192.168.0.0/16"] } } }),
    ).toMatchObject({ dnsServiceIP: "192.168.7.10" }));
});

// Fact sheet 1.7, 4.4.
describe("the complete form of a pool", () => {
  it("of the minimal one", () =>
    expect(completePool({ name: "pool1", subnetName: "aks" }, parsedPool({}))).toEqual({
      mode: "User",
      sku: "Standard_D2s_v3",
      name: "pool1",
      osType: "Linux",
      osDiskSizeGB: 0,
      osDiskType: "Managed",
      scaleDownMode: "Delete",
      subnetName: "aks",
    }));
  it("is labelled with its mode", () =>
    expect(poolLabels(parsedPool({}))).toEqual({
      "azuremanagedmachinepool.infrastructure.cluster.x-k8s.io/agentpoolmode": "User",
    }));
  it("keeps name and subnet of its own", () =>
    expect(
      completePool({ name: "demo-pool1", subnetName: "aks" }, parsedPool({ name: "p", subnetName: "s" })),
    ).toMatchObject({
      name: "p",
      subnetName: "s",
    }));
});

describe("ranges", () => {
  it.each([
    { cidr: "10.96.0.0/12", gives: "10.96.0.10" },
    { cidr: "10.0.0.16/28", gives: "10.0.0.26" },
    { cidr: "10.0.0.0/29", gives: undefined },
    { cidr: "fd00:10::/108", gives: "fd00:10::a" },
    { cidr: "nonsense", gives: undefined },
  ])("of services $cidr have DNS at $gives", ({ cidr, gives }) => expect(defaultDnsServiceIp(cidr)).toBe(gives));

  it("are given to AKS where the Cluster has one of a kind", () => {
    expect(aksRanges({ pods: { cidrBlocks: ["a"] }, services: { cidrBlocks: ["b"] } })).toEqual({
      podCidr: "a",
      serviceCidr: "b",
    });
    expect(aksRanges({ pods: { cidrBlocks: ["a", "c"] }, services: { cidrBlocks: [] } })).toEqual({});
  });
});

const schemaOf = (kind: string) => valueAt(objectSchemaOf(kind), "properties", "spec");

/** Every leaf of a value, by its path. */
const leaves = (value: unknown, path = ""): readonly (readonly [string, unknown])[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => leaves(inner, `${path}/${name}`))
    : [[path, value]];

/** The two fields that have one form, whatever form they are given in. */
const hasOneForm = (path: string): boolean => path === "/version" || path === "/sku/tier";

describe.each([
  {
    kind: "AzureManagedControlPlane",
    parse: (spec: JsonObject) => parseAzureManagedControlPlane(anObject("AzureManagedControlPlane", { spec })),
    fill: (spec: unknown) =>
      completeControlPlane(
        { ...facts, clusterNetwork: { services: { cidrBlocks: ["10.96.0.0/12"] } } },
        spec as AzureManagedControlPlaneSpec,
      ),
  },
  {
    kind: "AzureManagedMachinePool",
    parse: (spec: JsonObject) => parseAzureManagedMachinePool(anObject("AzureManagedMachinePool", { spec })),
    fill: (spec: unknown) => completePool({ name: "p", subnetName: "s" }, spec as AzureManagedMachinePoolSpec),
  },
])("the complete form of any $kind", ({ kind, parse, fill }) => {
  // The one cast: the definition is JSON, of which the arbitrary reads a part.
  const specs = specArbitrary(schemaOf(kind) as never).map((spec: Json) => parse(spec as JsonObject));
  const good = specs.filter(({ ok }) => ok).map((parsed) => (parsed.ok ? parsed.value : undefined));
  const runs = { numRuns: 60 };

  it("is complete, and reads as it is", () =>
    fc.assert(
      fc.property(good, (spec) => {
        const once = fill(spec);
        expect(fill(once)).toEqual(once);
        expect(parse(JSON.parse(JSON.stringify(once)) as JsonObject)).toEqual({ ok: true, value: once });
      }),
      runs,
    ));

  it("keeps what the user set", () =>
    fc.assert(
      fc.property(good, (spec) => {
        const has = new Map(leaves(fill(spec)));
        for (const [path, value] of leaves(spec).filter(([at, it]) => it !== "" && !hasOneForm(at)))
          expect([path, has.get(path)]).toEqual([path, value]);
      }),
      runs,
    ));
});
