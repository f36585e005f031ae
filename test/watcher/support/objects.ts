import type { JsonObject, KubeObject } from "../../../src/core/types.ts";

export interface Parts {
  readonly metadata?: Partial<KubeObject["metadata"]>;
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
}

/** An object in namespace `ns`, of which only what the case is about is stated. */
export const object = (
  kind: string,
  name: string,
  { metadata = {}, spec = {}, status = {} }: Parts = {},
): KubeObject => ({
  apiVersion: "x/v1",
  kind,
  metadata: {
    name,
    namespace: "ns",
    uid: `uid-${kind}-${name}`,
    generation: 1,
    resourceVersion: "1",
    labels: {},
    annotations: {},
    finalizers: [],
    ownerReferences: [],
    ...metadata,
  },
  spec,
  status,
});

export const ownedBy = (kind: string, name: string): Pick<KubeObject["metadata"], "ownerReferences"> => ({
  ownerReferences: [{ apiVersion: "cluster.x-k8s.io/v1beta2", kind, name, uid: `uid-${kind}-${name}` }],
});
