import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha224 } from "../../src/core/hash.ts";
import { identityFinalizers, namesakesOf } from "../../src/core/identityFinalizer.ts";

const cluster = (namespace: string, name: string) => ({ kind: "AzureCluster", namespace, name });

// Fact sheet 9.2.
describe("the finalizer of an identity", () => {
  it("is named by the hash of the cluster, and was by its name", () =>
    expect(identityFinalizers(cluster("default", "my-cluster"))).toEqual({
      current: "azurecluster.infrastructure.cluster.x-k8s.io/aef4d1943ba7de2a3172b3f464fbdf6c3704309cd7e151dec01836cc",
      former: "azurecluster.infrastructure.cluster.x-k8s.io/default-my-cluster",
    }));
  it("begins with that of the kind", () =>
    expect(identityFinalizers({ ...cluster("n", "c"), kind: "AzureManagedControlPlane" })?.current).toMatch(
      /^azuremanagedcontrolplane\.infrastructure\.cluster\.x-k8s\.io\/[0-9a-f]{56}$/,
    ));
  it.each(["AzureMachine", "AzureMachinePool", "AzureManagedMachinePool", "AzureManagedCluster", "Cluster"])(
    "is not set by a %s, whose identity another object names",
    (kind) => expect(identityFinalizers({ ...cluster("n", "c"), kind })).toBeUndefined(),
  );
  it("is hashed as everybody does", () =>
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
        expect(sha224(text)).toBe(createHash("sha224").update(text).digest("hex"));
      }),
    ));
});

describe("objects with the same finalizer", () => {
  it.each([
    { key: cluster("a", "b"), others: [] },
    { key: cluster("a", "b-c"), others: [cluster("a-b", "c")] },
    { key: cluster("a-b", "c"), others: [cluster("a", "b-c")] },
    { key: cluster("a", "b--c"), others: [cluster("a-b-", "c")].slice(1) },
    { key: cluster("a", "b.c-d"), others: [] },
    { key: cluster("x-y", "z-1"), others: [cluster("x", "y-z-1"), cluster("x-y-z", "1")] },
  ])("$key.namespace/$key.name: $others.length", ({ key, others }) => expect(namesakesOf(key)).toEqual(others));

  it("are exactly those that hash to the same", () => {
    const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?$/);
    fc.assert(
      fc.property(label, label, (namespace, name) => {
        const key = cluster(namespace, name);
        for (const other of namesakesOf(key)) {
          expect(other).not.toEqual(key);
          expect(identityFinalizers(other)).toEqual(identityFinalizers(key));
          expect(namesakesOf(other)).toContainEqual(key);
        }
      }),
    );
  });
});
