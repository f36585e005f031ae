import { describe, expect, it } from "vitest";
import type { JsonObject, KubeObject } from "../../src/core/types.ts";
import { key, settledCluster, withSource } from "../support/defaultCluster.ts";
import { addIdentity, finalizersOf, finalizersOn, first, withFinalizers } from "../support/identity/heldIdentities.ts";
import { day, hour, minute, pass, resyncTick } from "../support/timers.ts";
import { ready } from "../support/turns.ts";
import { applyDefaultCluster, conditionsOf, createWorld, type World } from "../support/world.ts";

const namespaceKey = { kind: "Namespace", namespace: "", name: "default" };
const network = (world: World) => conditionsOf(world.objects.find(key))["NetworkInfrastructureReady"];
const allow = (world: World, allowedNamespaces: JsonObject | undefined): void =>
  void world.objects.edit(first, (object) => {
    const { allowedNamespaces: _, ...spec } = object.spec;
    return { ...object, spec: { ...spec, ...(allowedNamespaces !== undefined && { allowedNamespaces }) } };
  });
const label = (world: World, labels: Readonly<Record<string, string>>): void =>
  void world.objects.edit(namespaceKey, (object) => ({ ...object, metadata: { ...object.metadata, labels } }));
const byTeam: JsonObject = { selector: { matchLabels: { team: "blue" } } };
const notAllowed = { status: "False", reason: "NamespaceNotAllowedByIdentity" };

describe("a right to an identity that is taken back", () => {
  it.each([{ list: ["other"] }, { list: [] }, { selector: {} }, byTeam, undefined])(
    "as %j keeps anything from being changed, and is said; given back, all goes on at once",
    async (allowed) => {
      const world = await settledCluster();
      const before = world.requests().length;
      allow(world, allowed);
      world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
      await pass(world, 10 * minute);
      expect(network(world)).toMatchObject(notAllowed);
      expect(ready(world)).toMatchObject({ status: "False" });
      expect(world.requests()).toHaveLength(before);
      allow(world, {});
      await pass(world, minute);
      expect(ready(world)).toMatchObject({ status: "True" });
    },
  );

  it("is no hindrance to the deletion of what was made with it", async () => {
    const world = await settledCluster();
    allow(world, { list: ["other"] });
    await pass(world, minute);
    world.objects.remove(key);
    await pass(world, hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(world.arm.resources.size).toBe(0);
    expect(finalizersOn(world, first)).toEqual([]);
  });

  it("also of one that upstream made sure of, by the former spelling", async () => {
    const world = await settledCluster();
    const { former } = finalizersOf();
    world.objects.edit(first, (object) => withFinalizers(object, [former]));
    allow(world, { list: ["other"] });
    world.objects.remove(key);
    await pass(world, hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(finalizersOn(world, first)).toEqual([]);
  });

  it("does not let anybody delete with an identity that was never theirs: that says why it waits", async () => {
    const world = createWorld();
    world.restless = "the deletion waits for a right";
    applyDefaultCluster(world);
    allow(world, { list: ["other"] });
    world.objects.edit(key, (object) => withFinalizers(object, ["azurecluster.infrastructure.cluster.x-k8s.io"]));
    world.objects.remove(key);
    await pass(world, 10 * minute);
    expect(world.requests()).toEqual([]);
    expect(network(world)).toMatchObject({ status: "False", reason: "DeleteBlocked" });
    expect(network(world)?.message).toContain("spec.allowedNamespaces does not include default");
  });

  it("not even by another object whose finalizer is spelt the same", async () => {
    const world = createWorld();
    world.restless = "the deletion waits for a right";
    const named = applyDefaultCluster(world, "a-b");
    await world.run(hour);
    const { objects } = world;
    const thief = { kind: named.kind, namespace: "default-a", name: "b" };
    const { apiVersion, spec } = objects.find(named)!;
    objects.put({ apiVersion: "v1", kind: "Namespace", metadata: { name: thief.namespace } });
    const before = world.requests().length;
    objects.put({
      apiVersion,
      kind: thief.kind,
      metadata: {
        ...thief,
        finalizers: ["azurecluster.infrastructure.cluster.x-k8s.io"],
        ownerReferences: [{ apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", name: "a-b", uid: "stolen" }],
      },
      spec: { ...spec, identityRef: { kind: first.kind, namespace: "default", name: "sp" } },
    });
    allow(world, { list: ["default"] });
    objects.remove(thief);
    await pass(world, 10 * minute);
    expect(world.requests()).toHaveLength(before);
    expect(objects.find(thief)).toBeDefined();
    expect(conditionsOf(objects.find(thief))["NetworkInfrastructureReady"]).toMatchObject({ reason: "DeleteBlocked" });
  });
});

// Nothing announces the labels of a Namespace: the watcher has no access to it.
describe("labels of a Namespace", () => {
  it("that let an object in are found within as long again as it has waited, ten minutes at most", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    allow(world, byTeam);
    await pass(world, 3 * hour);
    expect(network(world)).toMatchObject(notAllowed);
    label(world, { team: "blue" });
    await pass(world, 10 * minute);
    expect(ready(world)).toMatchObject({ status: "True" });
  });

  it("that no longer do are found by the hourly listing", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    allow(world, byTeam);
    label(world, { team: "blue" });
    await pass(world, hour);
    expect(ready(world)).toMatchObject({ status: "True" });
    label(world, {});
    for (let ticks = 0; ticks < 24; ticks += 1) {
      await resyncTick(world);
      await pass(world, 5 * minute);
    }
    expect(network(world)).toMatchObject(notAllowed);
  });
});

describe("an identity that was forced away and comes back", () => {
  it.each(["applied", "deleted"])("blocks what is %s until then, and says so", async (how) => {
    const world = await settledCluster();
    const { apiVersion, kind, metadata, spec } = world.objects.find(first) as KubeObject;
    world.objects.edit(first, (object) => withFinalizers(object, []));
    world.objects.remove(first);
    if (how === "deleted") world.objects.remove(key);
    await pass(world, hour);
    expect(network(world)?.message).toContain("AzureClusterIdentity default/sp does not exist");
    expect(network(world)?.reason).toBe(how === "deleted" ? "DeleteBlocked" : "IdentityNotFound");
    world.objects.put({ apiVersion, kind, metadata: { namespace: metadata.namespace, name: metadata.name }, spec });
    await pass(world, minute);
    if (how === "deleted") expect(world.objects.find(key)).toBeUndefined();
    else expect(ready(world)).toMatchObject({ status: "True" });
  });
});

describe("a secret that is missing or wrong", () => {
  it("is told, and found again within ten minutes however long it was away", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    world.objects.putSecret("default", "sp-secret", { clientsecret: "misspelt" });
    await pass(world, day);
    expect(network(world)).toMatchObject({ reason: "IdentitySecretNotFound" });
    expect(network(world)?.message).toContain("secret sp-secret must exist and have the key clientSecret");
    world.objects.putSecret("default", "sp-secret", { clientSecret: "s3cret" });
    await pass(world, 10 * minute);
    expect(ready(world)).toMatchObject({ status: "True" });
    expect(JSON.stringify([world.logs, world.objects.find(key), world.objects.events()])).not.toContain("misspelt");
  });

  it("heals at once when the identity names another one", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    world.objects.edit(first, (object) => ({ ...object, spec: { ...object.spec, clientSecret: { name: "gone" } } }));
    await pass(world, day);
    expect(network(world)).toMatchObject({ reason: "IdentitySecretNotFound" });
    world.objects.edit(first, (object) => ({
      ...object,
      spec: { ...object.spec, clientSecret: { name: "sp-secret", namespace: "" } },
    }));
    await pass(world, minute);
    expect(ready(world)).toMatchObject({ status: "True" });
  });

  it("heals at once when the object names another identity", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    addIdentity(world, { ...first, name: "good" });
    world.objects.edit(first, (object) => ({ ...object, spec: { ...object.spec, clientSecret: { name: "gone" } } }));
    await pass(world, hour);
    world.objects.edit(key, (object) => ({
      ...object,
      spec: { ...object.spec, identityRef: { kind: first.kind, name: "good" } },
    }));
    await pass(world, minute);
    expect(ready(world)).toMatchObject({ status: "True" });
  });
});
