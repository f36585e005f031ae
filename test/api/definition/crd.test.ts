import { describe, expect, it } from "vitest";
import { crd } from "../../../src/api/definition/crd.ts";
import { valueAt } from "../../../src/api/json.ts";
import { infrastructureKinds, kindEntry } from "../../../src/api/registry.ts";

const of = (kind: string) => crd(kindEntry(kind)!);

describe.each(infrastructureKinds.map((entry) => entry.kind))("the definition of %s", (kind) => {
  it("is what clusterctl and Cluster API look for", () => {
    const { metadata, spec } = of(kind);
    expect(metadata.name).toBe(`${kindEntry(kind)!.plural}.infrastructure.cluster.x-k8s.io`);
    expect(metadata.labels).toMatchObject({ "cluster.x-k8s.io/v1beta1": "v1beta1", "clusterctl.cluster.x-k8s.io": "" });
    expect(spec).toMatchObject({
      scope: "Namespaced",
      names: { listKind: `${kind}List`, singular: kind.toLowerCase() },
    });
  });
  it("writes its status where the registry says", () => {
    const version = (of(kind).spec["versions"] as readonly object[])[0];
    expect("subresources" in version!).toBe(kindEntry(kind)!.statusSubresource);
  });
});

describe("the schema", () => {
  const schemaOf = (kind: string, ...path: readonly string[]) =>
    valueAt((of(kind).spec["versions"] as never)[0], "schema", "openAPIV3Schema", "properties", ...path);

  it("describes a kind that is reconciled", () => {
    expect(schemaOf("AzureCluster", "spec")).toMatchObject({ type: "object", required: ["location"] });
    expect(schemaOf("AzureCluster", "spec")).not.toHaveProperty("x-kubernetes-preserve-unknown-fields");
    expect(schemaOf("AzureCluster", "status", "properties", "ready")).toMatchObject({ type: "boolean" });
  });
  it("shows no status of a kind that is only copied from", () =>
    expect(schemaOf("AzureClusterTemplate", "status")).toBeUndefined());
  it("is missing for a kind of others", () => expect(() => of("Cluster")).toThrow("Cluster is registered"));
});
