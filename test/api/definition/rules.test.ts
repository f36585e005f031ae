import { describe, expect, it } from "vitest";
import { objectSchemaOf, rulesOf } from "../../../src/api/definition/rules.ts";
import { schemaNodes } from "../../../src/api/definition/schemaNodes.ts";
import { policies } from "../../../src/api/policies/index.ts";
import { infrastructureKinds } from "../../../src/api/registry.ts";

const kinds = infrastructureKinds.map(({ kind }) => kind);

describe("schemaNodes", () => {
  it("names each place below a schema, with lists and maps on the way", () => {
    const schema = {
      required: ["a"],
      properties: {
        a: { items: { properties: { b: { type: "string" } } } },
        c: { additionalProperties: { properties: { d: { type: "string" } } } },
      },
    };
    expect(schemaNodes({ path: "spec", schema, required: true }).map(({ path, required }) => [path, required])).toEqual(
      [
        ["spec", true],
        ["spec.a", true],
        ["spec.a[]", false],
        ["spec.a[].b", false],
        ["spec.c", false],
        ["spec.c.*", false],
        ["spec.c.*.d", false],
      ],
    );
  });
});

describe("rulesOf", () => {
  it("finds limits, rules about changes and rules of policies", () => {
    expect(rulesOf("AzureCluster")).toContainEqual({
      kind: "AzureCluster",
      path: "spec.networkSpec.apiServerLB.availabilityZones",
      says: "must be without equal items",
      about: "state",
      form: "limit",
      enforcedBy: "apiServer",
      keywords: ["x-kubernetes-list-type"],
    });
    expect(rulesOf("AzureClusterIdentity")).toContainEqual(
      expect.objectContaining({ path: "spec.type", about: "change", form: "rule", enforcedBy: "apiServer" }),
    );
    expect(rulesOf("AzureMachineTemplate")).toContainEqual(
      expect.objectContaining({
        path: "spec.template.spec",
        about: "change",
        enforcedBy: "policy",
        why: expect.stringMatching(/dry run/),
      }),
    );
  });

  it.each([
    { kind: "AzureMachine", path: "spec.image", says: "must stay as it is", about: "change" },
    { kind: "AzureMachine", path: "spec.vmExtensions", says: "must be empty where", about: "state" },
    { kind: "AzureManagedMachinePool", path: "spec.name", says: "must be given where", about: "creation" },
    { kind: "AzureManagedControlPlane", path: "metadata.name", says: "must not contain microsoft", about: "creation" },
  ])("knows what $path of $kind is asked about: $about", ({ kind, path, says, about }) =>
    expect(rulesOf(kind)).toContainEqual(
      expect.objectContaining({ path, says: expect.stringContaining(says), form: "rule", about }),
    ),
  );

  it("throws for a kind of others", () => expect(() => rulesOf("Secret")).toThrow("Secret"));

  it.each(kinds)("finds each rule in the definition and the policies of %s", (kind) => {
    const written = JSON.stringify(objectSchemaOf(kind)).match(/"rule":"/g)?.length ?? 0;
    const asked = policies.filter((policy) => policy.kinds.includes(kind)).flatMap(({ rules }) => rules).length;
    const worded = rulesOf(kind).filter(({ form }) => form === "rule");
    expect(worded.filter(({ enforcedBy }) => enforcedBy === "apiServer")).toHaveLength(written);
    expect(worded.filter(({ enforcedBy }) => enforcedBy === "policy")).toHaveLength(asked);
  });

  it.each(kinds)("tells the rules of one field of %s apart by their words", (kind) => {
    const named = rulesOf(kind).map(({ path, says, about }) => `${path}: ${says} (${about})`);
    expect(named.filter((name, index) => named.indexOf(name) < index)).toEqual([]);
  });
});
