/** Annotations that Capstan reads. Those of `capstan.azure/` are ours; the others belong to Cluster API and to CAPZ. */
export const annotations = {
  /** Present with any value: the object is paused. */
  paused: "cluster.x-k8s.io/paused",
  /** Present: somebody else manages the infrastructure. */
  managedBy: "cluster.x-k8s.io/managed-by",
  /** Present: `clusterctl move` waits. */
  blockMove: "clusterctl.cluster.x-k8s.io/block-move",
  /** Present: the object goes because it was moved to another management cluster. */
  deleteForMove: "clusterctl.cluster.x-k8s.io/delete-for-move",
  deleteMachine: "cluster.x-k8s.io/delete-machine",
  replicasManagedBy: "cluster.x-k8s.io/replicas-managed-by",
  clonedFromGroupKind: "cluster.x-k8s.io/cloned-from-groupkind",
  /** Container runtime of a Windows machine. */
  runtime: "runtime",
  windowsServerVersion: "windowsServerVersion",
  /** Look now, and forget all back-offs. The value is free; another value asks again. */
  retry: "capstan.azure/retry",
  /** Forget what the loop guard counted. */
  release: "capstan.azure/release",
  /** Write nothing to Azure until it is taken off. */
  hold: "capstan.azure/hold",
  /** Ids of resources to adopt, separated by commas. */
  adopt: "capstan.azure/adopt",
  /** Ids of resources that a deletion leaves behind, separated by commas. */
  abandon: "capstan.azure/abandon",
  /** Delete only what is ours in an owned resource group, and keep the group. */
  keepForeign: "capstan.azure/keep-foreign",
  /** Show drift, write nothing. */
  reportOnly: "capstan.azure/report-only",
  /** Ids of our untaggable children under a foreign parent; written by Capstan. */
  ownedChildren: "capstan.azure/owned-children",
} as const;

/** What CAPZ applied last (tags, security rules): `…-tags-vm`, `…-security-rules` and so on. Capstan keeps them up to date. */
export const lastAppliedPrefix = "sigs.k8s.io/cluster-api-provider-azure-last-applied-";

const readAnnotations: ReadonlySet<string> = new Set(Object.values(annotations));
/** Whether a turn obeys this annotation. */
export const isReadAnnotation = (name: string): boolean =>
  readAnnotations.has(name) || name.startsWith(lastAppliedPrefix);

/** Whether Capstan itself writes this annotation. */
export const isOwnAnnotation = (name: string): boolean =>
  name === annotations.blockMove || name === annotations.ownedChildren || name.startsWith(lastAppliedPrefix);

/** Labels that Capstan reads. */
export const labels = {
  watchFilter: "cluster.x-k8s.io/watch-filter",
  clusterName: "cluster.x-k8s.io/cluster-name",
  controlPlane: "cluster.x-k8s.io/control-plane",
  deploymentName: "cluster.x-k8s.io/deployment-name",
  setName: "cluster.x-k8s.io/set-name",
  poolName: "cluster.x-k8s.io/pool-name",
  machinePool: "azuremachinepool.infrastructure.cluster.x-k8s.io/machine-pool",
} as const;

const readLabels: ReadonlySet<string> = new Set(Object.values(labels));
/** Whether a turn obeys this label. */
export const isReadLabel = (name: string): boolean => readLabels.has(name);
