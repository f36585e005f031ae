import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { annotations, labels, lastAppliedPrefix } from "../../src/core/annotations.ts";
import { dependencyTable } from "../../src/core/dependencyTable.ts";
import {
  dependenciesOf,
  dependencyKeys,
  inputsOf,
  isPaused,
  memberKindOf,
  newsOf,
  seenOf,
  versionsOf,
} from "../../src/core/inputs.ts";
import { type Projection, project, withOwnWrites } from "../../src/core/projection.ts";
import type { JsonObject, KubeObject } from "../../src/core/types.ts";

type Metadata = KubeObject["metadata"];
interface Parts {
  readonly metadata?: Partial<Metadata>;
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
}
const object = (kind: string, name: string, { metadata = {}, spec = {}, status = {} }: Parts = {}): KubeObject => ({
  apiVersion: "x/v1",
  kind,
  metadata: {
    name,
    namespace: "ns",
    uid: `uid-${kind}-${name}`,
    generation: 1,
    resourceVersion: "1",
    labels: {},
    annotations: {},
    finalizers: [],
    ownerReferences: [],
    ...metadata,
  },
  spec,
  status,
});
const ownedBy = (kind: string, name: string): Pick<Metadata, "ownerReferences"> => ({
  ownerReferences: [{ apiVersion: "cluster.x-k8s.io/v1beta2", kind, name, uid: `uid-${kind}-${name}` }],
});
const inCluster = { labels: { [labels.clusterName]: "demo" } };

const cluster = (parts: Parts = {}): KubeObject =>
  object("Cluster", "demo", {
    ...parts,
    spec: {
      infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "AzureCluster", name: "demo" },
      controlPlaneRef: { kind: "KubeadmControlPlane", name: "demo" },
      ...parts.spec,
    },
  });
const azureCluster = (parts: Parts = {}): KubeObject =>
  object("AzureCluster", "demo", {
    ...parts,
    metadata: { ...ownedBy("Cluster", "demo"), ...parts.metadata },
    spec: { identityRef: { kind: "AzureClusterIdentity", name: "who", namespace: "ids" }, ...parts.spec },
  });
const machine = (parts: Parts = {}): KubeObject =>
  object("Machine", "m0", { ...parts, spec: { clusterName: "demo", ...parts.spec } });
const azureMachine = (parts: Parts = {}): KubeObject =>
  object("AzureMachine", "m0", {
    ...parts,
    metadata: { ...ownedBy("Machine", "m0"), ...inCluster, ...parts.metadata },
  });
const identity = (parts: Parts = {}): KubeObject =>
  object("AzureClusterIdentity", "who", { ...parts, metadata: { namespace: "ids", ...parts.metadata } });

const world = { cluster: cluster(), azureCluster: azureCluster(), machine: machine(), identity: identity() };
const inputsIn = (self: KubeObject, others: Readonly<Record<string, KubeObject | undefined>>): string =>
  inputsOf(
    project(self),
    Object.values({ ...world, ...others }).flatMap((one) => (one === undefined ? [] : [project(one)])),
  );

describe("inputs of an AzureMachine", () => {
  const before = inputsIn(azureMachine(), {});
  it.each<{
    readonly what: string;
    readonly self?: KubeObject;
    readonly others?: Readonly<Record<string, KubeObject | undefined>>;
  }>([
    { what: "the pause annotation", self: azureMachine({ metadata: { annotations: { [annotations.paused]: "" } } }) },
    { what: "a retry", self: azureMachine({ metadata: { annotations: { [annotations.retry]: "1" } } }) },
    {
      what: "CAPZ's last applied tags",
      self: azureMachine({ metadata: { annotations: { [`${lastAppliedPrefix}tags-vm`]: "{}" } } }),
    },
    {
      what: "the watch-filter label",
      self: azureMachine({ metadata: { labels: { ...inCluster.labels, [labels.watchFilter]: "x" } } }),
    },
    {
      what: "our finalizer",
      self: azureMachine({ metadata: { finalizers: [dependencyTable["AzureMachine"]?.finalizer ?? ""] } }),
    },
    { what: "deletion", self: azureMachine({ metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } }) },
    { what: "the loss of its owner", self: azureMachine({ metadata: { ownerReferences: [] } }) },
    { what: "a pause of the Cluster", others: { cluster: cluster({ spec: { paused: true } }) } },
    {
      what: "infrastructure provisioned",
      others: { cluster: cluster({ status: { initialization: { infrastructureProvisioned: true } } }) },
    },
    {
      what: "infrastructure provisioned in v1beta1",
      others: { cluster: cluster({ status: { infrastructureReady: true } }) },
    },
    {
      what: "control plane initialized",
      others: { cluster: cluster({ status: { initialization: { controlPlaneInitialized: true } } }) },
    },
    { what: "another generation of the Machine", others: { machine: machine({ metadata: { generation: 2 } }) } },
    { what: "bootstrap data", others: { machine: machine({ spec: { bootstrap: { dataSecretName: "s" } } }) } },
    { what: "another Machine under that name", others: { machine: machine({ metadata: { uid: "other" } }) } },
    { what: "a missing Machine", others: { machine: undefined } },
    { what: "a ready AzureCluster", others: { azureCluster: azureCluster({ status: { ready: true } }) } },
    {
      what: "an endpoint",
      others: { azureCluster: azureCluster({ spec: { controlPlaneEndpoint: { host: "h", port: 6443 } } }) },
    },
    {
      what: "a deleting AzureCluster",
      others: { azureCluster: azureCluster({ metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } }) },
    },
    { what: "another generation of the identity", others: { identity: identity({ metadata: { generation: 2 } }) } },
    { what: "a missing identity", others: { identity: undefined } },
  ])("change with $what", ({ self = azureMachine(), others = {} }) => expect(inputsIn(self, others)).not.toBe(before));

  it.each<{
    readonly what: string;
    readonly self?: KubeObject;
    readonly others?: Readonly<Record<string, KubeObject | undefined>>;
  }>([
    { what: "its own generation, which stands beside them", self: azureMachine({ metadata: { generation: 9 } }) },
    { what: "its own status", self: azureMachine({ status: { ready: true }, metadata: { resourceVersion: "7" } }) },
    {
      what: "a foreign annotation",
      self: azureMachine({ metadata: { annotations: { "kubectl.kubernetes.io/x": "1" } } }),
    },
    { what: "a foreign finalizer", self: azureMachine({ metadata: { finalizers: ["x/y"] } }) },
    {
      what: "a status of the Cluster that nobody obeys",
      others: { cluster: cluster({ status: { phase: "Provisioning" } }) },
    },
    { what: "an unset pause", others: { cluster: cluster({ spec: { paused: false } }) } },
    { what: "a status of the Machine", others: { machine: machine({ status: { phase: "Running" } }) } },
    {
      what: "conditions of the AzureCluster",
      others: { azureCluster: azureCluster({ status: { conditions: [], ready: false } }) },
    },
    {
      what: "an annotation of the Machine",
      others: { machine: machine({ metadata: { annotations: { [annotations.deleteMachine]: "" } } }) },
    },
    { what: "an object that it does not read", others: { extra: object("Machine", "m1") } },
  ])("stay with $what", ({ self = azureMachine(), others = {} }) => expect(inputsIn(self, others)).toBe(before));

  it("do not depend on the order", () =>
    fc.assert(
      fc.property(fc.shuffledSubarray(Object.values(world), { minLength: 4 }), (others) => {
        expect(inputsOf(project(azureMachine()), others.map(project))).toBe(before);
      }),
    ));
});

describe("inputs of an AzureCluster", () => {
  const of = (others: Readonly<Record<string, KubeObject>>): string => inputsIn(azureCluster(), others);
  it("hear a pause", () => expect(of({ cluster: cluster({ spec: { paused: true } }) })).not.toBe(of({})));
  it("do not hear their own echo in the Cluster's status", () =>
    expect(of({ cluster: cluster({ status: { initialization: { infrastructureProvisioned: true } } }) })).toBe(of({})));
});

describe("dependencies", () => {
  const keys = (self: KubeObject, known: readonly KubeObject[]): readonly string[] =>
    dependencyKeys(project(self), known.map(project)).map(
      ({ kind, namespace, name }) => `${kind}/${namespace}/${name}`,
    );

  it("are found step by step", () => {
    expect(keys(azureMachine(), [])).toEqual(["Machine/ns/m0", "Cluster/ns/demo"]);
    expect(keys(azureMachine(), [machine(), cluster()])).toEqual([
      "Machine/ns/m0",
      "Cluster/ns/demo",
      "AzureCluster/ns/demo",
    ]);
    expect(keys(azureMachine(), [cluster(), azureCluster()])).toContain("AzureClusterIdentity/ids/who");
  });
  it("have roles", () =>
    expect(dependenciesOf(project(azureCluster())).map(({ role }) => role)).toEqual(["cluster", "identity"]));
  it("leave other kinds and groups alone", () => {
    const foreign = { ownerReferences: [{ apiVersion: "example.org/v1", kind: "Cluster", name: "demo", uid: "x" }] };
    expect(keys(azureCluster({ metadata: foreign, spec: { identityRef: { kind: "Secret", name: "s" } } }), [])).toEqual(
      [],
    );
  });
  it("include the pools of a managed control plane", () => {
    const plane = object("AzureManagedControlPlane", "demo", { metadata: ownedBy("Cluster", "demo") });
    const pool = object("AzureManagedMachinePool", "p0", { metadata: inCluster });
    const stranger = object("AzureManagedMachinePool", "p1", {
      metadata: { labels: { [labels.clusterName]: "other" } },
    });
    expect(keys(plane, [pool, stranger])).toEqual(["Cluster/ns/demo", "AzureManagedMachinePool/ns/p0"]);
    expect(memberKindOf("AzureManagedControlPlane")).toBe("AzureManagedMachinePool");
    expect(memberKindOf("AzureCluster")).toBeUndefined();
  });
  it("never include secrets", () => {
    const kinds = Object.values(dependencyTable).flatMap(({ roles, members }) => [
      ...roles.flatMap((role) => role.kinds),
      members?.kind,
    ]);
    expect(kinds).not.toContain("Secret");
  });
  it.each(Object.entries(dependencyTable))("of %s are found from what comes before", (_kind, { roles }) => {
    for (const [at, { from }] of roles.entries())
      expect(["self", ...roles.slice(0, at).map(({ role }) => role)]).toContain(from);
  });
});

describe("a turn's own writes", () => {
  const finalizer = dependencyTable["AzureMachine"]?.finalizer ?? "";
  const known = Object.values(world).map(project);
  const read: Projection = project(azureMachine());
  const claimed = { finalizers: [finalizer], annotations: { [annotations.blockMove]: "true" }, resourceVersion: "2" };

  it("are no news to it", () => {
    const applied = project(azureMachine({ metadata: claimed }));
    expect(seenOf(withOwnWrites(read, applied), known)).toEqual(seenOf(applied, known));
  });
  it.each([
    { what: "a new generation", metadata: { generation: 2 } },
    { what: "a pause", metadata: { annotations: { ...claimed.annotations, [annotations.paused]: "" } } },
    { what: "a deletion", metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } },
  ])("do not hide $what that came at the same time", ({ metadata }) => {
    const applied = project(azureMachine({ metadata: { ...claimed, ...metadata } }));
    expect(seenOf(withOwnWrites(read, applied), known)).not.toEqual(seenOf(applied, known));
  });
  it("cannot be those of another object under the same name", () =>
    expect(withOwnWrites(read, project(azureMachine({ metadata: { ...claimed, uid: "other" } })))).toBe(read));
});

describe("doorbells", () => {
  it("tell pause and deletion", () => {
    const known = [project(cluster({ spec: { paused: true } }))];
    expect(newsOf(project(azureMachine()), known)).toMatchObject({ paused: true, deleting: false });
    expect(isPaused(project(azureMachine()), [project(cluster())])).toBe(false);
    expect(isPaused(project(azureMachine({ metadata: { annotations: { [annotations.paused]: "false" } } })), [])).toBe(
      true,
    );
  });
  it("are told apart by the versions of all that was read", () => {
    const of = (others: readonly KubeObject[]): readonly string[] =>
      versionsOf(project(azureMachine()), others.map(project)).toSorted();
    expect(of([machine(), cluster()])).toEqual(of([cluster(), machine()]));
    expect(of([machine({ metadata: { resourceVersion: "2" } }), cluster()])).not.toEqual(of([machine(), cluster()]));
    expect(of([machine()])).not.toEqual(of([machine(), cluster()]));
    expect(of([machine(), cluster(), object("Machine", "m1")])).toEqual(of([machine(), cluster()]));
  });
});

describe("projections", () => {
  it("stay small", () => {
    const long = { [`${lastAppliedPrefix}tags-vm`]: "x".repeat(100_000), "other/annotation": "y".repeat(100_000) };
    const big = azureMachine({ metadata: { annotations: long }, spec: { userData: "z".repeat(100_000) } });
    expect(JSON.stringify(project(big)).length).toBeLessThan(1_000);
  });
  it("notice a long value's change", () => {
    const of = (value: string): Projection =>
      project(azureMachine({ metadata: { annotations: { [`${lastAppliedPrefix}tags-vm`]: value } } }));
    expect(of("x".repeat(100)).annotations).not.toEqual(of(`${"x".repeat(99)}y`).annotations);
  });
  it("are made of any spec and status", () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(dependencyTable), "Cluster", "Machine", "constructor"),
        fc.object(),
        fc.object(),
        (kind, spec, status) => {
          // The one cast: fast-check's objects stand for JSON of any shape.
          const made = project(object(kind, "x", { spec: spec as JsonObject, status: status as JsonObject }));
          expect(inputsOf(made, [made])).toMatch(/^[0-9a-f]{32}$/);
        },
      ),
    ));
});
