import type { Fact, ZonesQuery } from "../core/kind.ts";

const sameLocation = (a: string, b: string): boolean =>
  a.replaceAll(" ", "").toLowerCase() === b.replaceAll(" ", "").toLowerCase();

/** Availability zones of a region, looked up once a turn. */
export const zonesQuery = (subscription: string, location: string): ZonesQuery => ({
  kind: "zones",
  subscription,
  location,
});

/** The zones that were looked up, sorted; undefined when they were not, empty when the region has none. */
export const zonesIn = (facts: readonly Fact[], location: string): readonly string[] | undefined =>
  facts
    .flatMap((fact) => (fact.kind === "zones" && sameLocation(fact.location, location) ? [fact.zones] : []))[0]
    ?.toSorted();

/**
 * Regions that never had availability zones
 * (https://learn.microsoft.com/azure/reliability/availability-zones-region-support).
 */
const regionsWithoutZones: ReadonlySet<string> = new Set(
  [
    "australiacentral australiacentral2 australiasoutheast brazilsoutheast canadaeast francesouth germanynorth",
    "jioindiacentral jioindiawest koreasouth northcentralus norwaywest southafricawest southindia switzerlandwest",
    "uaecentral ukwest westcentralus westindia westus usgovarizona usgovtexas chinaeast chinaeast2 chinanorth chinanorth2",
  ].flatMap((names) => names.split(" ")),
);

/** What is assumed of a region when Azure is not asked, as by a plan without Azure: three zones, unless it has none. */
export const assumedZones = (query: ZonesQuery): Fact => {
  const location = query.location.replaceAll(" ", "").toLowerCase();
  return { kind: "zones", location: query.location, zones: regionsWithoutZones.has(location) ? [] : ["1", "2", "3"] };
};
