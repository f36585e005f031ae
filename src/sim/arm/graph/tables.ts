import type { Resource, ResourceChange, World } from "../armState.ts";
import type { Json, JsonObject } from "../json.ts";
import { groupOf, nameOf, subscriptionOf } from "../resourceTarget.ts";

const groupType = "microsoft.resources/resourcegroups";
const containerType = "microsoft.resources/subscriptions/resourcegroups";

const isContainer = ({ type }: Pick<Resource, "type">): boolean => type.toLowerCase() === groupType;
const typeOf = (one: Pick<Resource, "type">): string => (isContainer(one) ? containerType : one.type.toLowerCase());

const placeOf = (id: string): JsonObject => ({
  subscriptionId: subscriptionOf(id),
  resourceGroup: groupOf(id).toLowerCase(),
});

/**
 * One row of a table of changes. The list of fields is that of an update; creations and deletions have none. Source:
 * https://learn.microsoft.com/azure/governance/resource-graph/changes/get-resource-changes
 */
const changeRow = (change: ResourceChange): JsonObject => ({
  id: `${change.id}/providers/Microsoft.Resources/changes/${change.name}`,
  name: change.name,
  type: "microsoft.resources/changes",
  ...placeOf(change.id),
  properties: {
    targetResourceId: change.id,
    targetResourceType: typeOf(change),
    changeType: change.change,
    changeAttributes: {
      timestamp: new Date(change.atMs).toISOString(),
      correlationId: change.correlationId,
      changesCount: change.fields.length,
      changedBy: change.by,
      changedByType: "Application",
      clientType: "Unspecified",
      operation: `${change.type}/${change.change === "Delete" ? "delete" : "write"}`,
    },
    changes: Object.fromEntries(
      change.fields.map(({ path, before, after }): [string, Json] => [
        path,
        {
          propertyChangeType: before === undefined ? "Insert" : after === undefined ? "Remove" : "Update",
          changeCategory: "User",
          previousValue: before ?? null,
          newValue: after ?? null,
        },
      ]),
    ),
  },
});

const changesIn = ({ state, nowMs }: World, containers: boolean): readonly JsonObject[] =>
  state.changes.filter((change) => change.shownFromMs <= nowMs && isContainer(change) === containers).map(changeRow);

const resourcesIn = ({ state }: World, containers: boolean): readonly JsonObject[] =>
  [...state.resources.values()]
    .filter((resource) => isContainer(resource) === containers)
    .map((resource) => ({
      ...resource.body,
      id: resource.id,
      name: nameOf(resource.id),
      type: typeOf(resource),
      ...placeOf(resource.id),
    }));

/** The simulated tables. As in Azure, resource groups stand in tables of their own. */
export const graphTables: Readonly<Record<string, (world: World) => readonly JsonObject[]>> = {
  resourcechanges: (world) => changesIn(world, false),
  resourcecontainerchanges: (world) => changesIn(world, true),
  resources: (world) => resourcesIn(world, false),
  resourcecontainers: (world) => resourcesIn(world, true),
};

const texts = ["id", "name", "type", "tenantId", "kind", "location", "resourceGroup", "subscriptionId", "managedBy"];
const dynamics = ["sku", "plan", "properties", "tags", "identity", "zones", "extendedLocation", "systemData"];

/** The columns of every table; those with objects and lists have no type of their own. */
export const graphColumns: ReadonlyMap<string, { readonly typed: boolean }> = new Map(
  [...texts, ...dynamics].map((name) => [name, { typed: texts.includes(name) }]),
);
