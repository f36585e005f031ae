import { idKey } from "../core/ids.ts";
import type { Fact, ZoneLink, ZoneLinksQuery } from "../core/kind.ts";
import type { JsonObject, Result } from "../core/types.ts";
import type { Arm } from "../ports.ts";
import { apiVersions } from "../wire/generated/apiVersions.ts";
import { isJsonObject } from "../wire/json.ts";

const zoneType = "Microsoft.Network/privateDnsZones";
const linkType = "Microsoft.Network/privateDnsZones/virtualNetworkLinks";

const textAt = (object: JsonObject, name: string): string => {
  const value = object[name];
  return typeof value === "string" ? value : "";
};

const linkOf = (body: JsonObject): readonly ZoneLink[] => {
  const { properties } = body;
  const network = isJsonObject(properties) ? properties["virtualNetwork"] : undefined;
  const [id, vnet] = [textAt(body, "id"), isJsonObject(network) ? textAt(network, "id") : ""];
  return id === "" || vnet === "" ? [] : [{ id, vnet }];
};

const linksOf = (zone: JsonObject, arm: Arm): Promise<Result<readonly JsonObject[]>> =>
  arm.list({
    method: "GET",
    path: `${textAt(zone, "id")}/virtualNetworkLinks`,
    apiVersion: apiVersions[linkType],
  });

/** An identity with rights in some groups only may not list: what it cannot see it does not know to be in the way. */
const orNothing = (listed: Result<readonly JsonObject[]>): Result<readonly JsonObject[]> =>
  listed.ok || (listed.error.kind !== "auth" && listed.error.kind !== "gone" && listed.error.status !== 404)
    ? listed
    : { ok: true, value: [] };

/** Looks up the links of all private zones of one name in a subscription. */
export const lookUpZoneLinks = async ({ subscription, zone }: ZoneLinksQuery, arm: Arm): Promise<Result<Fact>> => {
  const path = `/subscriptions/${subscription}/providers/${zoneType}`;
  const zones = orNothing(await arm.list({ method: "GET", path, apiVersion: apiVersions[zoneType] }));
  if (!zones.ok) return zones;
  const named = zones.value.filter((one) => idKey(textAt(one, "name")) === idKey(zone));
  const listed = (await Promise.all(named.map((one) => linksOf(one, arm)))).map(orNothing);
  const broken = listed.find((one) => !one.ok);
  if (broken?.ok === false) return broken;
  const links = listed.flatMap((one) => (one.ok ? one.value.flatMap(linkOf) : []));
  return { ok: true, value: { kind: "zoneLinks", zone, links } };
};
