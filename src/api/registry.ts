/** Where a kind stands in the Kubernetes API. */
export interface KindEntry {
  readonly kind: string;
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Whether the status is written through a subresource of its own. */
  readonly statusSubresource: boolean;
}

/** The API group of the kinds that Capstan defines. */
export const infrastructureGroup = "infrastructure.cluster.x-k8s.io";

const infrastructure = (kind: string, plural: string, statusSubresource: boolean): KindEntry => ({
  kind,
  group: infrastructureGroup,
  version: "v1beta1",
  plural,
  namespaced: true,
  statusSubresource,
});

const clusterApi = (kind: string, plural: string): KindEntry => ({
  kind,
  group: "cluster.x-k8s.io",
  version: "v1beta2",
  plural,
  namespaced: true,
  statusSubresource: true,
});

const core = (kind: string, plural: string, namespaced: boolean): KindEntry => ({
  kind,
  group: "",
  version: "v1",
  plural,
  namespaced,
  statusSubresource: false,
});

/** The kinds that Capstan defines: thirteen of its own making and six that pass Azure Service Operator resources through. */
export const infrastructureKinds: readonly KindEntry[] = Object.freeze([
  infrastructure("AzureCluster", "azureclusters", true),
  infrastructure("AzureClusterTemplate", "azureclustertemplates", false),
  infrastructure("AzureClusterIdentity", "azureclusteridentities", true),
  infrastructure("AzureMachine", "azuremachines", true),
  infrastructure("AzureMachineTemplate", "azuremachinetemplates", true),
  infrastructure("AzureMachinePool", "azuremachinepools", true),
  infrastructure("AzureMachinePoolMachine", "azuremachinepoolmachines", true),
  infrastructure("AzureManagedControlPlane", "azuremanagedcontrolplanes", true),
  infrastructure("AzureManagedControlPlaneTemplate", "azuremanagedcontrolplanetemplates", false),
  infrastructure("AzureManagedCluster", "azuremanagedclusters", true),
  infrastructure("AzureManagedClusterTemplate", "azuremanagedclustertemplates", false),
  infrastructure("AzureManagedMachinePool", "azuremanagedmachinepools", true),
  infrastructure("AzureManagedMachinePoolTemplate", "azuremanagedmachinepooltemplates", false),
  infrastructure("AzureASOManagedCluster", "azureasomanagedclusters", true),
  infrastructure("AzureASOManagedClusterTemplate", "azureasomanagedclustertemplates", false),
  infrastructure("AzureASOManagedControlPlane", "azureasomanagedcontrolplanes", true),
  infrastructure("AzureASOManagedControlPlaneTemplate", "azureasomanagedcontrolplanetemplates", false),
  infrastructure("AzureASOManagedMachinePool", "azureasomanagedmachinepools", true),
  infrastructure("AzureASOManagedMachinePoolTemplate", "azureasomanagedmachinepooltemplates", false),
]);

/** Kinds of others that are read. Cluster API is read in its newest version; the API server converts. */
export const foreignKinds: readonly KindEntry[] = Object.freeze([
  clusterApi("Cluster", "clusters"),
  clusterApi("Machine", "machines"),
  clusterApi("MachineSet", "machinesets"),
  clusterApi("MachineDeployment", "machinedeployments"),
  clusterApi("MachinePool", "machinepools"),
  core("Namespace", "namespaces", false),
  core("Secret", "secrets", true),
  core("ConfigMap", "configmaps", true),
]);

const byKind: ReadonlyMap<string, KindEntry> = new Map(
  [...infrastructureKinds, ...foreignKinds].map((entry) => [entry.kind, entry]),
);

/** The entry of a kind by its name, which is unique among the kinds known here; undefined for any other. */
export const kindEntry = (kind: string): KindEntry | undefined => byKind.get(kind);

/** `group/version`, or just the version in the core group, as `apiVersion` spells it. */
export const apiVersionOf = (entry: Pick<KindEntry, "group" | "version">): string =>
  entry.group === "" ? entry.version : `${entry.group}/${entry.version}`;
