import { defineService } from "../core/service.ts";
import type { RouteTableBody } from "../wire/generated/network.ts";
import { ids } from "./ids.ts";
import type { ClusterScope } from "./scope.ts";
import { ownedTags } from "./tags.ts";

/** Route tables, one per distinct name among the subnets. Their routes belong to the cloud provider inside the cluster. */
export const routeTables = defineService<ClusterScope, RouteTableBody>({
  name: "routeTables",
  label: "routetables",
  type: "Microsoft.Network/routeTables",
  condition: "RouteTablesReady",
  after: ["resourceGroups", "virtualNetworks"],
  ownership: "tag",
  remove: "withGroup",
  rules: {
    writes: "overlay",
    yields: ["properties.routes"],
    immutable: ["location"],
    absentMeans: { "properties.disableBgpRoutePropagation": false },
  },
  desired: (scope) =>
    scope.routeTables.map((name) => ({
      id: ids.routeTable(scope, name),
      onlyBeside: ids.virtualNetwork(scope),
      body: { location: scope.location, tags: ownedTags(scope, { name }), properties: {} },
    })),
});
