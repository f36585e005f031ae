import { defineService } from "../core/service.ts";
import type { VirtualNetworkPeering } from "../wire/generated/network.ts";
import { ids } from "./ids.ts";
import type { ClusterScope, PeeringSide } from "./scope.ts";

/** Azure takes the name in the body too; upstream sends it. */
const body = ({ name, ...flags }: PeeringSide, remote: string): VirtualNetworkPeering => ({
  name,
  properties: { remoteVirtualNetwork: { id: remote }, ...flags },
});

/** Peerings of the virtual network, both directions: a peering connects only when each network points at the other. */
export const vnetPeerings = defineService<ClusterScope, VirtualNetworkPeering>({
  name: "vnetPeerings",
  label: "vnetpeerings",
  type: "Microsoft.Network/virtualNetworks/virtualNetworkPeerings",
  condition: "VnetPeeringReady",
  after: ["virtualNetworks", "subnets"],
  ownership: "parent",
  serialize: "parent",
  rules: {
    writes: "overlay",
    // What Azure derives from the networks themselves.
    omit: [
      "properties.localAddressSpace",
      "properties.localVirtualNetworkAddressSpace",
      "properties.remoteAddressSpace",
      "properties.remoteVirtualNetworkAddressSpace",
      "properties.remoteBgpCommunities",
      "properties.peeringState",
      "properties.peeringSyncLevel",
    ],
    immutable: ["properties.remoteVirtualNetwork.id"],
    // Both sides forget each other when one of them is deleted, and keep each other's old ranges until told to look again.
    heals: {
      "properties.peeringState": { broken: ["Disconnected"], whole: "Connected" },
      "properties.peeringSyncLevel": {
        broken: ["LocalNotInSync", "LocalAndRemoteNotInSync"],
        whole: "FullyInSync",
        query: { syncRemoteAddressSpace: "true" },
      },
    },
    absentMeans: {
      "properties.allowForwardedTraffic": false,
      "properties.allowGatewayTransit": false,
      "properties.useRemoteGateways": false,
    },
  },
  desired: (scope) =>
    scope.peerings.flatMap(({ remote, forward, reverse }) => {
      const [here, there] = [ids.virtualNetwork(scope), ids.remoteNetwork(scope, remote)];
      return [
        { id: ids.peering(here, forward.name), body: body(forward, there) },
        { id: ids.peering(there, reverse.name), body: body(reverse, here) },
      ];
    }),
});
