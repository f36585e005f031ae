import { describe, expect, it } from "vitest";
import { appliedOver } from "../../../src/cli/plan/appliedOver.ts";
import { patiently } from "../../../src/cli/plan/askAzure.ts";
import { azureSettings } from "../../../src/cli/plan/azureSettings.ts";
import { clusterObjects } from "../../../src/cli/plan/clusterObjects.ts";
import { fileObjects } from "../../../src/cli/plan/fileObjects.ts";
import { wantedByOthers } from "../../../src/cli/plan/wantedIds.ts";
import { UserError } from "../../../src/cli/userError.ts";
import { idKey } from "../../../src/core/ids.ts";
import type { Failure, JsonObject, KubeObject, Result } from "../../../src/core/types.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { group, key } from "../../support/defaultCluster.ts";
import { applyDefaultCluster, createWorld } from "../../support/world.ts";

const anObject = (spec: JsonObject, metadata: Partial<KubeObject["metadata"]> = {}): KubeObject => ({
  apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
  kind: "AzureCluster",
  metadata: {
    name: "demo",
    namespace: "default",
    uid: "u",
    generation: 1,
    resourceVersion: "1",
    labels: {},
    annotations: {},
    finalizers: [],
    ownerReferences: [],
    ...metadata,
  },
  spec,
  status: {},
});

describe("a file applied over a stored object", () => {
  const lastApplied = (spec: JsonObject) => ({
    annotations: { "kubectl.kubernetes.io/last-applied-configuration": JSON.stringify({ spec }) },
  });
  it.each([
    { when: "a value is given", before: { a: 1 }, given: { a: 2 }, after: { a: 2 } },
    {
      when: "a provider set one",
      before: { a: 1, end: { host: "h" } },
      given: { a: 1 },
      after: { a: 1, end: { host: "h" } },
    },
    {
      when: "one was applied and is gone",
      before: { a: 1, b: { c: 1, d: 2 } },
      former: { b: { c: 1 }, a: 1 },
      given: { a: 1, b: {} },
      after: { a: 1, b: { d: 2 } },
    },
    { when: "a list is given", before: { l: [1, 2] }, former: { l: [1, 2] }, given: { l: [3] }, after: { l: [3] } },
    { when: "null is given", before: { a: 1, b: 2 }, given: { a: null }, after: { a: 1, b: 2 } },
  ])("is as after kubectl apply when $when", ({ before, given, after, former }) => {
    const stored = anObject(before as JsonObject, former === undefined ? {} : lastApplied(former as JsonObject));
    expect(appliedOver(stored, anObject(given as JsonObject)).spec).toEqual(after);
  });

  it("keeps what the cluster knows of the object, and adds labels and annotations", () => {
    const stored = anObject({}, { uid: "real", annotations: { a: "1" }, finalizers: ["f"], deletionTimestamp: "t" });
    const { metadata } = appliedOver(stored, anObject({}, { uid: "made up", annotations: { b: "2" } }));
    expect(metadata).toMatchObject({
      uid: "real",
      annotations: { a: "1", b: "2" },
      finalizers: ["f"],
      deletionTimestamp: "t",
    });
  });
});

describe("objects of files", () => {
  const given = (kind: string, name: string, spec: JsonObject, apiVersion = "cluster.x-k8s.io/v1beta2") => ({
    apiVersion,
    kind,
    name,
    namespace: "default",
    body: { apiVersion, kind, metadata: { name }, spec },
  });
  it("get the owners and cluster labels that Cluster API would give them", async () => {
    const group = "infrastructure.cluster.x-k8s.io/v1beta1";
    const source = fileObjects([
      given("Cluster", "c", { infrastructureRef: { kind: "AzureCluster", name: "a" } }),
      given("AzureCluster", "a", {}, group),
      given("MachinePool", "p", {
        clusterName: "c",
        template: { spec: { infrastructureRef: { kind: "AzureMachinePool", name: "p" } } },
      }),
      given("AzureMachinePool", "p", {}, group),
    ]);
    const of = async (kind: string, name: string) => (await source.get({ kind, namespace: "default", name }))?.metadata;
    const label = { "cluster.x-k8s.io/cluster-name": "c" };
    expect(await of("AzureCluster", "a")).toMatchObject({
      labels: label,
      ownerReferences: [{ kind: "Cluster", name: "c" }],
    });
    expect(await of("AzureMachinePool", "p")).toMatchObject({
      labels: label,
      ownerReferences: [{ kind: "MachinePool" }],
    });
    expect(await of("Namespace", "anything")).toMatchObject({ name: "anything" });
  });

  it("have secrets in either spelling", async () => {
    const body = { data: { a: Buffer.from("one").toString("base64"), b: "eA==" }, stringData: { b: "two" } };
    const source = fileObjects([{ apiVersion: "v1", kind: "Secret", name: "s", namespace: "n", body }]);
    expect(await source.secret("n", "s")).toEqual({ a: "one", b: "two" });
    expect(await source.secret("other", "s")).toBeUndefined();
  });
});

const failing = (kind: Failure["kind"], code: string): Result<never> => ({
  ok: false,
  error: { kind, code, message: "m" },
});

describe("objects of a management cluster", () => {
  const kube = (answer: Result<never>) => ({
    get: () => Promise.resolve(answer),
    secret: () => Promise.resolve(answer),
    list: () => Promise.resolve(answer),
  });
  const key = { kind: "AzureCluster", namespace: "n", name: "x" };
  it("are absent, unreadable or forbidden: each is something else", async () => {
    const none = clusterObjects(kube(failing("gone", "NotFound")), fileObjects([]));
    expect([await none.get(key), await none.secret("n", "s")]).toEqual([undefined, undefined]);
    const down = clusterObjects(kube(failing("transient", "NoAnswer")), fileObjects([]));
    await expect(down.get(key)).rejects.toThrow(UserError);
    await expect(down.list("AzureCluster")).rejects.toThrow(/the list of AzureCluster cannot be read/);
    const forbidden = clusterObjects(kube(failing("auth", "Forbidden")), fileObjects([]));
    await expect(forbidden.secret("n", "s")).rejects.toThrow(/Secret n\/s cannot be read/);
    expect(await forbidden.list("AzureCluster")).toBeUndefined();
    expect(await forbidden.get({ kind: "Namespace", namespace: "", name: "n" })).toBeDefined();
  });
});

describe("ids that other objects want", () => {
  it("are those of every other object; of one that makes no plan nothing can be told", async () => {
    const world = createWorld();
    world.restless = "one of its clusters has no region";
    applyDefaultCluster(world);
    const source = clusterObjects(world.objects, fileObjects([]));
    const own = world.objects.find(key)!;
    const other = { ...own, metadata: { ...own.metadata, uid: "another" } };
    expect(await wantedByOthers(own, kinds, source, {})).toEqual(new Set());
    expect((await wantedByOthers(other, kinds, source, {}))?.has(idKey(group))).toBe(true);
    world.objects.edit(key, (object) => ({ ...object, spec: {} }));
    expect(await wantedByOthers(other, kinds, source, {})).toBeUndefined();
  });
});

describe("what is asked of Azure", () => {
  it.each([
    {
      when: "it passes by itself",
      answers: [failing("transient", "x"), failing("throttled", "y")],
      tries: 3,
      ok: true,
    },
    { when: "it stays", answers: Array.from({ length: 9 }, () => failing("transient", "x")), tries: 4, ok: false },
    { when: "it is refused", answers: [failing("auth", "AuthorizationFailed")], tries: 1, ok: false },
  ])("is tried again when $when", async ({ answers, tries, ok }) => {
    let asked = 0;
    const pauses: number[] = [];
    const answer = await patiently<number>(
      () => Promise.resolve(answers[asked++] ?? { ok: true, value: 1 }),
      (seconds) => Promise.resolve(pauses.push(seconds)),
    );
    expect({ ok: answer.ok, asked, pauses: pauses.length }).toEqual({ ok, asked: tries, pauses: tries - 1 });
  });
});

describe("settings", () => {
  it("are those of the function app, of which only what concerns Azure must be there", () => {
    expect(azureSettings({})).toEqual({});
    expect(azureSettings({ AZURE_SUBSCRIPTION_ID: "s", CAPSTAN_TABLES_ENDPOINT: "nonsense" })).toEqual({
      subscriptionId: "s",
    });
    const local = { CAPSTAN_DEVELOPMENT: "true", CAPSTAN_ARM_REROUTE: "http://127.0.0.1:1" };
    expect(azureSettings(local)).toEqual({ development: { armReroute: "http://127.0.0.1:1" } });
    expect(() => azureSettings({ CAPSTAN_ARM_REROUTE: "http://127.0.0.1:1" })).toThrow(/CAPSTAN_ARM_REROUTE/);
    expect(() => azureSettings({ CAPSTAN_DEVELOPMENT: "true", CAPSTAN_ARM_REROUTE: "http://evil" })).toThrow(UserError);
  });
});
