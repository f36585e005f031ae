import { describe, expect, it } from "vitest";
import { aFolder, azureCluster, found, identityRef, object, validated } from "./validating.ts";

const file = aFolder();

const cluster = (infrastructure: string): string =>
  `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: { name: demo }
spec:
  infrastructureRef: { apiGroup: infrastructure.cluster.x-k8s.io, kind: AzureCluster, name: ${infrastructure} }
---
`;
const identity = object(
  "AzureClusterIdentity",
  "identity",
  "  type: UserAssignedMSI\n  clientID: 00000000-0000-4000-8000-000000000002\n  tenantID: 00000000-0000-4000-8000-000000000003\n  allowedNamespaces: {}",
);

describe("what is odd among the objects", () => {
  it("is nothing when all are there", async () =>
    expect(await validated(`${cluster("demo")}${azureCluster()}---\n${identity}`)).toMatchObject({
      status: 0,
      lines: [],
    }));

  it("is a name that leads nowhere: a warning, and an error only with --strict", async () => {
    const text = `${cluster("dem")}${azureCluster()}`;
    const said = await validated(text);
    expect(said.status).toBe(0);
    expect(found(said)).toEqual([
      '5: warning: spec.infrastructureRef.name: "dem" names AzureCluster default/dem, which is not in these files: did you mean demo?',
      '13: warning: spec.identityRef.name: "identity" names AzureClusterIdentity default/identity, which is not in these files: it must be in the cluster already',
    ]);
    expect(said.lines.every((line) => line.includes(": warning: "))).toBe(true);
    expect(said.notes).toEqual(["1 file, 1 object of ours checked, 1 of others not checked, 0 problems, 2 warnings"]);
    expect((await validated(text, { strict: true })).status).toBe(1);
  });

  it("guesses no name among more than 500", async () => {
    const many = (count: number): string =>
      Array.from({ length: count }, (_, number) => `---\n${azureCluster().replace("demo", `demo${number}`)}`).join("");
    const first = async (count: number) => found(await validated(`${cluster("dem0")}${many(count)}`))[0];
    expect(await first(500)).toMatch(/: did you mean demo0\?$/);
    expect(await first(501)).toMatch(/: it must be in the cluster already$/);
  });

  it("is no name that leads nowhere in a file that holds no cluster", async () =>
    expect(await validated(azureCluster())).toMatchObject({ status: 0, lines: [] }));

  it("finds what another namespace holds only where it is named", async () => {
    const elsewhere = identity.replace("name: identity", "name: identity, namespace: shared");
    const text = `${cluster("demo")}${azureCluster()}---\n${elsewhere}`;
    expect(found(await validated(text))).toEqual([expect.stringContaining("AzureClusterIdentity default/identity")]);
    const there = text.replace(identityRef, identityRef.replace("name: identity", "name: identity, namespace: shared"));
    expect(await validated(there)).toMatchObject({ lines: [] });
  });

  it("finds references to templates, wherever they stand", async () => {
    const deployment = `---
apiVersion: cluster.x-k8s.io/v1beta1
kind: MachineDeployment
metadata: { name: md }
spec:
  template:
    spec:
      infrastructureRef:
        apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
        kind: AzureMachineTemplate
        name: md-1
      bootstrap: { configRef: { apiVersion: bootstrap.cluster.x-k8s.io/v1beta1, kind: KubeadmConfigTemplate, name: md } }
`;
    const text = `${cluster("demo")}${azureCluster()}---\n${identity}${deployment}`;
    expect(found(await validated(text))).toEqual([
      expect.stringMatching(/^34: warning: spec\.template\.spec\.infrastructureRef\.name: "md-1"/),
    ]);
  });

  it("is an object that is there twice, in one file or in two", async () => {
    const text = `${azureCluster()}---\n${azureCluster()}`;
    const said = await validated(text);
    expect(said.status).toBe(0);
    expect(found(said)).toEqual(["12: warning: metadata.name: stands here again and replaces the one at -:1"]);
    const files = [file("one.yaml", azureCluster()), file("two.yaml", azureCluster())];
    const [line] = (await validated(files)).lines;
    expect(line).toBe(
      `${files[1]}:3:19: warning: AzureCluster/default/demo: metadata.name: stands here again and replaces the one at ${files[0]}:1`,
    );
    const [one, other] = ["a", "b"].map((name) =>
      azureCluster().replace("name: demo", `name: demo, namespace: ${name}`),
    );
    expect(await validated(`${one}---\n${other}`)).toMatchObject({ lines: [] });
  });
});

describe("what only a turn refuses", () => {
  const subnets =
    "  networkSpec:\n    vnet: { name: net, cidrBlocks: [192.168.0.0/16] }\n    subnets:\n      - { name: a, role: control-plane }\n      - { name: b, role: node }\n";

  it("is a warning at its line", async () => {
    const said = await validated(azureCluster(subnets));
    expect(said.status).toBe(0);
    expect(said.lines.length).toBeGreaterThan(0);
    for (const line of said.lines)
      expect(line).toMatch(
        /^-:\d+:\d+: warning: AzureCluster\/default\/demo: spec\..*\(accepted by the API server, but Capstan will say SpecValid=False\)$/,
      );
    expect((await validated(azureCluster(subnets), { strict: true })).status).toBe(1);
  });

  it("is not called accepted in an object that is refused for something else", async () => {
    const said = await validated(`${azureCluster(subnets)}  location2: a\n`);
    expect(said.status).toBe(1);
    const warnings = said.lines.filter((line) => line.includes(": warning: "));
    expect(warnings.length).toBeGreaterThan(0);
    for (const line of warnings) expect(line).toMatch(/ \(refused once the rest is right\)$/);
  });

  it.each([
    { metadata: "{ labels: {} }", problems: 1 },
    { metadata: "{ name: '' }", problems: 1 },
    { metadata: "{ name: 1 }", problems: 1 },
    { metadata: "{ name: De_mo }", problems: 2 },
    { metadata: "1", problems: 1 },
    { metadata: "{ generateName: demo- }", problems: 0 },
    { metadata: "{ name: demo, labels: { a: '#' } }", problems: 1, warnings: 1 },
  ])("is not asked of an object whose name is not known: $metadata", async ({ metadata, problems, warnings = 0 }) => {
    const ports = "  networkSpec: { additionalAPIServerLBPorts: [{ name: a, port: 6443 }] }\n";
    const { lines } = await validated(azureCluster(ports).replace("{ name: demo }", metadata));
    expect(lines.filter((line) => line.includes(": warning: "))).toHaveLength(warnings);
    expect(lines).toHaveLength(problems + warnings);
  });

  it("takes the port of the Cluster that owns the object", async () => {
    const ports = "  networkSpec: { vnet: { name: net }, additionalAPIServerLBPorts: [{ name: a, port: 7443 }] }\n";
    const port = cluster("demo").replace("spec:\n", "spec:\n  clusterNetwork: { apiServerPort: 7443 }\n");
    expect(await validated(`${cluster("demo")}${azureCluster(ports)}---\n${identity}`)).toMatchObject({ lines: [] });
    const { lines } = await validated(`${port}${azureCluster(ports)}---\n${identity}`);
    expect(lines).toEqual([expect.stringMatching(/^-:\d+:\d+: warning: .*additionalAPIServerLBPorts/)]);
  });

  const key = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQC7 somebody";
  const disk = "osDisk: { osType: Linux }";
  it.each([
    {
      what: "a key",
      kind: "AzureMachine",
      spec: `  vmSize: a\n  ${disk}\n  sshPublicKey: ${btoa("no key at all")}`,
      path: "spec.sshPublicKey",
    },
    {
      what: "a key in a template",
      kind: "AzureMachineTemplate",
      spec: `  template: { spec: { vmSize: a, ${disk}, sshPublicKey: ${btoa("no key at all")} } }`,
      path: "spec.template.spec.sshPublicKey",
    },
    {
      what: "a key in a pool",
      kind: "AzureMachinePool",
      spec: `  location: a\n  template: { vmSize: a, ${disk}, sshPublicKey: ${btoa("no key at all")} }`,
      path: "spec.template.sshPublicKey",
    },
    {
      what: "a key of AKS",
      kind: "AzureManagedControlPlane",
      spec: `  version: v1.35.1\n  location: a\n${identityRef}\n  sshPublicKey: ${btoa("no key at all")}\n  dnsServiceIP: 10.0.0.10`,
      path: "spec.sshPublicKey",
    },
  ])("warns of $what", async ({ kind, spec, path }) => {
    const said = await validated(object(kind, "demo", spec));
    expect(said.status).toBe(0);
    expect(said.lines).toEqual([expect.stringContaining(`warning: ${kind}/default/demo: ${path}: `)]);
    expect(said.lines.join()).not.toContain("no key");
    const right = spec.replace(btoa("no key at all"), btoa(key));
    expect(await validated(object(kind, "demo", right))).toMatchObject({ lines: [] });
  });

  it("takes the Cluster's ranges for AKS, where the file has them", async () => {
    const spec = `  version: v1.35.1\n  location: a\n${identityRef}\n  dnsServiceIP: 10.1.0.10`;
    const controlPlane = object("AzureManagedControlPlane", "demo", spec);
    const owner = (range: string): string =>
      `${cluster("demo").replace("---\n", "")}  controlPlaneRef: { apiGroup: infrastructure.cluster.x-k8s.io, kind: AzureManagedControlPlane, name: demo }\n  clusterNetwork: { services: { cidrBlocks: [${range}] } }\n---\n${azureCluster()}---\n${identity}---\n`;
    expect(await validated(`${owner("10.1.0.0/16")}${controlPlane}`)).toMatchObject({ lines: [] });
    expect((await validated(`${owner("10.2.0.0/16")}${controlPlane}`)).lines).toEqual([
      expect.stringContaining("warning: AzureManagedControlPlane/default/demo: spec.dnsServiceIP: "),
    ]);
  });
});
