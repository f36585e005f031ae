import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { crd } from "../../../src/api/definition/crd.ts";
import { machineKinds } from "../../../src/api/machine/machineKinds.ts";
import { kindEntry } from "../../../src/api/registry.ts";
import { describeWithShared, sharedDir } from "../../support/shared.ts";

interface Node {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly additionalProperties?: Node;
  readonly [keyword: string]: unknown;
}
interface Definition {
  readonly spec: {
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: Node } }[];
  };
}

const kinds = ["AzureClusterTemplate", ...Object.keys(machineKinds)];
const ours = (kind: string): Definition => crd(kindEntry(kind)!) as unknown as Definition;

/** What Cluster API's contract knows and CAPZ has not. */
const added: Readonly<Record<string, string>> = {
  AzureMachine: ".status.failureDomain",
  AzureClusterTemplate: ".spec.template.metadata",
};

/** What a definition may say beyond the contract: limits, rules, and keys of lists. */
const beyond = new Set([
  "x-kubernetes-validations",
  "x-kubernetes-list-type",
  "x-kubernetes-list-map-keys",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "pattern",
]);

/** What templates of classes leave to variables: CAPZ's webhook fills it with nothing, our definitions by default. */
const leftToClasses = new Set([".spec.template.spec.location", ".spec.template.spec.vmSize"]);

const goesBeyond = (key: string, at: string): boolean =>
  beyond.has(key) || (key === "default" && leftToClasses.has(at));

/** A schema without words for people, without order where order means nothing, and without what goes beyond another. */
const bare = (schema: Node, at: string, contract: Node | undefined, without?: string): object => {
  const { description: _, properties, items, additionalProperties, enum: words, required, ...rest } = schema;
  const fields = Object.entries(properties ?? {}).filter(([name]) => `${at}.${name}` !== without);
  const bareField = ([name, field]: readonly [string, Node]) =>
    [name, bare(field, `${at}.${name}`, contract?.properties?.[name], without)] as const;
  return {
    ...Object.fromEntries(
      Object.entries(rest).filter(([key]) => !goesBeyond(key, at) || contract?.[key] !== undefined),
    ),
    ...(words !== undefined && { enum: words.toSorted() }),
    ...(required !== undefined && { required: required.toSorted() }),
    ...(items !== undefined && { items: bare(items, `${at}[]`, contract?.items, without) }),
    ...(additionalProperties !== undefined && {
      additionalProperties: bare(additionalProperties, `${at}{}`, contract?.additionalProperties, without),
    }),
    ...(properties !== undefined && { properties: Object.fromEntries(fields.map(bareField)) }),
  };
};

/** All that a definition says but for labels and conversion: names, columns, subresources and every field. */
const comparable = ({ spec }: Definition, contract: Definition, without?: string): object => ({
  ...spec,
  conversion: undefined,
  versions: spec.versions.map((version, index) => ({
    ...version,
    schema: bare(version.schema.openAPIV3Schema, "", contract.spec.versions[index]?.schema.openAPIV3Schema, without),
  })),
});

describeWithShared("definitions of machines, pools and the cluster template", () => {
  const folder = join(sharedDir, "contract", "crds");
  const contractOf = (kind: string): Definition => {
    const file = readdirSync(folder).find((name) => name.startsWith(`${kindEntry(kind)!.plural}.`))!;
    return parse(readFileSync(join(folder, file), "utf8")) as Definition;
  };
  it.each(kinds)("%s is the contract's, but for what is known to be added", (kind) => {
    const contract = contractOf(kind);
    expect(comparable(ours(kind), contract, added[kind])).toEqual(comparable(contract, contract));
  });
});

it.each(kinds)("describes every field of %s", (kind) => {
  const silent = (at: string, { description, properties, items }: Node): readonly string[] => [
    ...(description === undefined && !at.endsWith("[]") ? [at] : []),
    ...Object.entries(properties ?? {}).flatMap(([name, field]) => silent(`${at}.${name}`, field)),
    ...(items === undefined ? [] : silent(`${at}[]`, items)),
  ];
  const { spec, status } = ours(kind).spec.versions[0]!.schema.openAPIV3Schema.properties!;
  expect(silent("spec", spec!)).toEqual([]);
  if (status !== undefined) expect(silent("status", status)).toEqual([]);
});
