import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkedKind } from "../../../src/api/check/checkedKind.ts";
import { type CheckOptions, checkObject } from "../../../src/api/check/checkObject.ts";
import { storedForm } from "../../../src/api/check/storedForm.ts";
import { isObject } from "../../../src/api/json.ts";
import { apiVersionOf, infrastructureKinds, kindEntry } from "../../../src/api/registry.ts";
import type { Json, JsonObject } from "../../../src/core/types.ts";
import { changed } from "./objectArbitrary.ts";

const identity = (over: JsonObject = {}): JsonObject => ({
  apiVersion: apiVersionOf(kindEntry("AzureClusterIdentity")!),
  kind: "AzureClusterIdentity",
  metadata: { name: "identity" },
  spec: { type: "WorkloadIdentity", clientID: "client", tenantID: "tenant", allowedNamespaces: {} },
  ...over,
});
const pathsOf = (object: JsonObject, options: CheckOptions = {}) =>
  checkObject("AzureClusterIdentity", object, options).map(({ path }) => path);
const long = "a".repeat(254);

describe("an object", () => {
  it("tells of a number the bounds of its field rather than those of 32 bits", () => {
    const spec = {
      networkSpec: { nodeOutboundLB: { idleTimeoutInMinutes: 99_999_999_999, frontendIPsCount: 99_999_999_999 } },
    };
    const object = {
      apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
      kind: "AzureCluster",
      metadata: { name: "a" },
      spec,
    };
    const found = checkObject("AzureCluster", object).filter(({ value }) => value === 99_999_999_999);
    expect(found.map(({ path, message }) => [path, message])).toEqual([
      ["spec.networkSpec.nodeOutboundLB.idleTimeoutInMinutes", "must be from 4 to 30"],
      ["spec.networkSpec.nodeOutboundLB.frontendIPsCount", "must be from 0 to 16"],
    ]);
  });

  it("is right", () => expect(pathsOf(identity())).toEqual([]));
  it("of another kind is not ours to judge", () => expect(checkObject("Secret", {})).toEqual([]));
  it("tells everything at once", () =>
    expect(checkObject("AzureClusterIdentity", identity({ metadata: {}, spec: { type: "No", clientID: 1 } }))).toEqual([
      {
        path: "metadata.name",
        at: ["metadata", "name"],
        rule: "required",
        message: expect.stringContaining("Required value"),
      },
      {
        path: "spec.type",
        at: ["spec", "type"],
        rule: "enum",
        value: "No",
        message: expect.stringContaining("supported values"),
      },
      {
        path: "spec.clientID",
        at: ["spec", "clientID"],
        rule: "type",
        value: 1,
        message: expect.stringContaining("must be of type string"),
      },
      { path: "spec.tenantID", at: ["spec", "tenantID"], rule: "required", message: "Required value" },
    ]));
  it.each<{ readonly what: string; readonly over: JsonObject; readonly paths: readonly string[] }>([
    { what: "of another version", over: { apiVersion: "infrastructure.cluster.x-k8s.io/v2" }, paths: ["apiVersion"] },
    { what: "of another kind than said", over: { kind: "AzureCluster" }, paths: ["kind"] },
    { what: "without metadata", over: { metadata: null }, paths: ["metadata.name"] },
    { what: "with metadata of the wrong type", over: { metadata: [] }, paths: ["metadata"] },
    { what: "with a number for a name", over: { metadata: { name: 1 } }, paths: ["metadata.name"] },
    { what: "with a name in capitals", over: { metadata: { name: "A" } }, paths: ["metadata.name"] },
    { what: "with a name that is too long", over: { metadata: { name: long } }, paths: ["metadata.name"] },
    { what: "with a name to be made", over: { metadata: { generateName: "identity-" } }, paths: [] },
    {
      what: "with a bad name to be made",
      over: { metadata: { generateName: "AB-" } },
      paths: ["metadata.generateName", "metadata.name"],
    },
    {
      what: "in a namespace with a dot",
      over: { metadata: { name: "a", namespace: "a.b" } },
      paths: ["metadata.namespace"],
    },
    {
      what: "with labels",
      over: { metadata: { name: "a", labels: { "a.b/C_d": "E.f-1", g: "", h: null } } },
      paths: [],
    },
    {
      what: "with a bad key of a label",
      over: { metadata: { name: "a", labels: { "a/b/c": "" } } },
      paths: ["metadata.labels[a/b/c]"],
    },
    {
      what: "with a bad label",
      over: { metadata: { name: "a", labels: { a: "b c" } } },
      paths: ["metadata.labels[a]"],
    },
    {
      what: "with a number for a label",
      over: { metadata: { name: "a", labels: { a: 1 } } },
      paths: ["metadata.labels[a]"],
    },
    {
      what: "with times",
      over: { metadata: { name: "a", creationTimestamp: "2026-01-31T12:00:00Z", deletionTimestamp: null } },
      paths: [],
    },
    {
      what: "with a date for a time",
      over: { metadata: { name: "a", creationTimestamp: "2026-01-31" } },
      paths: ["metadata.creationTimestamp"],
    },
    {
      what: "with a day that no month has",
      over: { metadata: { name: "a", deletionTimestamp: "2026-02-30T12:00:00Z" } },
      paths: ["metadata.deletionTimestamp"],
    },
    {
      what: "with managed fields that are none",
      over: { metadata: { name: "a", managedFields: 3 } },
      paths: ["metadata.managedFields"],
    },
    {
      what: "with a manager of the wrong type",
      over: { metadata: { name: "a", managedFields: [{ manager: 3, time: "noon" }] } },
      paths: ["metadata.managedFields[0].manager", "metadata.managedFields[0].time"],
    },
    {
      what: "with a half second of grace",
      over: { metadata: { name: "a", deletionGracePeriodSeconds: 0.5 } },
      paths: ["metadata.deletionGracePeriodSeconds"],
    },
    { what: "with annotations", over: { metadata: { name: "a", annotations: { "a.b/C": "any thing" } } }, paths: [] },
    {
      what: "with a bad annotation",
      over: { metadata: { name: "a", annotations: { "a b": "" } } },
      paths: ["metadata.annotations[a b]"],
    },
    {
      what: "with too many annotations",
      over: { metadata: { name: "a", annotations: { a: "é".repeat(131_072) } } },
      paths: ["metadata.annotations"],
    },
    {
      what: "with a bad finalizer",
      over: { metadata: { name: "a", finalizers: ["a b"] } },
      paths: ["metadata.finalizers[0]"],
    },
    {
      what: "with half an owner",
      over: { metadata: { name: "a", ownerReferences: [{ apiVersion: "v1", kind: "K", name: "n" }] } },
      paths: ["metadata.ownerReferences[0].uid"],
    },
    { what: "with a status, which is written apart", over: { status: "anything" }, paths: [] },
    { what: "with a field that nobody knows", over: { data: {} }, paths: [] },
  ])("$what", ({ over, paths }) => expect(pathsOf(identity(over))).toEqual(paths));

  it("may keep what it repeats, and no more", () => {
    const kind = "AzureASOManagedControlPlane";
    expect(checkedKind(kind)).toBeDefined();
    const rule = { name: "a", description: "", protocol: "*", direction: "Inbound" };
    const subnet = (rules: readonly JsonObject[]): JsonObject => ({
      apiVersion: apiVersionOf(kindEntry("AzureCluster")!),
      kind: "AzureCluster",
      metadata: { name: "cluster" },
      spec: {
        location: "a",
        networkSpec: { subnets: [{ name: "s", role: "node", securityGroup: { name: "g", securityRules: rules } }] },
      },
    });
    const duplicates = (object: JsonObject, options: CheckOptions = {}) =>
      checkObject("AzureCluster", object, options).filter((found) => found.rule === "duplicate");
    expect(duplicates(subnet([rule, rule]))).toHaveLength(1);
    expect(duplicates(subnet([rule, rule]), { before: subnet([rule]) })).toHaveLength(1);
    expect(duplicates(subnet([rule, rule, rule]), { before: subnet([rule, rule]) })).toEqual([]);
  });
});

describe("a policy", () => {
  const template = (vmSize: string, annotations: JsonObject = {}): JsonObject => ({
    apiVersion: apiVersionOf(kindEntry("AzureMachineTemplate")!),
    kind: "AzureMachineTemplate",
    metadata: { name: "template", annotations },
    spec: { template: { spec: { vmSize, osDisk: { osType: "Linux", diskSizeGB: 128 } } } },
  });
  const tried = { "topology.cluster.x-k8s.io/dry-run": "" };
  it.each<{
    readonly what: string;
    readonly now: JsonObject;
    readonly options: CheckOptions;
    readonly refused: boolean;
  }>([
    { what: "is not asked of what is new", now: template("b"), options: {}, refused: false },
    { what: "refuses a change", now: template("b"), options: { before: template("a") }, refused: true },
    {
      what: "lets what is the same pass",
      now: template("a", { a: "b" }),
      options: { before: template("a") },
      refused: false,
    },
    {
      what: "is not asked of a topology's dry run",
      now: template("b", tried),
      options: { before: template("a"), dryRun: true },
      refused: false,
    },
    {
      what: "is asked of what only looks like one",
      now: template("b", tried),
      options: { before: template("a") },
      refused: true,
    },
  ])("$what", ({ now, options, refused }) => {
    const found = checkObject("AzureMachineTemplate", now, options).filter(({ rule }) => rule === "policy");
    expect(found.length > 0).toBe(refused);
    if (refused) expect(found[0]).toMatchObject({ path: expect.stringMatching(/^spec\.template\.spec/) });
  });
});

describe.each(infrastructureKinds.map((entry) => entry.kind))("any JSON for %s", (kind) => {
  const { root } = checkedKind(kind)!;
  const json = fc.jsonValue() as fc.Arbitrary<Json>;
  const object = fc.dictionary(fc.constantFrom("apiVersion", "kind", "metadata", "spec", "status", "other"), json);
  const nearly = changed(root, { spec: {} }, []).filter((it) => isObject(it));
  it("is judged without a throw", () =>
    fc.assert(
      fc.property(object, object, json, (now, before, within) => {
        expect(Array.isArray(checkObject(kind, now))).toBe(true);
        expect(Array.isArray(checkObject(kind, now, { before, others: [before] }))).toBe(true);
        expect(
          Array.isArray(checkObject(kind, { ...now, spec: { template: { spec: within }, networkSpec: within } })),
        ).toBe(true);
        expect(Array.isArray(storedForm(kind, now).unknown)).toBe(true);
      }),
    ));
  it("is judged without a throw where it is nearly right", () =>
    fc.assert(
      fc.property(nearly, nearly, (now, before) => {
        expect(Array.isArray(checkObject(kind, now, { before }))).toBe(true);
      }),
      { numRuns: 60 },
    ));
});
