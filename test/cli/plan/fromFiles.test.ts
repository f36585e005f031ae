import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Plan } from "../../../src/cli/plan/objectPlan.ts";
import { aManifest, anAzureCluster, asked, subscription } from "./asked.ts";
import { formProblems } from "./planForm.ts";

const planOf = async (manifest: string, options: Parameters<typeof asked>[1] = {}): Promise<Plan> => {
  const { out, status } = await asked(manifest, { ...options, output: "json" });
  expect(status).toBe(0);
  expect(formProblems(out)).toEqual([]);
  return JSON.parse(out) as Plan;
};

const group = `/subscriptions/${subscription}/resourceGroups/demo`;
const short = (id: string): string => id.replace(`${group}/providers/Microsoft.Network/`, "").replace(group, "group");
const outline = ({ steps }: Plan): Readonly<Record<string, string>> =>
  Object.fromEntries(steps.map(({ id, dependsOn }) => [short(id), dependsOn.map(short).join(" ")]));

const vnet = "virtualNetworks/demo-vnet";
const publicLoadBalancer = {
  "loadBalancers/demo-public-lb": "group publicIPAddresses/pip-demo-apiserver",
};

describe("a plan from files alone", () => {
  // By fact sheet 6.1 (order), 3.1 (names) and 5 (what refers to what).
  it("has one step a resource, each with what it lives in and what it names", async () => {
    const { steps, ...plan } = await planOf(aManifest());
    expect(plan).toEqual({ kind: "Plan", object: { kind: "AzureCluster", namespace: "default", name: "demo" } });
    expect(outline({ ...plan, steps })).toEqual({
      group: "",
      [vnet]: "group",
      "networkSecurityGroups/demo-controlplane-nsg": "group",
      "networkSecurityGroups/demo-node-nsg": "group",
      "routeTables/demo-node-routetable": "group",
      "publicIPAddresses/pip-demo-apiserver": "group",
      "publicIPAddresses/pip-demo-node-natgw": "group",
      "natGateways/demo-node-natgw": "group publicIPAddresses/pip-demo-node-natgw",
      [`${vnet}/subnets/demo-controlplane-subnet`]: `group ${vnet} networkSecurityGroups/demo-controlplane-nsg routeTables/demo-node-routetable`,
      [`${vnet}/subnets/demo-node-subnet`]: `group ${vnet} networkSecurityGroups/demo-node-nsg routeTables/demo-node-routetable natGateways/demo-node-natgw`,
      ...publicLoadBalancer,
    });
    expect(new Set(steps.map(({ action, method }) => `${action} ${method}`))).toEqual(new Set(["create PUT"]));
  });

  it("knows what private clusters and peerings need", async () => {
    const lines = [
      "networkSpec:",
      "  apiServerLB: { type: Internal }",
      "  vnet: { name: demo-vnet, peerings: [{ remoteVnetName: hub, resourceGroup: hub-rg }] }",
    ];
    const found = outline(await planOf(aManifest(...lines)));
    const remote = `/subscriptions/${subscription}/resourceGroups/hub-rg/providers/Microsoft.Network/virtualNetworks/hub`;
    expect(found).toMatchObject({
      "loadBalancers/demo-internal-lb": `group ${vnet}/subnets/demo-controlplane-subnet`,
      [`${vnet}/virtualNetworkPeerings/demo-vnet-To-hub`]: `group ${vnet}`,
      [`${remote}/virtualNetworkPeerings/hub-To-demo-vnet`]: vnet,
      "privateDnsZones/demo.capz.io": "group",
      "privateDnsZones/demo.capz.io/virtualNetworkLinks/demo-vnet-link": `group ${vnet} privateDnsZones/demo.capz.io`,
    });
  });

  it("is the golden document", async () => {
    const { out } = await asked(aManifest("controlPlaneEnabled: false"), { output: "json" });
    const golden = readFileSync(join(import.meta.dirname, "..", "..", "golden", "plans", "external.json"), "utf8");
    expect(`${out}\n`).toBe(golden);
  });

  it("is one document for one object, a list for several, and the same as YAML", async () => {
    const other = anAzureCluster().replace("name: demo", "name: other");
    const both = await asked(`${aManifest()}---\n${other}`, { output: "json" });
    const documents = JSON.parse(both.out) as readonly Plan[];
    expect(documents.map(({ object }) => object.name)).toEqual(["demo", "other"]);
    expect(both.err).toContain("no Cluster names AzureCluster default/other");
    const bad = `${aManifest()}---\n${other.replace(/ {2}subscriptionID.*\n/, "")}`;
    const half = await asked(bad, { output: "json" });
    expect(half).toMatchObject({ status: 3, err: expect.stringContaining("default/other: spec.subscriptionID") });
    expect(JSON.parse(half.out)).toEqual([documents[0]]);
    const yaml = await asked(aManifest(), { output: "yaml" });
    expect(parse(yaml.out)).toEqual(await planOf(aManifest()));
  });

  it.each([
    { zones: undefined, wanted: ["1", "2", "3"], told: "westeurope is assumed to have availability zones 1, 2, 3" },
    { zones: ["2"], wanted: ["2"], told: undefined },
    { zones: [], wanted: undefined, told: undefined },
  ])("takes zones $zones for granted and says so", async ({ zones, wanted, told }) => {
    const options = zones === undefined ? {} : { zones };
    const { steps } = await planOf(aManifest(), options);
    expect(steps.find(({ id }) => id.endsWith("pip-demo-apiserver"))?.body["zones"]).toEqual(wanted);
    const { out } = await asked(aManifest(), options);
    expect(out.includes("is assumed to have")).toBe(told !== undefined);
    if (told !== undefined) expect(out).toContain(told);
  });

  it("takes the subscription of the settings for objects that name none", async () => {
    const without = aManifest().replace(/ {2}subscriptionID.*\n/, "");
    const { out } = await asked(without, { output: "json" }, { AZURE_SUBSCRIPTION_ID: subscription });
    expect(JSON.parse(out)).toEqual(await planOf(aManifest()));
    const none = await asked(without);
    expect(none).toMatchObject({ status: 3, out: "" });
    expect(none.err).toMatch(/^error: AzureCluster default\/demo: spec\.subscriptionID: /m);
  });

  it("honours what a stored object says of itself", async () => {
    const stored = aManifest().replace(
      "kind: AzureCluster\nmetadata: { name: demo }",
      "kind: AzureCluster\nmetadata: { name: demo, annotations: { cluster.x-k8s.io/managed-by: other } }",
    );
    const { out } = await asked(stored);
    expect(out).toContain("nothing is done: annotation cluster.x-k8s.io/managed-by is set");
  });

  it("ends with 1 for changes only when that is asked for", async () => {
    expect((await asked(aManifest())).status).toBe(0);
    expect((await asked(aManifest(), { exitCode: true })).status).toBe(1);
  });
});

describe("what cannot be planned", () => {
  it.each([
    {
      when: "a field has a wrong type",
      input: aManifest("resourceGroup: 7"),
      says: /^-:13:18: AzureCluster\/default\/demo: spec\.resourceGroup: 7 /m,
    },
    {
      when: "a field is unknown",
      input: aManifest("resourceGrup: x"),
      says: /spec\.resourceGrup: no such field: did you mean resourceGroup\?/,
    },
    { when: "only a turn sees it", input: aManifest("azureEnvironment: Moon"), says: /spec\.azureEnvironment/ },
    {
      when: "a kind is misspelled",
      input: aManifest().replace("kind: AzureCluster\nmeta", "kind: AzureClustr\nmeta"),
      says: /did you mean AzureCluster\?/,
    },
    { when: "it is no YAML", input: "a: b: c", says: /not valid YAML/ },
    {
      when: "a variable has no value",
      input: aManifest(`resourceGroup: $\{GROUP}`),
      says: /no value for the variable GROUP/,
    },
    {
      when: "nothing of it is reconciled",
      input: "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: x }\n",
      says: /nothing to plan: this release reconciles AzureCluster/,
    },
  ])("is told with its place when $when", async ({ input, says }) => {
    const { status, out, err } = await asked(input);
    expect(err).toMatch(says);
    expect(err).not.toMatch(/^ +at /m);
    expect({ status, out }).toEqual({ status: 3, out: "" });
  });

  it("what is wrong with objects that are not planned is told, and in nobody's way", async () => {
    const template = [
      "apiVersion: infrastructure.cluster.x-k8s.io/v1beta1",
      "kind: AzureMachineTemplate",
      "metadata: { name: m }",
      "spec: { template: { spec: { vmSize: 7 } } }",
    ].join("\n");
    const { status, err } = await asked(`${aManifest()}---\n${template}\n`);
    expect(err).toMatch(/warning: AzureMachineTemplate\/default\/m: spec\.template\.spec\.vmSize/);
    expect(status).toBe(0);
  });

  it.each([
    { when: "nothing is named", options: { filename: [] }, args: [] },
    { when: "zones are given beside Azure", options: { filename: ["-"], azure: true, zones: ["1"] }, args: [] },
    { when: "a kind is none", options: { filename: ["-"] }, args: ["pods/x"] },
    { when: "a kind is not reconciled", options: { filename: ["-"] }, args: ["azuremachinetemplate/x"] },
  ])("$when: called wrongly", async ({ options, args }) => {
    const { plan } = await import("../../../src/cli/plan/plan.ts");
    const terminal = {
      env: {},
      stdin: () => Promise.resolve(aManifest()),
      print: () => undefined,
      note: () => undefined,
    };
    await expect(plan(args, options, { ...terminal, decorated: false })).rejects.toMatchObject({ status: 2 });
  });
});
