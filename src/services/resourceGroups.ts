import { defineService } from "../core/service.ts";
import type { ResourceGroupBody } from "../wire/generated/resources.ts";
import { ids } from "./ids.ts";
import type { ClusterScope } from "./scope.ts";
import { ownedTags } from "./tags.ts";

/** The group of the cluster, and that of its virtual network where it is another one. */
export const resourceGroups = defineService<ClusterScope, ResourceGroupBody>({
  name: "resourceGroups",
  label: "group",
  type: "Microsoft.Resources/resourceGroups",
  condition: "ResourceGroupReady",
  ownership: "tag",
  lastApplied: { annotation: "tags-rg", holds: "tags" },
  rules: { writes: "overlay", immutable: ["location", "managedBy"] },
  desired: (scope) =>
    [...new Set([scope.resourceGroup, scope.vnet.resourceGroup])].map((name) => ({
      id: ids.resourceGroup(scope, name),
      body: { location: scope.location, tags: ownedTags(scope, { role: "common", name }) },
    })),
});
