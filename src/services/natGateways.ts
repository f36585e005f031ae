import { byDefault } from "../core/marked.ts";
import { defineService } from "../core/service.ts";
import type { NatGatewayBody } from "../wire/generated/network.ts";
import { ids } from "./ids.ts";
import type { ClusterScope } from "./scope.ts";
import { ownedTags } from "./tags.ts";

/** NAT gateways, one per distinct name among the subnets for nodes, each with one public IP address of ours. */
export const natGateways = defineService<ClusterScope, NatGatewayBody>({
  name: "natGateways",
  label: "natgateways",
  type: "Microsoft.Network/natGateways",
  condition: "NATGatewaysReady",
  after: ["resourceGroups", "virtualNetworks", "publicIps"],
  ownership: "tag",
  remove: "withGroup",
  trueWhenUnused: true,
  rules: {
    writes: "overlay",
    sets: ["zones"],
    immutable: ["location", "zones", "sku.name", "sku.tier"],
    absentMeans: { "properties.idleTimeoutInMinutes": 4 },
  },
  desired: (scope) =>
    scope.natGateways.map(({ name, publicIp, zones, implied }) => ({
      id: ids.natGateway(scope, name),
      onlyBeside: implied === true ? ids.virtualNetwork(scope) : undefined,
      body: {
        location: scope.location,
        zones,
        sku: byDefault({ name: "Standard" }),
        tags: ownedTags(scope, { name }),
        properties: { publicIpAddresses: [{ id: ids.publicIp(scope, publicIp.name) }] },
      },
    })),
});
