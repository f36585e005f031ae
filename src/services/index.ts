import { bastionHosts } from "./bastionHosts.ts";
import { loadBalancers } from "./loadBalancers.ts";
import { natGateways } from "./natGateways.ts";
import { privateDnsAaaaRecords } from "./privateDnsAaaaRecords.ts";
import { privateDnsARecords } from "./privateDnsARecords.ts";
import { privateDnsLinks } from "./privateDnsLinks.ts";
import { privateDnsZones } from "./privateDnsZones.ts";
import { privateEndpoints } from "./privateEndpoints.ts";
import { publicIps } from "./publicIps.ts";
import { resourceGroups } from "./resourceGroups.ts";
import { routeTables } from "./routeTables.ts";
import { securityGroups } from "./securityGroups.ts";
import { subnets } from "./subnets.ts";
import { virtualNetworks } from "./virtualNetworks.ts";
import { vnetPeerings } from "./vnetPeerings.ts";

/** Services of an AzureCluster. The order is only that of reports; `after` decides what comes first. */
export const clusterServices = Object.freeze([
  resourceGroups,
  virtualNetworks,
  securityGroups,
  routeTables,
  publicIps,
  natGateways,
  subnets,
  vnetPeerings,
  loadBalancers,
  privateDnsZones,
  privateDnsLinks,
  privateDnsARecords,
  privateDnsAaaaRecords,
  privateEndpoints,
  bastionHosts,
]);
