import { loadBalancers } from "./loadBalancers.ts";
import { natGateways } from "./natGateways.ts";
import { publicIps } from "./publicIps.ts";
import { resourceGroups } from "./resourceGroups.ts";
import { routeTables } from "./routeTables.ts";
import { securityGroups } from "./securityGroups.ts";
import { subnets } from "./subnets.ts";
import { virtualNetworks } from "./virtualNetworks.ts";

/** Services of an AzureCluster. The order is only that of reports; `after` decides what comes first. */
export const clusterServices = Object.freeze([
  resourceGroups,
  virtualNetworks,
  securityGroups,
  routeTables,
  publicIps,
  natGateways,
  subnets,
  loadBalancers,
]);
