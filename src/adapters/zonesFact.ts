import type { Fact, ZonesQuery } from "../core/kind.ts";
import type { Result } from "../core/types.ts";
import type { Arm } from "../ports.ts";
import { skuZones } from "./skuZones.ts";

const skuApiVersion = "2021-07-01";

/** Looks up the zones of a region, as the sizes of virtual machines tell them. */
export const lookUpZones = async ({ subscription, location }: ZonesQuery, arm: Arm): Promise<Result<Fact>> => {
  const listed = await arm.list({
    method: "GET",
    path: `/subscriptions/${subscription}/providers/Microsoft.Compute/skus`,
    apiVersion: skuApiVersion,
    query: { $filter: `location eq '${location.replaceAll("'", "''")}'` },
  });
  return listed.ok ? { ok: true, value: { kind: "zones", location, zones: skuZones(listed.value, location) } } : listed;
};
