import { byDefault } from "../core/marked.ts";
import { defineService } from "../core/service.ts";
import type { BastionHostBody } from "../wire/generated/network.ts";
import { ids } from "./ids.ts";
import { marked } from "./parts/choice.ts";
import type { ClusterScope } from "./scope.ts";
import { ownedTags } from "./tags.ts";

/** The bastion host through which people reach machines that have no public address. */
export const bastionHosts = defineService<ClusterScope, BastionHostBody>({
  name: "bastionHosts",
  label: "bastionhosts",
  type: "Microsoft.Network/bastionHosts",
  condition: "BastionHostReady",
  after: ["resourceGroups", "publicIps", "subnets"],
  ownership: "tag",
  remove: "withGroup",
  trueWhenUnused: true,
  rules: {
    writes: "overlay",
    immutable: [
      "location",
      "zones",
      "properties.ipConfigurations[].properties.subnet.id",
      "properties.ipConfigurations[].properties.publicIPAddress.id",
    ],
    absentMeans: { "properties.enableTunneling": false },
  },
  desired: (scope) => {
    const { bastion } = scope;
    if (bastion === undefined) return [];
    const { name, sku, enableTunneling } = bastion;
    return [
      {
        id: ids.bastionHost(scope, name),
        body: {
          location: scope.location,
          sku: { name: marked<string>(sku) },
          tags: ownedTags(scope, { role: "Bastion", name }),
          properties: {
            dnsName: byDefault(`${name.toLowerCase()}-bastion`),
            enableTunneling: marked(enableTunneling),
            ipConfigurations: [
              {
                name: `${name}-bastionIP`,
                properties: {
                  privateIPAllocationMethod: byDefault("Dynamic"),
                  subnet: { id: ids.subnet(scope, bastion.subnet) },
                  publicIPAddress: { id: ids.publicIp(scope, bastion.publicIp) },
                },
              },
            ],
          },
        },
      },
    ];
  },
});
