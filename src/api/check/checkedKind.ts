import type { Json, JsonObject } from "../../core/types.ts";
import { crd } from "../definition/crd.ts";
import { isObject, valueAt } from "../json.ts";
import { policies } from "../policies/index.ts";
import { apiVersionOf, infrastructureKinds, type KindEntry } from "../registry.ts";
import { type CelPolicy, celPolicy } from "./checkPolicies.ts";
import { lazy } from "./lazy.ts";
import { type SchemaNode, schemaNode } from "./schemaNode.ts";

/** All that an object of one kind is held to. */
export interface CheckedKind {
  readonly entry: KindEntry;
  /** Every `apiVersion` under which the kind is served. */
  readonly apiVersions: readonly string[];
  readonly root: SchemaNode;
  readonly policies: () => readonly CelPolicy[];
}

const versionsOf = (spec: JsonObject): readonly Json[] => (Array.isArray(spec["versions"]) ? spec["versions"] : []);

const names = new Map(["name", "generateName"].map((name) => [name, schemaNode({ type: "string" })]));
/** Of the metadata, rules of a definition see the names only; the definition may limit them further. */
const withMetadata = (root: SchemaNode): SchemaNode => {
  const metadata = root.properties.get("metadata") ?? schemaNode({ type: "object" });
  const properties = new Map([...names, ...metadata.properties]);
  return { ...root, properties: new Map([...root.properties, ["metadata", { ...metadata, properties }]]) };
};

const describe = (entry: KindEntry): CheckedKind => {
  const versions = versionsOf(crd(entry).spec);
  const schema = valueAt(versions[0], "schema", "openAPIV3Schema");
  return {
    entry,
    apiVersions: versions.flatMap((version) => {
      const name = valueAt(version, "name");
      return typeof name === "string" ? [apiVersionOf({ group: entry.group, version: name })] : [];
    }),
    root: withMetadata(schemaNode(isObject(schema) ? schema : {})),
    policies: lazy(() => policies.filter(({ kinds }) => kinds.includes(entry.kind)).map(celPolicy)),
  };
};

const byKind: ReadonlyMap<string, () => CheckedKind> = new Map(
  infrastructureKinds.map((entry) => [entry.kind, lazy(() => describe(entry))]),
);

/** What a kind of ours is held to; undefined for any other. */
export const checkedKind = (kind: string): CheckedKind | undefined => byKind.get(kind)?.();
