import { describe, expect, it } from "vitest";
import { aFolder, azureCluster, found, marked, object, type Said, validated } from "./validating.ts";

const file = aFolder();

const manyMistakes = `# A manifest with mistakes of every sort, and what is to be said of each.
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: AzureCluster
metadata:
  name: demo
  namespace: team
spec:
  location: westeurope
  subscriptionID: 00000000-0000-4000-8000-000000000001
  identityRef: { kind: AzureClusterIdentity, name: identity }
  networkSpec:
    vnet: { name: net, cidrBlocks: [10.0.0.0/16] }
    subnet: [] # <- spec.networkSpec.subnet: no such field: did you mean subnets?
    subnets:
      - name: control-plane
        role: control-plane
        cidrBlocks: [10.0.0.0/24]
      - name: node
        role: node
        cidrBlocks:
          - 10.0.300.0/24 # <- spec.networkSpec.subnets[1].cidrBlocks[0]: "10.0.300.0/24" must be a CIDR block such as 10.0.0.0/16
      - name: node # <- spec.networkSpec.subnets[2]: must occur once: an item with name "node" stands before it
        role: nodes # <- spec.networkSpec.subnets[2].role: "nodes" must be one of "node", "control-plane", "bastion", "cluster": did you mean node?
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: AzureMachineTemplate
metadata: { name: demo, namespace: team }
spec:
  template:
    spec: # <- spec.template.spec: must stay as it is: make a new template under another name and refer to that one
      vmSize: Standard_D2s_v3
      osDisk: { osType: Linux }
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: AzureMachine
metadata: { name: demo, namespace: team }
spec:
  vmSize: Standard_D2s_v3
  osDisk:
    osType: Linux
    diskSizeGB: "128" # <- spec.osDisk.diskSizeGB: "128" must be a whole number: write 128 without quotes
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: AzureMachinePol # <- kind: "AzureMachinePol" is not a kind of ours: did you mean AzureMachinePool?
metadata: { name: demo, namespace: team }
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: AzureCluster
metadata: { name: other, namespace: team }
spec:
  location: northeurope # <- spec.location: "northeurope" must stay as it is: a cluster cannot move
  subscriptionID: 00000000-0000-4000-8000-000000000001
  identityRef: { kind: AzureClusterIdentity, name: identity }
  networkSpec:
    vnet: { name: net, cidrBlocks: [10.0.0.0/16] }
    subnets: # <- spec.networkSpec.subnets: must be subnets whose ranges do not overlap
      - { name: control-plane, role: control-plane, cidrBlocks: [10.0.0.0/23] }
      - { name: node, role: node, cidrBlocks: [10.0.1.0/24] }
`;

const before = `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: AzureCluster
metadata: { name: other, namespace: team }
spec:
  location: westeurope
  subscriptionID: 00000000-0000-4000-8000-000000000001
  identityRef: { kind: AzureClusterIdentity, name: identity }
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: AzureMachineTemplate
metadata: { name: demo, namespace: team }
spec: { template: { spec: { vmSize: Standard_D4s_v3, osDisk: { osType: Linux } } } }
`;

describe("capstan validate", () => {
  it("reports mistakes of every sort in one run, each with its line", async () => {
    const said = await validated(manyMistakes, { against: [file("before.yaml", before)] });
    // The message names the subnets too.
    expect(found(said).map((line) => line.replace(/(do not overlap): .*/, "$1"))).toEqual(marked(manyMistakes));
    expect(marked(manyMistakes)).toHaveLength(9);
    expect(said).toMatchObject({
      status: 1,
      notes: ["1 file, 4 objects of ours checked, 0 of others not checked, 9 problems"],
    });
  });

  it("names file, line, column, object, field and value", async () => {
    const { lines } = await validated(azureCluster("  controlPlaneEnabled: 1"));
    expect(lines).toEqual(["-:8:24: AzureCluster/default/demo: spec.controlPlaneEnabled: 1 must be true or false"]);
  });

  it("has nothing to say of what is right, and counts what it does not know", async () => {
    const others = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n---\n# nothing\n";
    expect(await validated(`${azureCluster()}${others}`, { verbose: true })).toEqual({
      status: 0,
      lines: [],
      notes: [
        expect.stringMatching(/^-:\d+: not checked: ConfigMap\/default\/a \(v1\)$/),
        "1 file, 1 object of ours checked, 1 of others not checked, 0 problems",
      ],
    });
  });

  it("prints a list of objects for programs", async () => {
    const { lines, status } = await validated(azureCluster("  controlPlaneEnabled: 1"), { output: "json" });
    expect(status).toBe(1);
    expect(JSON.parse(lines.join("\n"))).toEqual([
      {
        file: "-",
        line: 8,
        column: 24,
        severity: "error",
        kind: "AzureCluster",
        namespace: "default",
        name: "demo",
        path: "spec.controlPlaneEnabled",
        value: 1,
        message: "must be true or false",
        rule: "type",
      },
    ]);
    expect(await validated(azureCluster(), { output: "json" })).toMatchObject({ status: 0, lines: ["[]"] });
  });

  it.each([
    { form: "Windows lines", text: azureCluster("  additionalTags: { a: 1 }").replaceAll("\n", "\r\n"), at: "8:24" },
    { form: "a mark at the beginning", text: `\uFEFF${azureCluster("  additionalTags: { a: 1 }")}`, at: "8:24" },
    {
      form: "JSON",
      text: '{"apiVersion":"infrastructure.cluster.x-k8s.io/v1beta1","kind":"AzureClusterIdentity","metadata":{"name":"a"},\n\t"spec":{"type":"Manual"}}',
      at: "2:9",
    },
    {
      form: "JSON objects one after the other",
      text: '{"apiVersion":"v1","kind":"ConfigMap"}\n{"apiVersion":"infrastructure.cluster.x-k8s.io/v1beta1","kind":"AzureCluste","metadata":{"name":"a"}}',
      at: "2:64",
    },
    {
      form: "a List",
      text: `apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n- ${azureCluster("  additionalTags: { a: 1 }").trimEnd().replaceAll("\n", "\n  ")}\n`,
      at: "13:26",
    },
    {
      form: "a list of one kind",
      text: "apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nkind: AzureMachineList\nitems:\n- metadata: { name: a }\n  spec: { vmSize: D2, osDisk: { osType: Linux, managedDisk: [] } }\n",
      at: "5:61",
    },
    {
      form: "a template",
      text: azureCluster("  additionalTags: { $".concat("{KEY:=long-default}: v, b: 1 }")),
      at: "8:49",
    },
    {
      form: "an alias",
      text: azureCluster("  additionalTags: &t { a: 1 }\n  networkSpec: { vnet: { name: v, tags: *t } }"),
      at: "8:27",
    },
  ])("knows the place in $form", async ({ text, at }) => {
    const { lines, status } = await validated(text);
    expect(status).toBe(1);
    expect(lines[0]).toMatch(new RegExp(`^-:${at}: `));
  });

  it.each([
    { what: "tabs", text: "a:\n\tb: 1\n", says: "-:2:1: not valid YAML: YAML is indented with spaces, not tabs" },
    { what: "two colons", text: "a: b: c\n", says: /^-:1:4: not valid YAML: a second ": " in the same line/ },
    { what: "an open bracket", text: "a: [1\nb: 2\n", says: /^-:2:1: not valid YAML: brackets opened before/ },
    {
      what: "a colon missing",
      text: "a: 1\nspec\n",
      says: /^-:2:1: not valid YAML: a key must have a colon and a value/,
    },
    { what: "an unknown alias", text: "a: *b\n", says: "-:1:4: no anchor &b before this alias" },
    {
      what: "an alias of itself",
      text: "a: 1\nb: &a { c: [*a] }\n",
      says: "-:2:13: the alias *a stands within its own anchor &a: a value cannot contain itself",
    },
    { what: "a merge of itself", text: "a: &a { <<: *a, b: 1 }\n", says: /^-:1:13: the alias \*a stands within/ },
    {
      what: "too many aliases",
      text: `a: &a [x]\n${["b: &b", "c: &c", "d:"].map((key, n) => `${key} [${Array(20).fill(`*${"abc"[n]}`).join()}]\n`).join("")}`,
      says: "-:1:1: its aliases multiply to more than is read",
    },
    { what: "a key that is no text", text: "? [a]\n: b\n", says: "-:1:1: a key must be a text" },
    { what: "infinity", text: "a: .inf\n", says: "-:1:4: not a number of JSON" },
    { what: "a directive", text: "%YAML 1.1\n", says: "-:1:1: not valid YAML: kubectl takes no directives" },
    {
      what: "a list",
      text: "- a\n",
      says: /^-:1:1: not a Kubernetes object, but a list: a mapping with apiVersion, kind and metadata is wanted$/,
    },
    {
      what: "a word",
      text: "just words\n",
      says: /^-:1:1: not a Kubernetes object, but a single value: a mapping with/,
    },
    { what: "no kind", text: "apiVersion: v1\n", says: "-:1:1: not a Kubernetes object: it has no kind" },
    { what: "neither", text: "a: 1\n", says: "-:1:1: not a Kubernetes object: it has no apiVersion and no kind" },
  ])("says where there is $what, and goes on with what follows", async ({ text, says }) => {
    const { lines, status } = await validated(`${text}---\n${azureCluster("  additionalTags: { a: 1 }")}`);
    expect(lines[0]).toMatch(says);
    expect(lines.at(-1)).toContain("spec.additionalTags");
    expect(status).toBe(1);
  });

  it("takes the last of keys that are there twice, as kubectl does, and warns", async () => {
    const twice = "kind: AzureThing\nkind: AzureCluster\nmetadata: { name: a, label: {} }\n";
    const again = await validated(
      azureCluster("  location: { }\n  location: germany").replace("kind: AzureCluster\n", twice),
    );
    const key = (line: number, name: string, first: number): string =>
      `-:${line}: warning: the key ${name} stands here again, first in line ${first}: kubectl takes the last`;
    const lines = (said: Said): readonly string[] => said.lines.map((line) => line.replace(/^(-:\d+):\d+/, "$1"));
    expect(again.status).toBe(0);
    expect(lines(again)).toEqual([
      key(3, "kind", 2),
      key(5, "metadata", 4),
      key(10, "location", 7),
      key(11, "location", 7),
    ]);
    expect(again.notes).toEqual(["1 file, 1 object of ours checked, 0 of others not checked, 0 problems, 4 warnings"]);

    const wrong = await validated(azureCluster("  resourceGroup: a\n  location: 1"));
    expect(wrong.status).toBe(1);
    expect(lines(wrong)).toEqual([
      key(9, "location", 5),
      '-:9: AzureCluster/default/demo: spec.location: 1 must be a string: write "1" with quotes',
    ]);
    expect((await validated(azureCluster("  location: germany"), { strict: true })).status).toBe(1);
  });

  it.each([
    {
      head: "infrastructure.cluster.x-k8s.io/v1alpha4, kind: AzureCluster",
      says: /apiVersion: .* must be infra.*\/v1beta1 for AzureCluster/,
    },
    { head: "cluster.x-k8s.io/v1beta1, kind: AzureCluster", says: /apiVersion: .* must be infra/ },
    { head: "v1, kind: AzureCluster", says: /apiVersion: "v1" must be infra/ },
    { head: "infrastructure.cluster.x-k8s.io/v1beta1, kind: AzureKluster", says: /did you mean AzureCluster\?/ },
    {
      head: "infrastructure.cluster.x-k8s.io/v1beta1, kind: AzureThingOfOthers",
      says: /must be one of AzureCluster, /,
    },
    { head: "infrastructure.cluster.x-k8s.io/v1beta2, kind: DockerCluster", says: undefined },
    { head: "database.example.com/v1, kind: AzureCluster", says: undefined },
  ])("judges the kind of $head", async ({ head, says }) => {
    const { lines, status } = await validated(`{ apiVersion: ${head}, metadata: { name: a } }`);
    expect(status).toBe(says === undefined ? 0 : 1);
    expect(lines).toEqual(says === undefined ? [] : [expect.stringMatching(says)]);
  });

  it.each([
    { field: "  resourcegroup: a", says: "spec.resourcegroup: no such field: did you mean resourceGroup?" },
    { field: "  vnet: { name: a }", says: "spec.vnet: no such field here: it belongs at spec.networkSpec.vnet" },
    { field: "  nothingLikeIt: 1", says: "spec.nothingLikeIt: no such field" },
    { field: "  networkSpec: { subnets: [{ name: a, role: node, cidrBlock: [] }] }", says: "did you mean cidrBlocks?" },
  ])("says what would be right for $field", async ({ field, says }) => {
    const { lines, status } = await validated(azureCluster(field));
    expect(status).toBe(1);
    expect(lines).toContainEqual(expect.stringContaining(says));
  });

  it("says so of metadata too", async () => {
    const { lines } = await validated(azureCluster().replace("name: demo", "name: demo, label: {}"));
    expect(lines).toEqual([expect.stringContaining("metadata.label: no such field: did you mean labels?")]);
  });

  it("reads words as kubectl does, and says how to write them", async () => {
    const { lines } = await validated(azureCluster("  additionalTags: { a: yes, b: 1.30 }"));
    expect(lines.map((line) => line.split(": ").slice(2).join(": "))).toEqual([
      'spec.additionalTags.a: true must be a string: write "yes" with quotes',
      'spec.additionalTags.b: 1.3 must be a string: write "1.30" with quotes',
    ]);
  });

  it("shows no secrets and cuts what is long", async () => {
    const password = "hunter2-hunter2";
    const spec = `  vmSize: ${"x".repeat(3000)}\n  osDisk: { osType: ${"y".repeat(200)} }\n  vmExtensions: [{ name: a, publisher: b, version: "1", protectedSettings: { adminPassword: [${password}] } }]`;
    const said = await validated(object("AzureMachine", "a", spec));
    const json = await validated(object("AzureMachine", "a", spec), { output: "json" });
    expect(said.lines.length).toBeGreaterThan(0);
    for (const line of said.lines) expect(line.length).toBeLessThan(400);
    expect([...said.lines, ...json.lines].join("\n")).not.toContain(password);
  });

  it("asks the rules about changes only where there was something before", async () => {
    const now = object("AzureMachineTemplate", "a", "  template: { spec: { vmSize: b, osDisk: { osType: Linux } } }");
    const was = file("was.yaml", now.replace("vmSize: b", "vmSize: c"));
    expect(await validated(now)).toMatchObject({ status: 0, lines: [] });
    expect(await validated(now, { against: [file("same.yaml", now)] })).toMatchObject({ status: 0 });
    expect(await validated(now.replace("name: a", "name: other"), { against: [was] })).toMatchObject({ status: 0 });
    expect((await validated(now, { against: [was] })).lines).toEqual([expect.stringContaining("must stay as it is")]);
  });
});
