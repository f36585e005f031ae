import { disks } from "./compute/disks.ts";
import { scaleSetInstances, virtualMachineScaleSets } from "./compute/scaleSets.ts";
import { availabilitySets, virtualMachineExtensions, virtualMachines } from "./compute/virtualMachines.ts";
import { agentPools } from "./containerService/agentPools.ts";
import { managedClusters } from "./containerService/managedClusters.ts";
import { roleAssignments } from "./identity/roleAssignments.ts";
import { federatedIdentityCredentials, userAssignedIdentities } from "./identity/userAssignedIdentities.ts";
import { bastionHosts } from "./network/bastionHosts.ts";
import { loadBalancers } from "./network/loadBalancers.ts";
import { natGateways } from "./network/natGateways.ts";
import { networkInterfaces } from "./network/networkInterfaces.ts";
import { networkSecurityGroups } from "./network/networkSecurityGroups.ts";
import { aaaaRecords, aRecords, cnameRecords, privateDnsZones, virtualNetworkLinks } from "./network/privateDns.ts";
import { privateEndpoints } from "./network/privateEndpoints.ts";
import { publicIpAddresses } from "./network/publicIpAddresses.ts";
import { routeTables } from "./network/routeTables.ts";
import { virtualNetworks } from "./network/virtualNetworks.ts";
import type { ChildRules, TypeRules } from "./typeRules.ts";

/** Every resource type with rules of its own. */
export const knownTypes: readonly TypeRules[] = [
  virtualNetworks,
  networkSecurityGroups,
  routeTables,
  publicIpAddresses,
  natGateways,
  loadBalancers,
  networkInterfaces,
  privateDnsZones,
  virtualNetworkLinks,
  aRecords,
  aaaaRecords,
  cnameRecords,
  bastionHosts,
  privateEndpoints,
  virtualMachines,
  virtualMachineExtensions,
  availabilitySets,
  disks,
  virtualMachineScaleSets,
  scaleSetInstances,
  managedClusters,
  agentPools,
  userAssignedIdentities,
  federatedIdentityCredentials,
  roleAssignments,
];

const byType = new Map(knownTypes.map((rules) => [rules.type.toLowerCase(), rules]));

/** Rules of a type; a type that is not known is stored as it comes, with tags, etag and an operation. */
export const typeRules = (type: string): TypeRules =>
  byType.get(type.toLowerCase()) ?? {
    type,
    location: "optional",
    missingReference: "ignored",
    etag: /^microsoft\.network\//i.test(type) ? "weak" : "guid",
    patch: /^microsoft\.network\//i.test(type) ? "tags" : "merge",
  };

/** The collection in the parent's body that holds children of a type; undefined when they are stored on their own. */
export const embeddedIn = (type: string): { readonly parent: TypeRules; readonly child: ChildRules } | undefined => {
  const at = type.lastIndexOf("/");
  const parent = byType.get(type.slice(0, at).toLowerCase());
  const collection = type.slice(at + 1).toLowerCase();
  const child = parent?.children?.find((candidate) => candidate.collection.toLowerCase() === collection);
  return parent === undefined || child === undefined ? undefined : { parent, child };
};
