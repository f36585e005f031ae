import { defineService } from "../core/service.ts";
import type { PrivateZoneBody } from "../wire/generated/privateDns.ts";
import { ids } from "./ids.ts";
import type { ClusterScope } from "./scope.ts";
import { ownedTags } from "./tags.ts";

/** The private zone that has the name of a private API server. */
export const privateDnsZones = defineService<ClusterScope, PrivateZoneBody>({
  name: "privateDnsZones",
  label: "privatedns",
  type: "Microsoft.Network/privateDnsZones",
  condition: "PrivateDNSZoneReady",
  after: ["resourceGroups", "virtualNetworks"],
  ownership: "tag",
  remove: "withGroup",
  rules: { writes: "overlay", immutable: ["location"] },
  desired: (scope) =>
    scope.privateDns === undefined
      ? []
      : [{ id: ids.privateDnsZone(scope, scope.privateDns), body: { location: "global", tags: ownedTags(scope, {}) } }],
});
