import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/core/types.ts";
import { type MemoryObjects, memoryObjects } from "../../../src/sim/memory/memoryObjects.ts";
import { kubeContract } from "../../support/contracts/kubeContract.ts";

const namespace = "team";
const keyOf = (name: string) => ({ kind: "AzureCluster", namespace, name });
const create = (kube: MemoryObjects, name: string, spec: JsonObject, labels = {}): void => {
  const apiVersion = "infrastructure.cluster.x-k8s.io/v1beta1";
  kube.put({ apiVersion, kind: "AzureCluster", metadata: { name, namespace, labels }, spec });
};

kubeContract(() => {
  const kube = memoryObjects(() => 1_700_000_000_000);
  return Promise.resolve({
    kube,
    namespace,
    create: (name, spec, labels) => Promise.resolve(create(kube, name, spec, labels)),
    edit: (name, spec) => {
      kube.edit(keyOf(name), (object) => ({ ...object, spec: { ...object.spec, ...spec } }));
      return Promise.resolve();
    },
    remove: (name) => Promise.resolve(kube.remove(keyOf(name))),
    events: () => Promise.resolve(kube.events()),
    putSecret: (name, values) => Promise.resolve(kube.putSecret(namespace, name, values)),
  });
});

describe("objects in memory", () => {
  it("tell of every change with what was there before", () => {
    const kube = memoryObjects(() => 0);
    const seen: (readonly [string | undefined, string | undefined])[] = [];
    kube.onChange(
      (after, before) => void seen.push([after?.metadata.resourceVersion, before?.metadata.resourceVersion]),
    );
    create(kube, "a", { location: "x" });
    kube.edit(keyOf("a"), (object) => ({ ...object, spec: { location: "y" } }));
    kube.edit(keyOf("a"), (object) => object);
    kube.remove(keyOf("a"));
    expect(seen).toEqual([
      ["1", undefined],
      ["2", "1"],
      [undefined, "2"],
    ]);
  });
});
