import type { Json, JsonObject } from "../json.ts";
import { regions, zonesOf } from "./regions.ts";
import { type Size, sizes } from "./sizes.ts";

const capabilities = (values: Readonly<Record<string, string>>): Json[] =>
  Object.entries(values).map(([name, value]) => ({ name, value }));

const entry = (
  resourceType: string,
  name: string,
  location: string,
  zones: readonly string[],
  values: Readonly<Record<string, string>>,
  more: JsonObject,
): JsonObject => ({
  resourceType,
  name,
  locations: [location],
  locationInfo: [{ location, zones: [...zones], zoneDetails: [] }],
  capabilities: capabilities(values),
  restrictions: [],
  ...more,
});

const ofSize = (size: Size, location: string): JsonObject => {
  const zones = zonesOf(location);
  const ultra: Json[] =
    size.ultra === true && zones.length > 0
      ? [{ Name: [...zones], capabilities: [{ name: "UltraSSDAvailable", value: "True" }] }]
      : [];
  const restricted: Json[] =
    size.notIn?.includes(location) === true
      ? [
          {
            type: "Location",
            values: [location],
            restrictionInfo: { locations: [location] },
            reasonCode: "NotAvailableForSubscription",
          },
        ]
      : [];
  return entry("virtualMachines", size.name, location, zones, size.capabilities, {
    tier: "Standard",
    size: size.name.replace(/^Standard_/, ""),
    family: size.family,
    locationInfo: [{ location, zones: [...zones], zoneDetails: ultra }],
    restrictions: restricted,
  });
};

const diskNames = ["Standard_LRS", "StandardSSD_LRS", "Premium_LRS", "StandardSSD_ZRS", "Premium_ZRS", "UltraSSD_LRS"];

/** The list `Microsoft.Compute/skus` of one region. */
export const skusOf = (location: string): readonly JsonObject[] => [
  ...["Classic", "Aligned"].map((name) =>
    entry("availabilitySets", name, location, [], { MaximumPlatformFaultDomainCount: "3" }, {}),
  ),
  ...diskNames.map((name) =>
    entry("disks", name, location, zonesOf(location), {}, { tier: name.split("_")[0] ?? "", size: "P10" }),
  ),
  ...sizes.map((size) => ofSize(size, location)),
];

/** The same list of every region. */
export const allSkus = (): readonly JsonObject[] => regions.flatMap(({ name }) => skusOf(name));
