import { fill, readOnly } from "../fieldRules.ts";
import { listAt, propertiesOf, textAt } from "../json.ts";
import { refuse } from "../protocol.ts";
import { referencesTo } from "../store.ts";
import type { TypeRules } from "../typeRules.ts";
import { heldBy, listReferrers } from "./backReferences.ts";
import { publicIpsFree } from "./ipConfigurations.ts";

/** NAT gateways. */
export const natGateways: TypeRules = {
  type: "Microsoft.Network/natGateways",
  etag: "weak",
  patch: "tags",
  zonal: true,
  put: { retryAfterSeconds: 10 },
  missingReference: "NotFound",
  fields: [
    ...readOnly("properties", "subnets"),
    fill("properties.idleTimeoutInMinutes", 4),
    fill("sku.tier", "Regional"),
  ],
  check: (draft) =>
    publicIpsFree(
      draft,
      listAt(draft.body, "properties", "publicIpAddresses").map((item) => textAt(item, "id")),
    ),
  inUse: (world, resource) => {
    const subnets = referencesTo(world.state, resource.id).length;
    return subnets === 0
      ? undefined
      : refuse(
          400,
          "CannotDeleteNatGatewayAssociatedToSubnet",
          `NAT Gateway ${resource.id} is still configured on ${subnets} subnets. Remove NAT Gateway from all referenced subnets and then delete NAT Gateway.`,
          { details: [] },
        );
  },
  view: (world, resource, body) =>
    listReferrers(world, propertiesOf(body), "subnets", resource.id, heldBy(/\/virtualNetworks$/i)),
};
