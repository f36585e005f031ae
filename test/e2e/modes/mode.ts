import type { JsonObject } from "../../../src/core/types.ts";

/** One way of making a cluster, and all that is then there. Only `name` and what differs from the default is said. */
export interface Mode {
  readonly title: string;
  /** Name of the Cluster and of its namespace; unless said otherwise of the AzureCluster and its resource group too. */
  readonly name: string;
  /** From 1; each has a subscription of its own, so that all that is in it is the mode's. */
  readonly number: number;
  /** Name of the AzureCluster where it is another, as with a class of clusters. */
  readonly azureCluster?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Resource Manager of another cloud than the public one. */
  readonly management?: string;
  /** Of the Cluster, laid over a spec that asks for nothing. */
  readonly clusterNetwork?: JsonObject;
  /** Laid over a spec with region, subscription and identity. */
  readonly spec?: JsonObject;
  /** What others have in Azure before. Ids as in `made`. */
  readonly before?: readonly (JsonObject & { readonly id: string })[];
  /** Until somebody sets this in the spec, all stands but is not ready. */
  readonly late?: { readonly spec: JsonObject; readonly reason: string };
  /** All that Capstan makes: `group`, `group/virtualNetworks/name`. */
  readonly made: readonly string[];
  /** Parts of what is made, by id. */
  readonly bodies?: Readonly<Record<string, JsonObject>>;
  readonly endpoint: { readonly host: string; readonly port: number };
  /** Zones, and whether control-plane machines may be there; empty: none. */
  readonly zones: Readonly<Record<string, boolean>>;
  /** Types of conditions that are true beside those that every cluster has. */
  readonly conditions: readonly string[];
  /** What NetworkInfrastructureReady says although it is true. */
  readonly says?: string;
}

/** Conditions that every AzureCluster has once it stands. */
export const alwaysTrue: readonly string[] = [
  "BastionHostReady",
  "NATGatewaysReady",
  "NetworkInfrastructureReady",
  "PrivateEndpointsReady",
  "PublicIPsReady",
  "Ready",
  "ResourceGroupReady",
  "RouteTablesReady",
  "SecurityGroupsReady",
  "SpecValid",
  "SubnetsReady",
  "VNetReady",
];

export const objectName = ({ name, azureCluster }: Mode): string => azureCluster ?? name;

export const subscriptionOf = ({ number }: Mode): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

const provider = "providers/Microsoft.Network";
const tops = /^\/subscriptions\/[^/]+\/resourceGroups\/([^/]+)(?:\/providers\/Microsoft\.Network)?/i;

/** `group/virtualNetworks/name` as an id. */
export const idOf = (mode: Mode, short: string): string => {
  const [group = "", ...rest] = short.split("/");
  const inside = rest.length === 0 ? "" : `/${provider}/${rest.join("/")}`;
  return `/subscriptions/${subscriptionOf(mode)}/resourceGroups/${group}${inside}`;
};

/** The other way round, in lower case: Azure does not tell cases apart. */
export const shortOf = (id: string): string => id.replace(tops, "$1").toLowerCase();

/** Ids for a comparison in which neither order nor case counts. */
export const comparable = (ids: readonly string[]): readonly string[] => ids.map((id) => id.toLowerCase()).toSorted();

/** What others have in Azure before, in the form that the simulator takes. */
export const seedsOf = (mode: Mode): readonly (JsonObject & { readonly id: string })[] =>
  (mode.before ?? []).map((one) => ({ ...one, id: idOf(mode, one.id) }));

/** Ids in Azure, short and in lower case, without those that others had before, and their groups. */
export const madeOf = ({ before = [] }: Mode, ids: readonly string[]): readonly string[] => {
  const theirs = new Set(before.flatMap(({ id }) => [id.toLowerCase(), id.toLowerCase().split("/")[0]]));
  return comparable(ids.filter((id) => !theirs.has(id)));
};
