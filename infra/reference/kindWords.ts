/** What the definitions do not say of a kind. */
export interface KindWords {
  /** Who makes objects of the kind, and for what. A sentence, in Markdown. */
  readonly madeBy: string;
  /** The kind that is made from a template. */
  readonly makes?: string;
}

const copied = (makes: string, more = ""): KindWords => ({
  madeBy: `A person, for a ClusterClass to name; Cluster API copies it for each cluster of the class.${more}`,
  makes,
});

/** All kinds, in the order of the index. */
export const kindWords: Readonly<Record<string, KindWords>> = {
  AzureCluster: {
    madeBy: "A person, one for each Cluster; for a Cluster with a topology, Cluster API.",
  },
  AzureClusterTemplate: copied("AzureCluster"),
  AzureClusterIdentity: {
    madeBy: "A person, one for each identity with which Azure is called; many clusters may share it.",
  },
  AzureMachine: {
    madeBy:
      "Cluster API, one for each Machine, from the AzureMachineTemplate that a control plane or MachineDeployment names.",
  },
  AzureMachineTemplate: {
    madeBy: "A person, for a KubeadmControlPlane, a MachineDeployment or a ClusterClass to name.",
    makes: "AzureMachine",
  },
  AzureMachinePool: {
    madeBy: "A person, one for each MachinePool of a self-managed cluster.",
  },
  AzureMachinePoolMachine: {
    madeBy: "Capstan, one for each instance of a scale set; nobody else.",
  },
  AzureManagedCluster: {
    madeBy: "A person, one for each Cluster on AKS; for a Cluster with a topology, Cluster API.",
  },
  AzureManagedClusterTemplate: copied("AzureManagedCluster"),
  AzureManagedControlPlane: {
    madeBy: "A person, one for each Cluster on AKS; for a Cluster with a topology, Cluster API.",
  },
  AzureManagedControlPlaneTemplate: copied("AzureManagedControlPlane"),
  AzureManagedMachinePool: {
    madeBy: "A person, one for each MachinePool on AKS; for a Cluster with a topology, Cluster API.",
  },
  AzureManagedMachinePoolTemplate: copied("AzureManagedMachinePool"),
  AzureASOManagedCluster: {
    madeBy: "A person, one for each Cluster on AKS that is written as Azure Service Operator resources.",
  },
  AzureASOManagedClusterTemplate: copied("AzureASOManagedCluster"),
  AzureASOManagedControlPlane: {
    madeBy: "A person, one for each Cluster on AKS that is written as Azure Service Operator resources.",
  },
  AzureASOManagedControlPlaneTemplate: copied("AzureASOManagedControlPlane"),
  AzureASOManagedMachinePool: {
    madeBy: "A person, one for each MachinePool that is written as Azure Service Operator resources.",
  },
  AzureASOManagedMachinePoolTemplate: copied("AzureASOManagedMachinePool"),
};

/** The words of a kind. Throws for one that has none yet. */
export const wordsOf = (kind: string): KindWords => {
  const words = kindWords[kind];
  if (words === undefined) throw new Error(`say in kindWords.ts who makes objects of kind ${kind}`);
  return words;
};

/** The file of a kind, in docs/reference and among the examples, without what follows the dot. */
export const fileOf = (kind: string): string => kind.slice(0, 1).toLowerCase() + kind.slice(1);

/** A link to the page of a kind. */
export const linkTo = (kind: string, part = ""): string => `[${kind}](${fileOf(kind)}.md${part})`;
