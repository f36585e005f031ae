/** One resource type to generate. */
export interface Target {
  readonly type: string;
  /** URL template of its PUT where the type alone does not tell it. */
  readonly path?: string;
}

/** One generated file: a client package of Azure and the resource types taken from it. */
export interface ProviderTarget {
  /** Name of the file and of the schema it exports. */
  readonly name: string;
  readonly package: string;
  readonly targets: readonly Target[];
}

const group = "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}";
const recordSet = `${group}/providers/Microsoft.Network/privateDnsZones/{privateZoneName}/{recordType}/{name}`;

const typesOf = (namespace: string, types: readonly string[]): readonly Target[] =>
  types.map((type) => ({ type: `${namespace}/${type}` }));

export const providerTargets: readonly ProviderTarget[] = [
  {
    name: "network",
    package: "@azure/arm-network",
    targets: typesOf("Microsoft.Network", [
      "virtualNetworks",
      "virtualNetworks/subnets",
      "virtualNetworks/virtualNetworkPeerings",
      "networkSecurityGroups",
      "networkSecurityGroups/securityRules",
      "routeTables",
      "publicIPAddresses",
      "natGateways",
      "loadBalancers",
      "loadBalancers/inboundNatRules",
      "networkInterfaces",
      "bastionHosts",
      "privateEndpoints",
      "applicationSecurityGroups",
    ]),
  },
  {
    name: "compute",
    package: "@azure/arm-compute",
    targets: typesOf("Microsoft.Compute", [
      "virtualMachines",
      "virtualMachines/extensions",
      "availabilitySets",
      "disks",
      "virtualMachineScaleSets",
      "virtualMachineScaleSets/virtualMachines",
    ]),
  },
  {
    name: "containerService",
    package: "@azure/arm-containerservice",
    targets: typesOf("Microsoft.ContainerService", [
      "managedClusters",
      "managedClusters/agentPools",
      "managedClusters/maintenanceConfigurations",
    ]),
  },
  {
    name: "resources",
    package: "@azure/arm-resources",
    targets: [
      { type: "Microsoft.Resources/resourceGroups", path: group },
      { type: "Microsoft.Resources/tags", path: "/{scope}/providers/Microsoft.Resources/tags/default" },
    ],
  },
  {
    name: "privateDns",
    package: "@azure/arm-privatedns",
    targets: [
      ...typesOf("Microsoft.Network", ["privateDnsZones", "privateDnsZones/virtualNetworkLinks"]),
      { type: "Microsoft.Network/privateDnsZones/A", path: recordSet },
      { type: "Microsoft.Network/privateDnsZones/AAAA", path: recordSet },
    ],
  },
];

/** URL template of the PUT of a resource type. */
export const putPath = ({ type, path }: Target): string => {
  const [namespace = "", ...types] = type.split("/");
  return path ?? `${group}/providers/${namespace}/${types.map((segment) => `${segment}/{name}`).join("/")}`;
};
