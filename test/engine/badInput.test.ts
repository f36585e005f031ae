import { describe, expect, it } from "vitest";
import type { JsonObject, KubeObject, ObjectKey } from "../../src/core/types.ts";
import { handle } from "../../src/engine/handle.ts";
import { partitionOf } from "../../src/engine/ledger.ts";
import { doorbellOfC1 } from "../support/doorbellOfC1.ts";
import { applyDefaultCluster, clusterUid, conditionsOf, createWorld, type World } from "../support/world.ts";

const subscription = "00000000-0000-4000-8000-000000000001";
const clientId = "00000000-0000-4000-8000-0000000000bb";
const identityKey: ObjectKey = { kind: "AzureClusterIdentity", namespace: "default", name: "sp" };

const withSpec = (object: KubeObject, change: JsonObject): KubeObject => ({
  ...object,
  spec: { ...object.spec, ...change },
});
const subnets = (controlPlane: string, node: string): JsonObject => ({
  networkSpec: {
    vnet: { name: "c1-vnet" },
    subnets: [
      { name: "control-plane-subnet", role: "control-plane", cidrBlocks: [controlPlane] },
      { name: "node-subnet", role: "node", cidrBlocks: [node] },
    ],
  },
});

/** Applies the default cluster, spoils it before anything ran, and lets it run. */
const spoiled = async (
  spoil: (world: World, key: ObjectKey) => void,
  options = {},
): Promise<{ readonly world: World; readonly key: ObjectKey }> => {
  const world = createWorld(options);
  const key = applyDefaultCluster(world);
  spoil(world, key);
  await world.run();
  return { world, key };
};

describe("a spec that cannot work gets a condition that names the thing, and nothing is written to Azure", () => {
  it.each([
    {
      when: "subnets overlap",
      change: subnets("10.0.0.0/16", "10.0.128.0/17"),
      says: /spec\.networkSpec\.subnets.*10\.0\.128\.0\/17/,
    },
    {
      when: "a subnet lies outside the network",
      change: subnets("192.168.0.0/16", "10.1.0.0/16"),
      says: /192\.168\.0\.0\/16/,
    },
    { when: "a range is none", change: subnets("10.0.0.0/99", "10.1.0.0/16"), says: /10\.0\.0\.0\/99/ },
    {
      when: "the cloud is unknown",
      change: { azureEnvironment: "AzureMoonCloud" },
      says: /spec\.azureEnvironment.*AzureMoonCloud/,
    },
    { when: "the location is a number", change: { location: 7 }, says: /spec\.location/ },
    { when: "no identity is named", change: { identityRef: {} }, says: /spec\.identityRef/ },
    {
      when: "it was stored before its definition had a rule about it",
      change: { networkSpec: { vnet: { name: "c1-vnet" }, apiServerLB: { idleTimeoutInMinutes: 31 } } },
      says: /^spec\.networkSpec\.apiServerLB\.idleTimeoutInMinutes: 31 must be from 4 to 30$/,
    },
  ])("$when", async ({ change, says }) => {
    const { world, key } = await spoiled(
      ({ objects }, it) => void objects.edit(it, (object) => withSpec(object, change)),
    );
    const { SpecValid, NetworkInfrastructureReady, Ready } = conditionsOf(world.objects.find(key));
    expect(SpecValid).toMatchObject({ status: "False", severity: "Error", reason: "InvalidConfiguration" });
    expect(SpecValid?.message).toMatch(says);
    expect(Ready).toEqual({ ...SpecValid, type: "Ready" });
    expect(NetworkInfrastructureReady).toMatchObject({ status: "False", severity: "Info", reason: "SpecNotValid" });
    expect(world.writes()).toEqual([]);
    expect(world.objects.find(key)?.metadata.finalizers).toEqual([]);
  });

  it("tells all problems at once, whatever kind they are of", async () => {
    const { world, key } = await spoiled(
      ({ objects }, it) =>
        void objects.edit(it, (object) =>
          withSpec(object, { ...subnets("10.0.0.0/99", "10.1.0.0/16"), location: "", identityRef: {} }),
        ),
    );
    const message = conditionsOf(world.objects.find(key))["SpecValid"]?.message ?? "";
    for (const part of ["spec.location", "10.0.0.0/99", "spec.identityRef"]) expect(message).toContain(part);
  });

  it("leaves a cluster that stands as it is, and says so", async () => {
    const world = createWorld();
    const key = applyDefaultCluster(world);
    await world.run();
    const before = world.writes().length;
    const good = world.objects.find(key)?.spec ?? {};
    expect(conditionsOf(world.objects.find(key))["SpecValid"]).toMatchObject({ status: "True" });
    world.objects.edit(key, (object) => withSpec(object, subnets("10.0.0.0/16", "10.0.128.0/17")));
    await world.run();
    const broken = conditionsOf(world.objects.find(key));
    expect(broken["SpecValid"]).toMatchObject({ status: "False", severity: "Error" });
    expect(broken["Ready"]).toMatchObject({ status: "False", message: broken["SpecValid"]?.message });
    expect(broken["NetworkInfrastructureReady"]).toMatchObject({ status: "True" });
    expect(world.objects.find(key)?.status["ready"]).toBe(true);
    world.objects.edit(key, (object) => ({ ...object, spec: good }));
    await world.run();
    expect(conditionsOf(world.objects.find(key))["Ready"]).toMatchObject({ status: "True" });
    expect(world.writes().length).toBe(before);
  });

  it("is known to be valid though its identity is missing", async () => {
    const { world, key } = await spoiled(({ objects }, it) => {
      objects.remove(identityKey);
      objects.edit(it, (object) => withSpec(object, { location: "" }));
    });
    expect(conditionsOf(world.objects.find(key))["SpecValid"]).toMatchObject({ status: "False" });
    world.objects.edit(key, (object) => withSpec(object, { location: "eastus" }));
    await world.run();
    const { SpecValid, NetworkInfrastructureReady } = conditionsOf(world.objects.find(key));
    expect(SpecValid).toMatchObject({ status: "True" });
    expect(NetworkInfrastructureReady).toMatchObject({ reason: "IdentityNotFound" });
  });

  it("goes away all the same", async () => {
    const world = createWorld();
    const key = applyDefaultCluster(world);
    await world.run();
    world.objects.edit(key, (object) => withSpec(object, { networkSpec: { subnets: 7 } }));
    await world.run();
    expect(conditionsOf(world.objects.find(key))["SpecValid"]).toMatchObject({ status: "False" });
    world.objects.remove(key);
    await world.run(3_600_000);
    expect(world.objects.find(key)).toBeUndefined();
  });

  it("heals when the spec is mended", async () => {
    const { world, key } = await spoiled(
      ({ objects }, it) => void objects.edit(it, (object) => withSpec(object, { location: "" })),
    );
    world.objects.edit(key, (object) => withSpec(object, { location: "eastus" }));
    await world.run();
    expect(conditionsOf(world.objects.find(key))["Ready"]).toMatchObject({ status: "True" });
  });
});

describe("what is missing or forbidden around the object", () => {
  it("an identity that does not exist", async () => {
    const { world, key } = await spoiled(({ objects }) => objects.remove(identityKey));
    expect(conditionsOf(world.objects.find(key))["NetworkInfrastructureReady"]).toMatchObject({
      reason: "IdentityNotFound",
      message: expect.stringContaining("default/sp"),
    });
    applyDefaultCluster(world);
    await world.run();
    expect(conditionsOf(world.objects.find(key))["Ready"]).toMatchObject({ status: "True" });
  });

  it("a secret without its key", async () => {
    const { world, key } = await spoiled(({ objects }) => objects.putSecret("default", "sp-secret", { other: "hush" }));
    const condition = conditionsOf(world.objects.find(key))["NetworkInfrastructureReady"];
    expect(condition).toMatchObject({
      reason: "IdentitySecretNotFound",
      message: expect.stringContaining("sp-secret"),
    });
    expect(JSON.stringify([world.logs, world.objects.find(key)])).not.toContain("hush");
  });

  it("a namespace that the identity does not allow", async () => {
    const { world, key } = await spoiled(
      ({ objects }) =>
        void objects.edit(identityKey, (object) => withSpec(object, { allowedNamespaces: { list: ["other"] } })),
    );
    expect(conditionsOf(world.objects.find(key))["NetworkInfrastructureReady"]).toMatchObject({
      reason: "NamespaceNotAllowedByIdentity",
    });
    expect(world.requests()).toEqual([]);
  });

  it("a subscription that the identity may not use", async () => {
    const { world, key } = await spoiled(() => undefined, { denied: [{ identity: clientId, subscription }] });
    const ready = conditionsOf(world.objects.find(key))["Ready"];
    expect(ready).toMatchObject({ status: "False", message: expect.stringContaining("AuthorizationFailed") });
    const tries = world.requests().length;
    await world.run(3_600_000);
    expect(world.requests().length - tries).toBeLessThan(20);
  });

  it("a location that does not exist", async () => {
    const { world, key } = await spoiled(
      ({ objects }, it) => void objects.edit(it, (object) => withSpec(object, { location: "atlantis" })),
    );
    expect(conditionsOf(world.objects.find(key))["Ready"]).toMatchObject({
      status: "False",
      message: expect.stringContaining("atlantis"),
    });
  });

  it("no owner yet", async () => {
    const { world, key } = await spoiled(
      ({ objects }, it) =>
        void objects.edit(it, (object) => ({ ...object, metadata: { ...object.metadata, ownerReferences: [] } })),
    );
    expect(conditionsOf(world.objects.find(key))["NetworkInfrastructureReady"]).toMatchObject({
      reason: "OwnerRefNotSet",
      severity: "Info",
    });
  });
});

describe("a message that cannot be handled is parked with its reason, and completed", () => {
  const failedBodies = (world: World): readonly JsonObject[] =>
    world.queue.failed.peek(world.clock.nowMs(), 0, 10).map(({ body }) => body as JsonObject);

  it.each([
    { when: "it is no JSON", body: "{ not json", reason: /InvalidMessage|Unreadable|Malformed/i },
    { when: "it is of another version", body: { v: 2, kind: "AzureCluster" }, reason: /version/i },
    { when: "it is a list", body: [1, 2], reason: /./ },
  ])("$when", async ({ body, reason }) => {
    const world = createWorld();
    await handle({ body, messageId: "m1" }, world.deps);
    const [parked] = failedBodies(world);
    expect(JSON.stringify([parked?.["reason"], parked?.["message"]])).toMatch(reason);
  });

  it("it names a cluster or a kind that is not served", async () => {
    const world = createWorld();
    await handle({ body: { ...doorbellOfC1, cluster: "elsewhere" }, messageId: "m1" }, world.deps);
    await handle({ body: { ...doorbellOfC1, kind: "AzureThing" }, messageId: "m2" }, world.deps);
    expect(failedBodies(world).map(({ reason }) => reason)).toEqual(["UnknownCluster", "UnknownKind"]);
  });

  it("its row was written by a newer release: nothing is overwritten", async () => {
    const world = createWorld();
    const key = applyDefaultCluster(world);
    const partition = partitionOf(clusterUid, key);
    await world.deps.tables.commit("state", partition, [{ kind: "insert", row: "object", values: { v: 99 } }]);
    await world.run();
    expect(failedBodies(world)).toEqual([]);
    expect(world.tables.rows("state").map(({ values }) => values["v"])).toEqual([99]);
    expect(world.writes()).toEqual([]);
  });
});
