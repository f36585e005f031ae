import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { crd } from "../../src/api/definition/crd.ts";
import { infrastructureKinds } from "../../src/api/registry.ts";
import type { ControlPlane } from "../../src/sim/controlPlane/controlPlane.ts";
import { applyCrds } from "../../src/sim/controlPlane/installCrds.ts";
import { startControlPlane } from "../../src/sim/controlPlane/startControlPlane.ts";
import { azureCluster, identityRef, object, validated } from "../cli/validate/validating.ts";
import { installPolicies } from "../support/admission/installPolicies.ts";

let controlPlane: ControlPlane;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "capstan-validate-"));
  controlPlane = await startControlPlane({ controllerManager: false });
  await applyCrds(
    controlPlane.api,
    infrastructureKinds.map((entry) => crd(entry)),
  );
  await installPolicies(controlPlane.api);
});
afterAll(async () => {
  await controlPlane?.stop();
  await rm(folder, { recursive: true });
});

/** Whether `kubectl` and the API server behind it take a file. */
const isTaken = (file: string): Promise<boolean> =>
  controlPlane.kubectl(["apply", "--dry-run=server", "--validate=strict", "-f", file]).then(
    () => true,
    () => false,
  );

const tags = (pairs: string): string => azureCluster(`  additionalTags: { ${pairs} }`);
const machine = (spec: string): string =>
  object("AzureMachineTemplate", "m", `  template: { spec: { vmSize: s, ${spec} } }`);
const osDisk = "osDisk: { osType: Linux }";

const cases: readonly { readonly what: string; readonly text: string; readonly name?: string }[] = [
  { what: "a manifest", text: azureCluster() },
  { what: "two documents and empty ones", text: `---\n# none\n---\n${azureCluster()}---\n${machine(osDisk)}---\n` },
  { what: "a separator with a comment and a mistake after it", text: `${machine(osDisk)}--- # more\n${tags("a: 1")}` },
  { what: "a separator with spaces and a mistake after it", text: `${machine(osDisk)}---  \n${tags("a: 1")}` },
  { what: "an end mark and a mistake after it", text: `${machine(osDisk)}...\n---\n${tags("a: 1")}` },
  { what: "a directive", text: `%YAML 1.1\n---\n${machine(osDisk)}` },
  { what: "Windows lines", text: azureCluster().replaceAll("\n", "\r\n") },
  { what: "a mark at the beginning", text: `\uFEFF${azureCluster()}` },
  ...["yes", "on", "y", "Off", "1", "0o17", "1.5", "~", "null", ".inf", "[a]", "{}"].map((word) => ({
    what: `the word ${word} as text`,
    text: tags(`a: ${word}`),
  })),
  ...['"yes"', "2026-01-01", "60:30", "1.2.3", "0o9", "!!str 1", "=", "1e400", "!foo x"].map((word) => ({
    what: `the word ${word} as text`,
    text: tags(`a: ${word}`),
  })),
  ...["017", "1_0", "0x1E", "1e1", "30.0", "3.5", '"30"', "yes", "3000000000"].map((word) => ({
    what: `the word ${word} as a number`,
    text: machine(`osDisk: { osType: Linux, diskSizeGB: ${word} }`),
  })),
  ...["yes", "off", "1", '"true"', "~"].map((word) => ({
    what: `the word ${word} as true or false`,
    text: machine(`${osDisk}, acceleratedNetworking: ${word}`),
  })),
  { what: "keys that are numbers", text: tags("1: a, 1.5: b, true: c") },
  { what: "a key that is nothing", text: tags("~: a") },
  { what: "a key that is a list", text: tags("? [a] : b") },
  {
    what: "anchors",
    text: azureCluster("  additionalTags: &t { a: b }\n  networkSpec: { vnet: { name: v, tags: *t } }"),
  },
  {
    what: "merge keys",
    text: azureCluster("  additionalTags: &t { a: b }\n  networkSpec: { vnet: { name: v, tags: { <<: *t, c: d } } }"),
  },
  { what: "an unknown anchor", text: tags("a: *b") },
  { what: "tabs", text: azureCluster("\tlocation: a") },
  { what: "an open quote", text: tags("a: 'b") },
  { what: "two colons", text: azureCluster("  resourceGroup: a: b") },
  { what: "an unknown field", text: azureCluster("  resourcegroup: a") },
  {
    what: "an unknown field in a list",
    text: azureCluster("  networkSpec: { vnet: { name: v }, subnets: [{ name: a, role: node, cidr: x }] }"),
  },
  { what: "an unknown field of metadata", text: azureCluster().replace("name: demo", "name: demo, label: {}") },
  { what: "an unknown field at the top", text: `${azureCluster()}speck: {}\n` },
  { what: "no name", text: azureCluster().replace("name: demo", "labels: {}") },
  { what: "a bad name", text: azureCluster().replace("name: demo", "name: De_mo") },
  { what: "a bad label", text: azureCluster().replace("name: demo", "name: demo, labels: { a: '#' }") },
  { what: "no identity", text: azureCluster().replace(identityRef, "") },
  { what: "no kind", text: azureCluster().replace("kind: AzureCluster\n", "") },
  { what: "no version", text: azureCluster().replace(/^apiVersion.*$/m, "") },
  { what: "an old version", text: azureCluster().replace("v1beta1", "v1alpha4") },
  { what: "another group", text: azureCluster().replace("infrastructure.cluster", "cluster") },
  { what: "an unknown kind", text: azureCluster().replace("kind: AzureCluster\n", "kind: AzureKluster\n") },
  {
    what: "a former version of a kind that has one",
    text: object("AzureASOManagedCluster", "a", "  resources: []").replace("v1beta1", "v1alpha1"),
  },
  {
    what: "a List",
    text: `apiVersion: v1\nkind: List\nitems:\n- ${azureCluster().trimEnd().replaceAll("\n", "\n  ")}\n`,
  },
  {
    what: "a List with a mistake",
    text: `apiVersion: v1\nkind: List\nitems:\n- ${tags("a: 1").trimEnd().replaceAll("\n", "\n  ")}\n`,
  },
  {
    what: "JSON",
    name: "a.json",
    text: '{"apiVersion":"infrastructure.cluster.x-k8s.io/v1beta1","kind":"AzureManagedCluster",\n\t"metadata":{"name":"a"},"spec":{}}',
  },
  {
    what: "JSON after JSON with a mistake",
    name: "b.json",
    text: ["a", "B"]
      .map(
        (name) =>
          `{"apiVersion":"infrastructure.cluster.x-k8s.io/v1beta1","kind":"AzureManagedCluster","metadata":{"name":"${name}"}}`,
      )
      .join("\n"),
  },
  { what: "a key twice, the last one wrong", text: tags("a: b, a: 1") },
  { what: "a key twice, the last one right", text: tags("a: 1, a: b") },
  { what: "a field twice", text: azureCluster("  location: germany") },
  { what: "a field twice, the last one wrong", text: azureCluster("  location: 1") },
  { what: "the metadata twice", text: azureCluster().replace("spec:\n", "metadata: { labels: { a: b } }\nspec:\n") },
  { what: "the kind twice", text: azureCluster().replace("kind: A", "kind: AzureKluster\nkind: A") },
  {
    what: "a key twice in JSON",
    name: "c.json",
    text: '{"apiVersion":"infrastructure.cluster.x-k8s.io/v1beta1","kind":"AzureManagedCluster","metadata":{"name":"B"},"metadata":{"name":"a"},"spec":{}}',
  },
  { what: "an anchor that contains itself", text: azureCluster("  additionalTags: &t { a: *t }") },
  { what: "a merge key that takes what it stands in", text: azureCluster("  additionalTags: &t { <<: *t, b: c }") },
  { what: "a word", text: "word\n" },
  { what: "a list", text: "- a\n" },
  {
    what: "an address that is none",
    text: azureCluster("  networkSpec: { vnet: { name: v, cidrBlocks: [10.0.300.0/24] } }"),
  },
  {
    what: "subnets that overlap",
    text: azureCluster(
      "  networkSpec: { vnet: { name: v }, subnets: [{ name: a, role: control-plane, cidrBlocks: [10.0.0.0/16] }, { name: b, role: node, cidrBlocks: [10.0.1.0/24] }] }",
    ),
  },
];

describe("a manifest is taken by kubectl as capstan validate says", () => {
  it.each(cases)("$what", async ({ text, name = "a.yaml" }) => {
    const file = join(folder, name);
    await writeFile(file, text);
    const { status, lines } = await validated([file], { fill: false });
    expect(status === 0, lines.join("\n")).toBe(await isTaken(file));
  });
});
