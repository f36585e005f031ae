import type { Fact, FactQuery } from "../../core/kind.ts";
import { assumedZones } from "../../kinds/zones.ts";

/** What is taken for granted of Azure while it is not asked: the zones that are given, else those a region usually has; no links. */
export const assumedFacts = (queries: readonly FactQuery[], zones: readonly string[] | undefined): readonly Fact[] =>
  queries.map((query) => assumed(query, zones));

const assumed = (query: FactQuery, zones: readonly string[] | undefined): Fact => {
  switch (query.kind) {
    case "zones":
      return zones === undefined ? assumedZones(query) : { kind: "zones", location: query.location, zones };
    case "zoneLinks":
      return { kind: "zoneLinks", zone: query.zone, links: [] };
  }
};

/** In words for people; undefined when nothing of it was assumed. */
export const assumption = (facts: readonly Fact[], given: readonly string[] | undefined): string | undefined => {
  const found = facts.find((fact) => fact.kind === "zones");
  if (found?.kind !== "zones" || given !== undefined) return undefined;
  const { zones, location } = found;
  const words = zones.length === 0 ? "no availability zones" : `availability zones ${zones.join(", ")}`;
  return `${location} is assumed to have ${words}; --zones says otherwise, --azure asks`;
};
