import type { Json, JsonObject } from "../core/types.ts";
import { isJsonList, isJsonObject } from "../wire/json.ts";

const textAt = (value: JsonObject, name: string): string => {
  const found = value[name];
  return typeof found === "string" ? found : "";
};
const objects = (value: Json | undefined): readonly JsonObject[] =>
  isJsonList(value) ? value.filter(isJsonObject) : [];
const texts = (value: Json | undefined): readonly string[] =>
  isJsonList(value) ? value.filter((it) => typeof it === "string") : [];
const same = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();

/** Zones in which one size can be had; a restriction of the whole location leaves none. */
const zonesOfSku = (sku: JsonObject, location: string): readonly string[] => {
  const restrictions = objects(sku["restrictions"]);
  if (restrictions.some((it) => same(textAt(it, "type"), "Location"))) return [];
  const barred = new Set(
    restrictions.flatMap(({ restrictionInfo }) =>
      isJsonObject(restrictionInfo) ? texts(restrictionInfo["zones"]) : [],
    ),
  );
  const here = objects(sku["locationInfo"]).filter((it) => same(textAt(it, "location"), location));
  return here.flatMap((it) => texts(it["zones"])).filter((zone) => !barred.has(zone));
};

/**
 * Availability zones of a location, sorted: those in which at least one size of virtual machine can be had.
 * @param skus as https://learn.microsoft.com/rest/api/compute/resource-skus/list answers
 */
export const skuZones = (skus: readonly JsonObject[], location: string): readonly string[] => {
  const machines = skus.filter((sku) => same(textAt(sku, "resourceType"), "virtualMachines"));
  return [...new Set(machines.flatMap((sku) => zonesOfSku(sku, location)))].toSorted();
};
