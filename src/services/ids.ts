import { childId, resourceGroupId, resourceId } from "../core/ids.ts";
import type { ResourceId } from "../core/types.ts";
import type { ClusterScope, PrivateDns, VnetPlace } from "./scope.ts";

/** What lies in the cluster's resource group needs these two to be found. */
type Place = Pick<ClusterScope, "subscription" | "resourceGroup">;
/** What lies beside the virtual network needs these. */
type NetworkPlace = Pick<ClusterScope, "subscription" | "vnet">;

const inGroup =
  (type: string) =>
  ({ subscription, resourceGroup }: Place, name: string): ResourceId =>
    resourceId(subscription, resourceGroup, type, name);

const besideVnet =
  (type: string) =>
  ({ subscription, vnet }: NetworkPlace, name: string): ResourceId =>
    resourceId(subscription, vnet.resourceGroup, type, name);

const remoteNetwork = ({ subscription }: Pick<ClusterScope, "subscription">, { resourceGroup, name }: VnetPlace) =>
  resourceId(subscription, resourceGroup, "Microsoft.Network/virtualNetworks", name);
const privateDnsZone = (
  { subscription }: Pick<ClusterScope, "subscription">,
  { resourceGroup, zone }: Pick<PrivateDns, "resourceGroup" | "zone">,
): ResourceId => resourceId(subscription, resourceGroup, "Microsoft.Network/privateDnsZones", zone);

const loadBalancer = inGroup("Microsoft.Network/loadBalancers");
const virtualNetwork = (scope: NetworkPlace): ResourceId =>
  besideVnet("Microsoft.Network/virtualNetworks")(scope, scope.vnet.name);

/** Where things of a cluster live. A service refers to another's resource by computing its id, never by reading it back. */
export const ids = Object.freeze({
  resourceGroup: ({ subscription }: Pick<ClusterScope, "subscription">, name: string) =>
    resourceGroupId(subscription, name),
  virtualNetwork,
  subnet: (scope: NetworkPlace, name: string) => childId(virtualNetwork(scope), "subnets", name),
  securityGroup: besideVnet("Microsoft.Network/networkSecurityGroups"),
  routeTable: besideVnet("Microsoft.Network/routeTables"),
  publicIp: inGroup("Microsoft.Network/publicIPAddresses"),
  natGateway: inGroup("Microsoft.Network/natGateways"),
  bastionHost: inGroup("Microsoft.Network/bastionHosts"),
  privateEndpoint: inGroup("Microsoft.Network/privateEndpoints"),
  /** A virtual network of this subscription, anywhere. */
  remoteNetwork,
  peering: (vnet: ResourceId, name: string) => childId(vnet, "virtualNetworkPeerings", name),
  privateDnsZone,
  privateDnsChild: (
    scope: Pick<ClusterScope, "subscription">,
    dns: PrivateDns,
    type: "virtualNetworkLinks" | "A" | "AAAA",
    name: string,
  ) => childId(privateDnsZone(scope, dns), type, name),
  loadBalancer,
  /** A part of a load balancer that other parts refer to. */
  loadBalancerPart: (
    scope: Place,
    name: string,
    list: "frontendIPConfigurations" | "backendAddressPools" | "probes",
    part: string,
  ) => childId(loadBalancer(scope, name), list, part),
});
