/** What Kubernetes itself knows of `metadata` (https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/). */
export const metadataFields: ReadonlySet<string> = new Set([
  "name",
  "generateName",
  "namespace",
  "selfLink",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "labels",
  "annotations",
  "ownerReferences",
  "finalizers",
  "managedFields",
]);
