import type { TSchema } from "typebox";
import type { Json, JsonObject } from "../../core/types.ts";
import { azureManagedKinds } from "../aks/azureManagedKinds.ts";
import { azureAsoKinds } from "../aso/azureAsoKinds.ts";
import { clusterKinds } from "../cluster/clusterKinds.ts";
import { machineKinds } from "../machine/machineKinds.ts";
import type { KindEntry } from "../registry.ts";
import { type CrdFacts, crdFacts, type PrinterColumn } from "./crdFacts.ts";
import type { KindSchemas } from "./kindSchemas.ts";
import { providerLabels } from "./providerLabels.ts";
import { structural } from "./structural.ts";

/** A CustomResourceDefinition in wire form. */
export interface CustomResourceDefinition extends JsonObject {
  readonly apiVersion: "apiextensions.k8s.io/v1";
  readonly kind: "CustomResourceDefinition";
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: JsonObject;
}

/** All kinds with their fields. */
const described: Readonly<Record<string, KindSchemas>> = {
  ...clusterKinds,
  ...machineKinds,
  ...azureManagedKinds,
  ...azureAsoKinds,
};

/** The contract that the kinds fulfil (https://cluster-api.sigs.k8s.io/developer/providers/contracts/overview). */
const contract = { "cluster.x-k8s.io/v1beta1": "v1beta1" } as const;

// Schemas are JSON but for a hidden mark.
const plain = (schema: TSchema): Json => JSON.parse(JSON.stringify(schema)) as Json;

const metaProperties = {
  apiVersion: { type: "string", description: "Version of the schema." },
  kind: { type: "string", description: "Kind of the object." },
  metadata: { type: "object" },
} as const;

const half = (schema: TSchema, path: string, description: string): JsonObject => ({
  description,
  ...structural(plain(schema), path),
});

const objectSchema = ({ kind }: KindEntry): JsonObject => {
  const schemas = described[kind];
  if (schemas === undefined) throw new Error(`${kind} is registered, but its fields are not described`);
  const { description, metadata, spec, status, rules = [] } = schemas;
  return {
    type: "object",
    description,
    properties: {
      ...metaProperties,
      ...(metadata !== undefined && { metadata }),
      spec: half(spec, "spec", "What is wanted."),
      ...(status !== undefined && { status: half(status, "status", "What is there.") }),
    },
    ...(rules.length > 0 && { "x-kubernetes-validations": rules.map((rule): JsonObject => ({ ...rule })) }),
  };
};

const names = ({ kind, plural }: KindEntry, { shortNames }: CrdFacts): JsonObject => ({
  kind,
  listKind: `${kind}List`,
  plural,
  singular: kind.toLowerCase(),
  // The kinds that pass Azure Service Operator resources through are in no category of CAPZ's either.
  ...(!kind.startsWith("AzureASO") && { categories: ["cluster-api"] }),
  ...(shortNames.length > 0 && { shortNames }),
});

// JSON wants an index signature, which an interface has not.
const columnOf = (column: PrinterColumn): JsonObject => ({ ...column });

const deprecated = ({ group, version, kind }: KindEntry, former: string): JsonObject => ({
  deprecated: true,
  deprecationWarning: `${group}/${former} ${kind} is deprecated: use ${group}/${version}, which is the same`,
});

/** All versions have one schema, so that nothing is converted between them. */
const versions = (entry: KindEntry, { columns, formerVersions = [] }: CrdFacts): readonly JsonObject[] => {
  const same = {
    ...(columns.length > 0 && { additionalPrinterColumns: columns.map(columnOf) }),
    schema: { openAPIV3Schema: objectSchema(entry) },
    ...(entry.statusSubresource && { subresources: { status: {} } }),
  };
  return [
    { name: entry.version, served: true, storage: true, ...same },
    ...formerVersions.map((name) => ({ name, served: true, storage: false, ...deprecated(entry, name), ...same })),
  ];
};

/** The definition of one of Capstan's kinds. Throws for a kind that is none of them. */
export const crd = (entry: KindEntry): CustomResourceDefinition => {
  const { group, plural, namespaced, kind } = entry;
  const facts = crdFacts(kind);
  const labels = { ...providerLabels, ...contract, ...facts.labels };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}`, labels },
    spec: {
      group,
      names: names(entry, facts),
      scope: namespaced ? "Namespaced" : "Cluster",
      conversion: { strategy: "None" },
      versions: versions(entry, facts),
    },
  };
};
