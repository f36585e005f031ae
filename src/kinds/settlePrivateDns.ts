import type { LoadBalancer, Peering, PrivateDns, VnetPlace } from "../services/scope.ts";
import { parseAddress } from "./cidr.ts";
import type { CompleteNetwork } from "./complete.ts";
import { names } from "./names.ts";
import { namesAfter } from "./settlePeerings.ts";

interface Around {
  readonly vnet: VnetPlace;
  readonly peerings: readonly Peering[];
  readonly loadBalancers: readonly LoadBalancer[];
}

/** Where a private API server answers. */
const privateFrontend = (loadBalancers: readonly LoadBalancer[]) =>
  loadBalancers
    .filter(({ role }) => role === "apiserver")
    .flatMap(({ frontends }) => frontends)
    .find((frontend) => frontend.kind === "private");

/** The zone of a private API server, linked to the cluster's network and its peers; none when it is not ours to make. */
export const settlePrivateDns = (network: CompleteNetwork, around: Around): PrivateDns | undefined => {
  const { privateDNSZone, privateDNSZoneName: zone, privateDNSZoneResourceGroup: resourceGroup } = network;
  const frontend = privateFrontend(around.loadBalancers);
  if (privateDNSZone !== "System" || zone === undefined || resourceGroup === undefined || frontend === undefined)
    return undefined;
  const vnets = [around.vnet, ...around.peerings.map(({ remote }) => remote)];
  const linkNames = namesAfter(vnets, names.vnetLink);
  return {
    zone,
    resourceGroup,
    links: vnets.map(({ name, resourceGroup: group }, index) => ({
      name: linkNames[index] ?? "",
      vnet: { name, resourceGroup: group },
    })),
    record: {
      name: names.privateApiServer,
      version: parseAddress(frontend.address.value)?.version ?? 4,
      address: frontend.address,
    },
  };
};
