import { describe, expect, it } from "vitest";
import type { ToldEvent } from "../../../src/core/kubeEvent.ts";
import type { JsonObject, KubeObject, ObjectKey } from "../../../src/core/types.ts";
import type { Kube } from "../../../src/ports.ts";
import { must } from "./must.ts";

/** Without it the definition refuses the object. */
const identified = { identityRef: { kind: "AzureClusterIdentity", name: "identity" } };

/** An API server that serves AzureCluster, and a user of it. All objects stand in one namespace. */
export interface KubeWorld {
  readonly kube: Kube;
  readonly namespace: string;
  /** Makes an AzureCluster as a user does. */
  readonly create: (name: string, spec: JsonObject, labels?: Readonly<Record<string, string>>) => Promise<void>;
  /** Sets fields of the spec as a user does. */
  readonly edit: (name: string, spec: JsonObject) => Promise<void>;
  /** `kubectl delete`, without waiting. */
  readonly remove: (name: string) => Promise<void>;
  /** Events of the namespace. */
  readonly events: () => Promise<readonly ToldEvent[]>;
  readonly putSecret: (name: string, values: Readonly<Record<string, string>>) => Promise<void>;
}

const kind = "AzureCluster";
const gone = { ok: false, error: { kind: "gone", code: "NotFound", status: 404 } };

/**
 * What every form of the port to a management cluster has to do.
 * @param make an API server with an empty namespace
 */
export const kubeContract = (make: () => Promise<KubeWorld>): void => {
  const started = async () => {
    const world = await make();
    const key: ObjectKey = { kind, namespace: world.namespace, name: "demo" };
    await world.create("demo", { ...identified, location: "westeurope" }, { team: "blue" });
    const read = async (): Promise<KubeObject> => must(await world.kube.get(key));
    return { ...world, key, read };
  };
  const manifest = (
    { apiVersion, metadata }: KubeObject,
    metadataMore: JsonObject = {},
    more: JsonObject = {},
  ): JsonObject => ({
    apiVersion,
    kind,
    metadata: { name: metadata.name, namespace: metadata.namespace, uid: metadata.uid, ...metadataMore },
    ...more,
  });
  const status = (message: string): JsonObject => ({
    status: {
      ready: false,
      conditions: [{ type: "Ready", status: "False", lastTransitionTime: "2026-01-01T00:00:00Z", message }],
    },
  });
  const asMetadata = { fieldManager: "capstan" };
  const asSpec = { fieldManager: "capstan-spec" };
  const asStatus = { fieldManager: "capstan-status", subresource: "status" } as const;

  describe("kube contract", () => {
    it("reads an object whole", async () => {
      const { read, namespace } = await started();
      const object = await read();
      expect(object).toMatchObject({
        apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
        kind,
        metadata: { name: "demo", namespace, generation: 1, labels: { team: "blue" }, annotations: {}, finalizers: [] },
        spec: { ...identified, location: "westeurope" },
        status: {},
      });
      expect(object.metadata.uid).not.toBe("");
      expect(object.metadata.deletionTimestamp).toBeUndefined();
    });

    it("says gone only of what is missing itself", async () => {
      const { kube, key } = await started();
      expect(await kube.get({ ...key, name: "other" })).toMatchObject(gone);
      expect(await kube.secret(key.namespace, "other")).toMatchObject(gone);
    });

    it("writes metadata and spec, each under its own manager, and keeps the user's", async () => {
      const { kube, read } = await started();
      const before = await read();
      const claimed = must(
        await kube.apply(manifest(before, { finalizers: ["a.example/b"], annotations: { c: "d" } }), asMetadata),
      );
      expect(claimed.metadata).toMatchObject({
        finalizers: ["a.example/b"],
        annotations: { c: "d" },
        labels: { team: "blue" },
      });
      expect(claimed.metadata.generation).toBe(1);
      const controlPlaneEndpoint = { host: "x.example", port: 6443 };
      const told = must(await kube.apply(manifest(before, {}, { spec: { controlPlaneEndpoint } }), asSpec));
      expect(told.spec).toMatchObject({ location: "westeurope", controlPlaneEndpoint });
      expect(told.metadata).toMatchObject({ generation: 2, finalizers: ["a.example/b"] });
      expect(await read()).toEqual(told);
    });

    it("takes back what it no longer says, and only that", async () => {
      const { kube, read } = await started();
      const before = await read();
      must(await kube.apply(manifest(before, { finalizers: ["a.example/b"], annotations: { c: "d" } }), asMetadata));
      const after = must(await kube.apply(manifest(before, { annotations: { c: "d" } }), asMetadata));
      expect(after.metadata).toMatchObject({ finalizers: [], annotations: { c: "d" }, labels: { team: "blue" } });
      expect(after.spec).toEqual(before.spec);
    });

    it("does not move the version of an object by saying the same again", async () => {
      const { kube, read } = await started();
      const before = await read();
      const claim = manifest(before, { finalizers: ["a.example/b"] });
      const first = must(await kube.apply(claim, asMetadata));
      const second = must(await kube.apply(claim, asMetadata));
      expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    });

    it("writes status beside everything else", async () => {
      const { kube, read } = await started();
      const before = await read();
      const told = must(await kube.apply(manifest(before, {}, status("one")), asStatus));
      expect(told.status).toEqual(status("one")["status"]);
      expect(told.metadata.generation).toBe(1);
      const { status: shorter, ...rest } = must(
        await kube.apply(manifest(before, {}, { status: { ready: true } }), asStatus),
      );
      expect(shorter).toEqual({ ready: true });
      expect(rest.spec).toEqual(before.spec);
    });

    it("takes entries of a map out of a status that no longer names them, and the map with the last", async () => {
      const { kube, read } = await started();
      const zones = (...names: readonly string[]): JsonObject => ({
        failureDomains: Object.fromEntries(names.map((zone) => [zone, { controlPlane: true }])),
      });
      for (const names of [["1", "2", "3"], ["1", "2"], ["2"], ["1", "2", "4"]]) {
        must(await kube.apply(manifest(await read(), {}, { status: zones(...names) }), asStatus));
        expect((await read()).status).toEqual(zones(...names));
      }
      must(await kube.apply(manifest(await read(), {}, { status: { ready: true } }), asStatus));
      expect((await read()).status).toEqual({ ready: true });
    });

    it("refuses a write over a version that is not the last", async () => {
      const { kube, read, edit } = await started();
      const before = await read();
      await edit("demo", { additionalTags: { by: "a user" } });
      const { resourceVersion } = before.metadata;
      const stale = manifest(before, { resourceVersion }, status("stale"));
      expect(await kube.apply(stale, asStatus)).toMatchObject({ ok: false, error: { kind: "conflict", status: 409 } });
      const fresh = await read();
      const again = manifest(before, { resourceVersion: fresh.metadata.resourceVersion }, status("fresh"));
      expect(await kube.apply(again, asStatus)).toMatchObject({ ok: true });
    });

    it("never makes a deleted object anew", async () => {
      const { kube, key, read, remove } = await started();
      const before = await read();
      await remove("demo");
      expect(await kube.get(key)).toMatchObject(gone);
      expect(await kube.apply(manifest(before, { annotations: { c: "d" } }), asMetadata)).toMatchObject({
        ok: false,
        error: { kind: "conflict", status: 409 },
      });
      expect(await kube.apply(manifest(before, {}, status("late")), asStatus)).toMatchObject(gone);
      expect(await kube.get(key)).toMatchObject(gone);
    });

    it("does not take another object for the one that is meant", async () => {
      const { kube, read, remove, create } = await started();
      const before = await read();
      await remove("demo");
      await create("demo", { ...identified, location: "northeurope" });
      const otherObject = { ok: false, error: { kind: "conflict" } };
      expect(await kube.apply(manifest(before, { annotations: { c: "d" } }), asMetadata)).toMatchObject(otherObject);
      // The uid alone does not guard a status, its version does.
      const { resourceVersion } = before.metadata;
      expect(await kube.apply(manifest(before, { resourceVersion }, status("x")), asStatus)).toMatchObject(otherObject);
      expect((await read()).status).toEqual({});
      expect((await read()).metadata.annotations).toEqual({});
    });

    it("keeps a deleted object until its finalizer is off", async () => {
      const { kube, key, read, remove } = await started();
      const before = await read();
      must(await kube.apply(manifest(before, { finalizers: ["a.example/b"] }), asMetadata));
      await remove("demo");
      expect((await read()).metadata.deletionTimestamp).toEqual(expect.any(String));
      must(await kube.apply(manifest(before), asMetadata));
      expect(await kube.get(key)).toMatchObject(gone);
    });

    it("drops one finalizer, whoever set it, and only from the object that is meant", async () => {
      const { kube, key, read, remove } = await started();
      const before = await read();
      const { uid } = before.metadata;
      must(await kube.apply(manifest(before, { finalizers: ["a.example/b", "c.example/d"] }), asMetadata));
      must(await kube.apply(manifest(before, { finalizers: ["a.example/b"] }), { fieldManager: "another" }));
      must(await kube.dropFinalizer(key, "another-uid", "a.example/b"));
      expect((await read()).metadata.finalizers.toSorted()).toEqual(["a.example/b", "c.example/d"]);
      must(await kube.dropFinalizer(key, uid, "a.example/b"));
      must(await kube.dropFinalizer(key, uid, "not.example/there"));
      expect((await read()).metadata.finalizers).toEqual(["c.example/d"]);
      await remove("demo");
      must(await kube.dropFinalizer(key, uid, "c.example/d"));
      expect(await kube.get(key)).toMatchObject(gone);
      expect(await kube.dropFinalizer(key, uid, "c.example/d")).toMatchObject(gone);
    });

    it("lists a kind whole and by metadata", async () => {
      const { kube, create, namespace, read } = await started();
      await create("second", { ...identified, location: "northeurope" });
      const ours = <T extends Pick<KubeObject, "metadata">>(objects: readonly T[]): readonly T[] =>
        objects.filter(({ metadata }) => metadata.namespace === namespace);
      const all = ours(must(await kube.list(kind)));
      expect(new Set(all.map(({ metadata }) => metadata.name))).toEqual(new Set(["demo", "second"]));
      // Who set which fields is told of an object that is read alone.
      const { managedFields: _managers, ...metadata } = (await read()).metadata;
      const whole = { ...(await read()), metadata };
      expect(all).toContainEqual(whole);
      const { spec: _, status: _status, ...bare } = whole;
      const found = ours(must(await kube.listMetadata(kind)));
      expect(found.find(({ metadata }) => metadata.name === "demo")).toMatchObject(bare);
    });

    it("lists what happened to an object, the same of the same counted", async () => {
      const { kube, read, events, namespace } = await started();
      const object = await read();
      const lost = {
        type: "Warning",
        reason: "OwnershipLost",
        about: "/a",
        message: "first",
        atMs: 1_767_225_600_123,
      } as const;
      must(await kube.event(object, lost));
      must(await kube.event(object, { ...lost, message: "x".repeat(2_000), atMs: lost.atMs + 60_000 }));
      must(await kube.event(object, { ...lost, about: "/b", message: "another" }));
      const found = (await events()).toSorted((one, other) => other.count - one.count);
      const { name, uid } = object.metadata;
      const involvedObject = { apiVersion: object.apiVersion, kind, namespace, name, uid };
      expect(found).toMatchObject([
        {
          involvedObject,
          type: "Warning",
          reason: "OwnershipLost",
          count: 2,
          firstTimestamp: "2026-01-01T00:00:00Z",
          lastTimestamp: "2026-01-01T00:01:00Z",
        },
        { involvedObject, reason: "OwnershipLost", message: "another", count: 1 },
      ]);
      expect(found[0]?.message.length).toBeLessThanOrEqual(1_024);
      expect(await read()).toEqual(object);
    });

    it("decodes secrets", async () => {
      const { kube, putSecret, namespace } = await started();
      await putSecret("credentials", { clientSecret: "ä€😀\n", empty: "" });
      const read = must(await kube.secret(namespace, "credentials"));
      expect(read.values).toEqual({ clientSecret: "ä€😀\n", empty: "" });
      expect(read.version).not.toBe("");
    });

    it("tells versions of a secret apart", async () => {
      const { kube, putSecret, namespace } = await started();
      await putSecret("renewed", { clientSecret: "old" });
      const old = must(await kube.secret(namespace, "renewed"));
      expect(must(await kube.secret(namespace, "renewed")).version).toBe(old.version);
      await putSecret("renewed", { clientSecret: "new" });
      expect(must(await kube.secret(namespace, "renewed")).version).not.toBe(old.version);
    });
  });
};
