import { fill, readOnly } from "../fieldRules.ts";
import { type JsonObject, listAt, propertiesOf, sameText, textAt } from "../json.ts";
import { type Answer, refuse } from "../protocol.ts";
import { nameOf } from "../resourceTarget.ts";
import { referencesTo } from "../store.ts";
import type { Draft, TypeRules } from "../typeRules.ts";
import { heldBy, listReferrers } from "./backReferences.ts";

const checkRoutes = (draft: Draft): Answer | undefined => {
  const seen: JsonObject[] = [];
  for (const route of listAt(draft.body, "properties", "routes")) {
    const prefix = textAt(route, "properties", "addressPrefix");
    const clash = seen.find((other) => sameText(textAt(other, "properties", "addressPrefix"), prefix));
    if (clash !== undefined)
      return refuse(
        400,
        "RouteConflict",
        `Route ${textAt(route, "name")} conflicts with route ${textAt(clash, "name")}. Routes cannot have the same AddressPrefix.`,
        { details: [] },
      );
    seen.push(route);
  }
  return undefined;
};

/** Route tables; their routes are also addressable on their own. */
export const routeTables: TypeRules = {
  type: "Microsoft.Network/routeTables",
  etag: "weak",
  patch: "tags",
  remove: { retryAfterSeconds: 2 },
  children: [{ collection: "routes", writable: true, always: true, retryAfterSeconds: 2, apart: true }],
  fields: [
    ...readOnly("properties", "subnets"),
    fill("properties.disableBgpRoutePropagation", false),
    fill("properties.routes[].properties.hasBgpOverride", false),
  ],
  check: checkRoutes,
  inUse: (world, resource) =>
    referencesTo(world.state, resource.id).length === 0
      ? undefined
      : refuse(
          400,
          "InUseRouteTableCannotBeDeleted",
          `Route table ${nameOf(resource.id)} is in use and cannot be deleted.`,
          { details: [] },
        ),
  view: (world, resource, body) =>
    listReferrers(world, propertiesOf(body), "subnets", resource.id, heldBy(/\/virtualNetworks$/i)),
};
