import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkedKind } from "../../../src/api/check/checkedKind.ts";
import { nodeOfField, type SchemaNode } from "../../../src/api/check/schemaNode.ts";
import { storedForm } from "../../../src/api/check/storedForm.ts";
import { isObject } from "../../../src/api/json.ts";
import { infrastructureKinds } from "../../../src/api/registry.ts";
import type { Json, JsonObject } from "../../../src/core/types.ts";
import { aValue } from "./objectArbitrary.ts";

const stored = (kind: string, spec: JsonObject) => storedForm(kind, { spec }).object["spec"];

describe("the stored form", () => {
  it.each<{ readonly what: string; readonly kind: string; readonly spec: JsonObject; readonly as: JsonObject }>([
    {
      what: "has defaults",
      kind: "AzureCluster",
      spec: { location: "a" },
      as: { location: "a", controlPlaneEnabled: true },
    },
    {
      what: "has defaults in items of lists",
      kind: "AzureCluster",
      spec: {
        networkSpec: {
          subnets: [{ name: "a", securityGroup: { name: "b", securityRules: [{ name: "c", action: null }] } }],
        },
      },
      as: {
        controlPlaneEnabled: true,
        networkSpec: {
          subnets: [{ name: "a", securityGroup: { name: "b", securityRules: [{ name: "c", action: "Allow" }] } }],
        },
      },
    },
    {
      what: "keeps what is set",
      kind: "AzureCluster",
      spec: { controlPlaneEnabled: false },
      as: { controlPlaneEnabled: false },
    },
    {
      what: "has a default for null",
      kind: "AzureCluster",
      spec: { controlPlaneEnabled: null },
      as: { controlPlaneEnabled: true },
    },
    {
      what: "has no null without a default",
      kind: "AzureCluster",
      spec: { location: null, additionalTags: { a: null, b: "" }, networkSpec: { subnets: [null] } },
      as: { controlPlaneEnabled: true, additionalTags: { b: "" }, networkSpec: { subnets: [null] } },
    },
    {
      what: "keeps wrong types",
      kind: "AzureCluster",
      spec: { location: [1], networkSpec: "a" },
      as: { location: [1], networkSpec: "a", controlPlaneEnabled: true },
    },
    {
      what: "keeps all where all is allowed",
      kind: "AzureASOManagedCluster",
      spec: { resources: [{ any: { thing: null } }] },
      as: { resources: [{ any: { thing: null } }] },
    },
  ])("$what", ({ kind, spec, as }) => expect(stored(kind, spec)).toEqual(as));

  it("lists what no schema knows", () => {
    const { object, unknown } = storedForm("AzureCluster", {
      apiVersion: "v",
      kind: "AzureCluster",
      metadata: { name: "a", nam: 1 },
      spec: { location: "a", loc: 1, networkSpec: { subnets: [{ name: "a", nme: 2 }] }, controlPlaneEnabled: true },
      data: {},
    });
    expect(unknown).toEqual(["metadata.nam", "spec.loc", "spec.networkSpec.subnets[0].nme", "data"]);
    expect(object).toEqual({
      apiVersion: "v",
      kind: "AzureCluster",
      metadata: { name: "a" },
      spec: { location: "a", networkSpec: { subnets: [{ name: "a" }] }, controlPlaneEnabled: true },
    });
  });
  it("is the object itself for other kinds", () => {
    const object = { kind: "Cluster", spec: { a: null } };
    expect(storedForm("Cluster", object)).toEqual({ object, unknown: [] });
  });
});

/** All that is set in fields that the schema knows, with its path. */
const leavesOf = (node: SchemaNode | undefined, value: Json, path = ""): readonly string[] => {
  if (Array.isArray(value))
    return [path, ...value.flatMap((item: Json, i) => leavesOf(node?.items, item, `${path}/${i}`))];
  if (isObject(value))
    return [
      path,
      ...Object.entries(value)
        .filter(([name]) => node?.open === true || nodeOfField(node, name) !== undefined)
        .flatMap(([name, inner]) => leavesOf(nodeOfField(node, name) ?? node, inner, `${path}/${name}`)),
    ];
  return value === null ? [] : [`${path} = ${JSON.stringify(value)}`];
};

describe.each(infrastructureKinds.map((entry) => entry.kind))("the stored form of %s", (kind) => {
  const spec = checkedKind(kind)!.root.properties.get("spec")!;
  it("is its own stored form, and has every field as it was set", () =>
    fc.assert(
      fc.property(aValue(spec, []), (given) => {
        const once = storedForm(kind, { spec: given });
        expect(storedForm(kind, once.object)).toEqual({ object: once.object, unknown: [] });
        const kept = new Set(leavesOf(spec, once.object["spec"] ?? null));
        expect(leavesOf(spec, given).filter((leaf) => !kept.has(leaf))).toEqual([]);
      }),
      { numRuns: 60 },
    ));
});
