import type { Json, JsonObject } from "../../core/types.ts";
import { crd } from "../crd.ts";
import { isObject, valueAt } from "../json.ts";
import { policies } from "../policies/index.ts";
import type { Policy } from "../policy.ts";
import { apiVersionOf, infrastructureKinds, type KindEntry } from "../registry.ts";
import { lazy } from "./lazy.ts";
import { type SchemaNode, schemaNode } from "./schemaNode.ts";

/** All that an object of one kind is held to. */
export interface CheckedKind {
  readonly entry: KindEntry;
  /** Every `apiVersion` under which the kind is served. */
  readonly apiVersions: readonly string[];
  readonly root: SchemaNode;
  readonly policies: readonly Policy[];
}

const versionsOf = (spec: JsonObject): readonly Json[] => (Array.isArray(spec["versions"]) ? spec["versions"] : []);

const describe = (entry: KindEntry): CheckedKind => {
  const versions = versionsOf(crd(entry).spec);
  const schema = valueAt(versions[0], "schema", "openAPIV3Schema");
  return {
    entry,
    apiVersions: versions.flatMap((version) => {
      const name = valueAt(version, "name");
      return typeof name === "string" ? [apiVersionOf({ group: entry.group, version: name })] : [];
    }),
    root: schemaNode(isObject(schema) ? schema : {}),
    policies: policies.filter((policy) => policy.kinds.includes(entry.kind)),
  };
};

const byKind: ReadonlyMap<string, () => CheckedKind> = new Map(
  infrastructureKinds.map((entry) => [entry.kind, lazy(() => describe(entry))]),
);

/** What a kind of ours is held to; undefined for any other. */
export const checkedKind = (kind: string): CheckedKind | undefined => byKind.get(kind)?.();
