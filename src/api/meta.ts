import type { KubeObject, OwnerReference } from "../core/types.ts";

/** Metadata of Cluster API objects that a provider obeys. */

const clusterApiGroup = "cluster.x-k8s.io";
const groupOf = (apiVersion: string): string => apiVersion.split("/")[0] ?? "";

/** The owner of a Cluster API kind, whatever the version in which the reference was written. */
export const ownerOf = (object: KubeObject, kind: string): OwnerReference | undefined =>
  object.metadata.ownerReferences.find((owner) => owner.kind === kind && groupOf(owner.apiVersion) === clusterApiGroup);

/** Whether the object is going away. */
export const isDeleting = (object: KubeObject): boolean => object.metadata.deletionTimestamp !== undefined;
