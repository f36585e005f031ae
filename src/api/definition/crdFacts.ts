/** What `kubectl get` shows of a kind, and how it may be abbreviated: as in CAPZ, because people and scripts know it. */
export interface CrdFacts {
  readonly shortNames: readonly string[];
  readonly columns: readonly PrinterColumn[];
  /** Versions of the same schema that stay served beside the one that is stored. */
  readonly formerVersions?: readonly string[];
  /** Labels of the definition beyond those that all have. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#additional-printer-columns */
export interface PrinterColumn {
  readonly name: string;
  readonly type: "string" | "date";
  /** 1: only with `-o wide`. */
  readonly priority?: 1;
  readonly jsonPath: string;
}

const column = (name: string, jsonPath: string): PrinterColumn => ({ name, type: "string", jsonPath });
const wide = (name: string, jsonPath: string): PrinterColumn => ({ ...column(name, jsonPath), priority: 1 });

const age: PrinterColumn = { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" };
const clusterName = String.raw`.metadata.labels.cluster\.x-k8s\.io/cluster-name`;
const ready = (field: string): string => `.status.conditions[?(@.type=='Ready')].${field}`;
const owner = (kind: string): string => `.metadata.ownerReferences[?(@.kind=="${kind}")].name`;
const readyColumns: readonly PrinterColumn[] = [
  column("Ready", ready("status")),
  column("Severity", ready("severity")),
  column("Reason", ready("reason")),
  wide("Message", ready("message")),
];
const poolColumns: readonly PrinterColumn[] = [
  column("Ready", ".status.ready"),
  column("State", ".status.provisioningState"),
  wide("Cluster", clusterName),
];

const passThrough: CrdFacts = { shortNames: [], columns: [], formerVersions: ["v1alpha1"] };

const facts: Readonly<Record<string, CrdFacts>> = {
  AzureCluster: {
    shortNames: [],
    columns: [
      column("Cluster", clusterName),
      column("Ready", ready("status")),
      column("Reason", ready("reason")),
      wide("Message", ready("message")),
      wide("Resource Group", ".spec.resourceGroup"),
      wide("SubscriptionID", ".spec.subscriptionID"),
      wide("Location", ".spec.location"),
      wide("Endpoint", ".spec.controlPlaneEndpoint.host"),
      age,
    ],
  },
  AzureClusterIdentity: {
    shortNames: [],
    columns: [column("Type", ".spec.type"), age],
    // No owner leads from an identity to a cluster, but a cluster is of no use without: it moves with the namespace.
    labels: { "clusterctl.cluster.x-k8s.io/move-hierarchy": "" },
  },
  AzureMachine: {
    shortNames: [],
    columns: [
      wide("Cluster", clusterName),
      ...readyColumns,
      column("State", ".status.vmState"),
      wide("Machine", owner("Machine")),
      wide("VM ID", ".spec.providerID"),
      wide("VM Size", ".spec.vmSize"),
      age,
    ],
  },
  AzureMachinePool: {
    shortNames: ["amp"],
    columns: [
      column("Replicas", ".status.replicas"),
      ...poolColumns,
      wide("MachinePool", owner("MachinePool")),
      wide("VMSS ID", ".spec.providerID"),
      wide("VM Size", ".spec.template.vmSize"),
      age,
    ],
  },
  AzureMachinePoolMachine: {
    shortNames: ["ampm"],
    columns: [column("Version", ".status.version"), ...poolColumns, wide("VMSS VM ID", ".spec.providerID"), age],
  },
  AzureManagedCluster: {
    shortNames: ["amc"],
    columns: [column("Cluster", clusterName), column("Ready", ".status.ready"), age],
  },
  AzureManagedClusterTemplate: { shortNames: ["amct"], columns: [] },
  AzureManagedControlPlane: {
    shortNames: ["amcp"],
    columns: [column("Cluster", clusterName), ...readyColumns, age],
  },
  AzureManagedControlPlaneTemplate: { shortNames: ["amcpt"], columns: [] },
  AzureManagedMachinePool: {
    shortNames: ["ammp"],
    columns: [column("Cluster", clusterName), ...readyColumns, age, column("Mode", ".spec.mode")],
  },
  AzureManagedMachinePoolTemplate: { shortNames: ["ammpt"], columns: [] },
  AzureASOManagedCluster: passThrough,
  AzureASOManagedClusterTemplate: passThrough,
  AzureASOManagedControlPlane: passThrough,
  AzureASOManagedControlPlaneTemplate: passThrough,
  AzureASOManagedMachinePool: passThrough,
  AzureASOManagedMachinePoolTemplate: passThrough,
};

/** The facts of a kind; a kind that is not listed has neither short names nor columns of its own. */
export const crdFacts = (kind: string): CrdFacts => facts[kind] ?? { shortNames: [], columns: [] };
