/** A region as `GET /subscriptions/{id}/locations` shows it. */
export interface Region {
  readonly name: string;
  readonly displayName: string;
  readonly geography: string;
  readonly zones: readonly string[];
}

const three = ["1", "2", "3"] as const;
const region = (displayName: string, geography: string, zones: readonly string[] = three): Region => ({
  name: displayName.toLowerCase().replaceAll(" ", ""),
  displayName,
  geography,
  zones,
});

/**
 * Regions of all clouds with their availability zones. Source:
 * https://learn.microsoft.com/azure/reliability/regions-list
 */
export const regions: readonly Region[] = [
  region("East US", "US"),
  region("East US 2", "US"),
  region("Central US", "US"),
  region("South Central US", "US"),
  region("North Central US", "US", []),
  region("West Central US", "US", []),
  region("West US", "US", []),
  region("West US 2", "US"),
  region("West US 3", "US"),
  region("Canada Central", "Canada"),
  region("Canada East", "Canada", []),
  region("Brazil South", "South America"),
  region("North Europe", "Europe"),
  region("West Europe", "Europe"),
  region("UK South", "UK"),
  region("UK West", "UK", []),
  region("France Central", "Europe"),
  region("France South", "Europe", []),
  region("Germany West Central", "Europe"),
  region("Germany North", "Europe", []),
  region("Switzerland North", "Europe"),
  region("Switzerland West", "Europe", []),
  region("Sweden Central", "Europe"),
  region("Norway East", "Europe"),
  region("Poland Central", "Europe"),
  region("Italy North", "Europe"),
  region("Spain Central", "Europe"),
  region("Israel Central", "Middle East"),
  region("UAE North", "Middle East"),
  region("Qatar Central", "Middle East"),
  region("South Africa North", "Africa"),
  region("Central India", "Asia Pacific"),
  region("South India", "Asia Pacific", []),
  region("Southeast Asia", "Asia Pacific"),
  region("East Asia", "Asia Pacific"),
  region("Japan East", "Asia Pacific"),
  region("Japan West", "Asia Pacific"),
  region("Korea Central", "Asia Pacific"),
  region("Korea South", "Asia Pacific", []),
  region("Australia East", "Asia Pacific"),
  region("Australia Southeast", "Asia Pacific", []),
  region("New Zealand North", "Asia Pacific"),
  region("Mexico Central", "Mexico"),
  region("Chile Central", "South America"),
  region("Brazil Southeast", "South America", []),
  region("Austria East", "Europe"),
  region("Belgium Central", "Europe"),
  region("Norway West", "Europe", []),
  region("UAE Central", "Middle East", []),
  region("South Africa West", "Africa", []),
  region("West India", "Asia Pacific", []),
  region("Jio India West", "Asia Pacific", []),
  region("Indonesia Central", "Asia Pacific"),
  region("Malaysia West", "Asia Pacific"),
  region("Australia Central", "Asia Pacific", []),
  region("USGov Virginia", "US Government"),
  region("USGov Arizona", "US Government", []),
  region("USGov Texas", "US Government", []),
  region("China North 2", "China", []),
  region("China North 3", "China"),
  region("China East 2", "China", []),
  region("China East 3", "China", []),
];

const named = (location: string): Region | undefined =>
  regions.find((candidate) => candidate.name === location.toLowerCase().replaceAll(" ", ""));

export const isRegion = (location: string): boolean => named(location) !== undefined;

/** Availability zones of a region; none for an unknown one. */
export const zonesOf = (location: string): readonly string[] => named(location)?.zones ?? [];
