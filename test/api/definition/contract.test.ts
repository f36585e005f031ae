import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { azureClusterSpec } from "../../../src/api/cluster/azureCluster.ts";
import { azureClusterIdentitySpec } from "../../../src/api/cluster/azureClusterIdentity.ts";
import { apiVersionOf, foreignKinds, infrastructureKinds, kindEntry } from "../../../src/api/registry.ts";
import { describeWithShared, sharedDir } from "../../support/shared.ts";

interface Node {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly additionalProperties?: Node;
  readonly patternProperties?: Readonly<Record<string, Node>>;
  readonly description?: string;
  readonly [keyword: string]: unknown;
}
interface Definition {
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly kind: string; readonly plural: string };
    readonly versions: readonly {
      readonly name: string;
      readonly subresources?: { readonly status?: object };
      readonly schema: { readonly openAPIV3Schema: Node };
    }[];
  };
}

const folder = join(sharedDir, "contract", "crds");
const definitions = (): readonly Definition[] =>
  readdirSync(folder).map((file) => parse(readFileSync(join(folder, file), "utf8")) as Definition);
const contractOf = (kind: string): Node => {
  const found = definitions().find(({ spec }) => spec.names.kind === kind);
  const schema = found?.spec.versions.find(({ name }) => name === "v1beta1")?.schema.openAPIV3Schema;
  return schema?.properties?.["spec"] ?? {};
};

/** Where the contract has no limit, ours may: the API server wants to know what a rule can cost. */
const limits = ["minLength", "maxLength", "maxItems"];
/** Lists that more than one may write, and those in which each value must stand once. */
const keyed = /(additionalAPIServerLBPorts|serviceEndpoints\[\]\.locations)$/;

/** Required names that a template cannot give: see `unnamedByTemplates` in `src/api/cluster/network.ts`. */
const unnamed = /(networkSpec\.vnet|securityGroup)\.name$/;

const keywords = [
  "type",
  "format",
  "default",
  ...limits,
  "x-kubernetes-list-type",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-map-type",
];
const sorted = (list: readonly string[] | undefined): readonly string[] => (list ?? []).toSorted();

/** Everything in which two schemas of one field differ, deep. */
const differences = (at: string, ours: Node | undefined, contract: Node): readonly string[] => {
  if (ours === undefined) return [`${at}: missing`];
  const isEither = contract["x-kubernetes-int-or-string"] === true;
  if (isEither) return ours["x-kubernetes-int-or-string"] === true ? [] : [`${at}: int or string`];
  // A selector's lists are atomic in both ways of saying it.
  const compared = keywords
    .filter((key) => contract[key] !== "atomic" && !(key === "default" && ours.default === "" && unnamed.test(at)))
    .filter(
      (key) => contract[key] !== undefined || !(limits.includes(key) || (keyed.test(at) && key.includes("list"))),
    );
  return [
    ...compared
      .filter((key) => JSON.stringify(ours[key]) !== JSON.stringify(contract[key]))
      .map((key) => `${at}: ${key}`),
    ...(String(sorted(ours.enum)) === String(sorted(contract.enum)) ? [] : [`${at}: enum`]),
    ...(String(sorted(ours.required)) === String(sorted(contract.required)) ? [] : [`${at}: required`]),
    ...Object.keys(ours.properties ?? {})
      .filter((name) => contract.properties?.[name] === undefined)
      .map((name) => `${at}.${name}: not in the contract`),
    ...Object.entries(contract.properties ?? {}).flatMap(([name, node]) =>
      differences(`${at}.${name}`, ours.properties?.[name], node),
    ),
    ...(contract.items === undefined ? [] : differences(`${at}[]`, ours.items, contract.items)),
    ...(contract.additionalProperties === undefined
      ? []
      : differences(`${at}{}`, Object.values(ours.patternProperties ?? {})[0], contract.additionalProperties)),
  ];
};

describeWithShared("schemas against the contract", () => {
  it.each([
    { kind: "AzureCluster", schema: azureClusterSpec },
    { kind: "AzureClusterIdentity", schema: azureClusterIdentitySpec },
  ])("$kind has the same fields, types, enums, defaults and list kinds", ({ kind, schema }) =>
    expect(differences("spec", JSON.parse(JSON.stringify(schema)) as Node, contractOf(kind))).toEqual([]),
  );

  it("lists every kind of the contract, as it stands there", () => {
    const contract = definitions().map(({ spec }) => {
      const version = spec.versions.find(({ name }) => name === "v1beta1");
      return {
        kind: spec.names.kind,
        group: spec.group,
        version: "v1beta1",
        plural: spec.names.plural,
        namespaced: spec.scope === "Namespaced",
        statusSubresource: version?.subresources?.status !== undefined,
      };
    });
    const byKind = (a: { readonly kind: string }, b: { readonly kind: string }) => (a.kind < b.kind ? -1 : 1);
    expect(infrastructureKinds.toSorted(byKind)).toEqual(contract.toSorted(byKind));
  });
});

describe("registry", () => {
  it("knows a kind by its name", () => {
    expect(kindEntry("Cluster")).toMatchObject({ group: "cluster.x-k8s.io", version: "v1beta2", plural: "clusters" });
    expect(kindEntry("Deployment")).toBeUndefined();
  });
  it("has no two kinds of one name", () => {
    const names = [...infrastructureKinds, ...foreignKinds].map(({ kind }) => kind);
    expect(new Set(names).size).toBe(names.length);
  });
  it("spells api-versions", () => {
    expect(apiVersionOf({ group: "", version: "v1" })).toBe("v1");
    expect(apiVersionOf({ group: "cluster.x-k8s.io", version: "v1beta2" })).toBe("cluster.x-k8s.io/v1beta2");
  });
});

it("describes every field of a spec that is text, number, flag or list", () => {
  const silent = (at: string, { type, description, properties, items }: Node): readonly string[] => [
    ...(type !== "object" && description === undefined && !at.endsWith("[]") ? [at] : []),
    ...Object.entries(properties ?? {}).flatMap(([name, node]) => silent(`${at}.${name}`, node)),
    ...(items === undefined ? [] : silent(`${at}[]`, items)),
  ];
  expect(silent("spec", JSON.parse(JSON.stringify(azureClusterSpec)) as Node)).toEqual([]);
});
