import type { JsonObject, KubeObject } from "../core/types.ts";

/** Field managers of server-side apply, one for each part that is always written as a whole. */
export const managers = { metadata: "capstan", spec: "capstan-spec", status: "capstan-status" } as const;

/** The least that an apply has to say of an object. */
export const manifestOf = ({ apiVersion, kind, metadata }: KubeObject, more: JsonObject = {}): JsonObject => ({
  apiVersion,
  kind,
  metadata: {
    name: metadata.name,
    ...(metadata.namespace === "" ? {} : { namespace: metadata.namespace }),
    // Without the uid an apply would make a deleted object anew.
    uid: metadata.uid,
    ...more,
  },
});
