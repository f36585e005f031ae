import type { Shown } from "../../src/cli/treeRows.ts";
import type { JsonObject, KubeObject, OwnerReference } from "../../src/core/types.ts";

/** An object for trees and verdicts; states only what the case is about. */
export const anObject = (
  kind: string,
  name: string,
  more: {
    readonly group?: string;
    readonly owner?: KubeObject;
    readonly generation?: number;
    readonly spec?: JsonObject;
    readonly status?: JsonObject;
  } = {},
): KubeObject => ({
  apiVersion: `${more.group ?? "infrastructure.cluster.x-k8s.io"}/v1beta1`,
  kind,
  metadata: {
    name,
    namespace: "default",
    uid: `uid-${kind}-${name}`,
    generation: more.generation ?? 1,
    resourceVersion: "1",
    labels: {},
    annotations: {},
    finalizers: [],
    ownerReferences: more.owner === undefined ? [] : [ownerOf(more.owner)],
  },
  spec: more.spec ?? {},
  status: more.status ?? {},
});

const ownerOf = ({ apiVersion, kind, metadata: { name, uid } }: KubeObject): OwnerReference => ({
  apiVersion,
  kind,
  name,
  uid,
  controller: true,
});

/** Conditions from `{ Ready: "True" }` or `{ Ready: ["False", "Creating"] }`. */
export const conditions = (given: Readonly<Record<string, string | readonly [string, string]>>): JsonObject => ({
  conditions: Object.entries(given).map(([type, value]) =>
    typeof value === "string" ? { type, status: value } : { type, status: value[0], reason: value[1] },
  ),
});

export const shown = (object: KubeObject, created = "2030-01-01T00:00:00Z"): Shown => ({ object, created });
