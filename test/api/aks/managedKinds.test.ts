import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { azureManagedKinds } from "../../../src/api/aks/azureManagedKinds.ts";
import { azureAsoKinds } from "../../../src/api/aso/azureAsoKinds.ts";
import { crd } from "../../../src/api/definition/crd.ts";
import { isObject } from "../../../src/api/json.ts";
import { kindEntry } from "../../../src/api/registry.ts";
import type { Json, JsonObject } from "../../../src/core/types.ts";
import { describeWithShared, sharedDir } from "../../support/shared.ts";

const kinds = Object.keys({ ...azureManagedKinds, ...azureAsoKinds });

interface Version {
  readonly name: string;
  readonly [property: string]: Json;
}
interface Spec {
  readonly names: JsonObject;
  readonly versions: readonly Version[];
  readonly [property: string]: Json;
}

const ours = (kind: string): Spec => JSON.parse(JSON.stringify(crd(kindEntry(kind)!).spec)) as Spec;
const contract = (): ReadonlyMap<string, Spec> => {
  const folder = join(sharedDir, "contract", "crds");
  const specs = readdirSync(folder).map((file) => parse(readFileSync(join(folder, file), "utf8")) as { spec: Spec });
  return new Map(specs.map(({ spec }) => [spec.names["kind"] as string, spec]));
};

/** What Cluster API asks of a provider and the contract files lack, by kind: properties of the status. */
const added: Readonly<Record<string, readonly string[]>> = {
  AzureManagedCluster: ["conditions"],
  AzureManagedControlPlane: ["externalManagedControlPlane"],
  AzureASOManagedCluster: ["conditions"],
  AzureASOManagedControlPlane: ["conditions", "externalManagedControlPlane"],
  AzureASOManagedMachinePool: ["conditions"],
};
/** Not compared: words for people, and defaults that only let a required text be left out. */
const isWords = (key: string, value: Json): boolean => key === "description" || (key === "default" && value === "");

/** What ours may say beyond the contract: limits, rules, keys of lists. */
const additions = new Set([
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "pattern",
  "x-kubernetes-list-type",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-validations",
]);
/** Our schema without what it adds to the contract's. */
const withoutAdditions = (ours: Json | undefined, wanted: Json | undefined): Json | undefined =>
  isObject(ours) && isObject(wanted)
    ? Object.fromEntries(
        Object.entries(ours)
          .filter(([key]) => key in wanted || !additions.has(key))
          .map(([key, inner]) => [key, withoutAdditions(inner, wanted[key]) as Json]),
      )
    : ours;

/** A schema in which only what the contract is about is left; lists whose order means nothing are in order. */
const essence = (schema: Json, inStatus: readonly string[] = []): Json => {
  if (!isObject(schema)) return schema;
  const entries = Object.entries(schema).map(([key, value]): readonly [string, Json] => {
    if ((key === "enum" || key === "required") && Array.isArray(value)) return [key, (value as string[]).toSorted()];
    if (key === "properties" && isObject(value))
      return [
        key,
        Object.fromEntries(
          Object.entries(value)
            .filter(([name]) => !inStatus.includes(name))
            .map(([name, inner]) => [name, essence(inner)]),
        ),
      ];
    return [key, isObject(value) ? essence(value) : value];
  });
  const empty = (key: string, value: Json): boolean =>
    key === "properties" && isObject(value) && Object.keys(value).length === 0;
  return Object.fromEntries(entries.filter(([key, value]) => !isWords(key, value) && !empty(key, value)));
};

interface OpenApi {
  readonly openAPIV3Schema: { readonly properties: Readonly<Record<string, Json>> };
}
const topOf = (version: Version, kind: string): JsonObject => {
  const { properties } = (version["schema"] as unknown as OpenApi).openAPIV3Schema;
  return {
    ...(properties["spec"] !== undefined && { spec: essence(properties["spec"]) }),
    ...(properties["status"] !== undefined && { status: essence(properties["status"], added[kind]) }),
  };
};
const byName = (a: { readonly name: string }, b: { readonly name: string }): number => (a.name < b.name ? -1 : 1);

describeWithShared("managed kinds against the contract", () => {
  const wanted = contract();

  it.each(kinds)("%s has the same names, scope and group", (kind) => {
    const { versions: _, ...rest } = wanted.get(kind)!;
    expect(ours(kind)).toMatchObject(rest);
  });

  it.each(kinds)("%s has the same fields, types, limits, enums, defaults and list kinds in every version", (kind) => {
    const has = ours(kind).versions.toSorted(byName);
    const wants = wanted.get(kind)!.versions.toSorted(byName);
    expect(has.map(({ name }) => name)).toEqual(wants.map(({ name }) => name));
    for (const [index, version] of wants.entries()) {
      const contract = topOf(version, kind);
      expect(withoutAdditions(topOf(has[index]!, kind), contract)).toEqual(contract);
    }
  });

  it.each(kinds)("%s has the same columns and subresources, and stores the same version", (kind) => {
    const facts = (spec: Spec) =>
      spec.versions.toSorted(byName).map(({ name, served, storage, subresources, additionalPrinterColumns }) => ({
        name,
        served,
        storage,
        subresources,
        additionalPrinterColumns,
      }));
    expect(facts(ours(kind))).toEqual(facts(wanted.get(kind)!));
  });
});

describe.each(kinds)("%s", (kind) => {
  it("describes every field", () => {
    const silent = (at: string, schema: Json | undefined): readonly string[] => {
      if (!isObject(schema)) return [];
      return [
        ...Object.entries(isObject(schema["properties"]) ? schema["properties"] : {}).flatMap(([name, inner]) => [
          ...(isObject(inner) && typeof inner["description"] === "string" ? [] : [`${at}.${name}`]),
          ...silent(`${at}.${name}`, inner),
        ]),
        ...silent(`${at}[]`, schema["items"]),
      ];
    };
    const { properties } = (ours(kind).versions[0]!["schema"] as unknown as OpenApi).openAPIV3Schema;
    expect([...silent("spec", properties["spec"]), ...silent("status", properties["status"])]).toEqual([]);
  });
});
