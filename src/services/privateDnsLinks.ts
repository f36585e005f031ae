import { byDefault } from "../core/marked.ts";
import { defineService } from "../core/service.ts";
import type { VirtualNetworkLinkBody } from "../wire/generated/privateDns.ts";
import { ids } from "./ids.ts";
import type { ClusterScope } from "./scope.ts";
import { ownedTags } from "./tags.ts";

/** Links of the private zone: the networks, that of the cluster and its peers, in which its names can be looked up. */
export const privateDnsLinks = defineService<ClusterScope, VirtualNetworkLinkBody>({
  name: "privateDnsLinks",
  label: "privatedns",
  type: "Microsoft.Network/privateDnsZones/virtualNetworkLinks",
  condition: "PrivateDNSLinkReady",
  after: ["privateDnsZones", "virtualNetworks"],
  ownership: "tag",
  remove: "withGroup",
  rules: {
    writes: "overlay",
    immutable: ["location", "properties.virtualNetwork.id"],
    absentMeans: { "properties.registrationEnabled": false, "properties.resolutionPolicy": "Default" },
  },
  desired: (scope) => {
    const { privateDns: dns } = scope;
    return (dns?.links ?? []).flatMap(({ name, vnet }) =>
      dns === undefined
        ? []
        : [
            {
              id: ids.privateDnsChild(scope, dns, "virtualNetworkLinks", name),
              body: {
                location: "global",
                tags: ownedTags(scope, {}),
                properties: {
                  registrationEnabled: byDefault(false),
                  virtualNetwork: { id: ids.remoteNetwork(scope, vnet) },
                },
              },
            },
          ],
    );
  },
});
