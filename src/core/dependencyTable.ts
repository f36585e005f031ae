/** One value of another object that a turn obeys and that object's generation does not show. */
export type Counted =
  | "paused"
  | "initialization"
  | "bootstrap"
  | "deleteMachine"
  | "replicasManagedBy"
  | "ready"
  | "endpoint"
  | "version"
  | "instance";

/**
 * One object that a turn reads beside its own. `by`: how `from` names it: an owner reference to that kind, the name of
 * its cluster, or a reference in its spec. Missing and present are told apart.
 */
export interface Role {
  readonly role: string;
  readonly from: string;
  readonly by: "owner" | "clusterName" | "identityRef" | "infrastructureRef" | "controlPlaneRef";
  /** Kinds that are read; a reference to another kind is none of ours. */
  readonly kinds: readonly string[];
  readonly counts: readonly Counted[];
}

/** Many objects that a turn reads: all of one kind that have the object as owner, or are of the same cluster. */
export interface Members {
  readonly kind: string;
  readonly by: "owner" | "clusterName";
  readonly counts: readonly Counted[];
}

export interface KindInputs {
  /** Our finalizer, as upstream spells it. */
  readonly finalizer?: string;
  readonly roles: readonly Role[];
  readonly members?: Members;
}

const owner = (role: string, kind: string, counts: readonly Counted[]): Role => ({
  role,
  from: "self",
  by: "owner",
  kinds: [kind],
  counts,
});
/** The Cluster by its name, for kinds that have no owner reference to it. */
const clusterByName = (counts: readonly Counted[]): Role => ({
  role: "cluster",
  from: "self",
  by: "clusterName",
  kinds: ["Cluster"],
  counts,
});
const identityOf = (from: string): Role => ({
  role: "identity",
  from,
  by: "identityRef",
  kinds: ["AzureClusterIdentity"],
  counts: [],
});
const infrastructure: Role = {
  role: "infrastructure",
  from: "cluster",
  by: "infrastructureRef",
  kinds: ["AzureCluster", "AzureManagedCluster"],
  counts: ["ready", "endpoint"],
};
const controlPlane: Role = {
  role: "controlPlane",
  from: "cluster",
  by: "controlPlaneRef",
  kinds: ["AzureManagedControlPlane"],
  counts: ["ready", "version", "endpoint"],
};
const asoControlPlane: Role = { ...controlPlane, kinds: ["AzureASOManagedControlPlane"] };

/** Obeyed by machines and pools; cluster kinds bring these values about and would only hear their own echo. */
const obeyed: readonly Counted[] = ["paused", "initialization"];
const infrastructureGroup = "infrastructure.cluster.x-k8s.io";

/**
 * Which other objects each kind obeys, and what of them counts beside uid, generation and deletion. The one table for
 * watcher and turn. Secrets are never among them: the watcher has no access to any.
 */
export const dependencyTable: Readonly<Record<string, KindInputs>> = {
  AzureCluster: {
    finalizer: `azurecluster.${infrastructureGroup}`,
    roles: [owner("cluster", "Cluster", ["paused"]), identityOf("self")],
  },
  AzureMachine: {
    finalizer: `azuremachine.${infrastructureGroup}`,
    roles: [
      owner("machine", "Machine", ["bootstrap"]),
      clusterByName(obeyed),
      infrastructure,
      identityOf("infrastructure"),
    ],
  },
  AzureMachinePool: {
    finalizer: "machinepool.cluster.x-k8s.io",
    roles: [
      owner("machinePool", "MachinePool", ["bootstrap", "replicasManagedBy"]),
      clusterByName(obeyed),
      infrastructure,
      controlPlane,
      identityOf("infrastructure"),
      identityOf("controlPlane"),
    ],
    members: { kind: "AzureMachinePoolMachine", by: "owner", counts: ["ready", "instance", "deleteMachine"] },
  },
  AzureMachinePoolMachine: {
    finalizer: `azuremachinepoolmachine.${infrastructureGroup}`,
    roles: [
      owner("machine", "Machine", ["deleteMachine"]),
      owner("pool", "AzureMachinePool", []),
      clusterByName(["paused"]),
      infrastructure,
      controlPlane,
      identityOf("infrastructure"),
      identityOf("controlPlane"),
    ],
  },
  AzureManagedCluster: {
    roles: [owner("cluster", "Cluster", ["paused"]), controlPlane],
  },
  AzureManagedControlPlane: {
    finalizer: `azuremanagedcontrolplane.${infrastructureGroup}`,
    roles: [owner("cluster", "Cluster", ["paused"]), identityOf("self")],
    members: { kind: "AzureManagedMachinePool", by: "clusterName", counts: [] },
  },
  AzureManagedMachinePool: {
    finalizer: `azurecluster.${infrastructureGroup}`,
    roles: [
      owner("machinePool", "MachinePool", ["replicasManagedBy"]),
      clusterByName(obeyed),
      controlPlane,
      identityOf("controlPlane"),
    ],
  },
  AzureASOManagedCluster: {
    finalizer: "cluster.cluster.x-k8s.io",
    roles: [owner("cluster", "Cluster", ["paused"]), asoControlPlane],
  },
  AzureASOManagedControlPlane: {
    finalizer: `azureasomanagedcontrolplane.${infrastructureGroup}`,
    roles: [owner("cluster", "Cluster", ["paused"])],
    members: { kind: "AzureASOManagedMachinePool", by: "clusterName", counts: [] },
  },
  AzureASOManagedMachinePool: {
    finalizer: "cluster.cluster.x-k8s.io",
    roles: [owner("machinePool", "MachinePool", ["replicasManagedBy"]), clusterByName(obeyed), asoControlPlane],
  },
  AzureMachineTemplate: {
    roles: [owner("cluster", "Cluster", ["paused"]), infrastructure, identityOf("infrastructure")],
  },
};
