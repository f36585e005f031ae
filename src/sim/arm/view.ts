import type { Resource, World } from "./armState.ts";
import { clone, type Json, type JsonObject, listAt, objectAt, textAt } from "./json.ts";
import { keyOf } from "./resourceTarget.ts";
import { typeRules } from "./rules.ts";

/** Providers that write `resourcegroups` do so in every id of the resource itself. */
const lowerGroups = (body: JsonObject): void => {
  const id = textAt(body, "id");
  body["id"] = id.replace(/\/resourceGroups\//i, "/resourcegroups/");
};

/** A resource as a reader sees it: what is stored, and what Azure computes from others. */
export const viewOf = (world: World, resource: Resource, expand = ""): JsonObject => {
  const rules = typeRules(resource.type);
  const body = clone(resource.body);
  rules.view?.(world, resource, body, expand);
  if (rules.lowerCaseGroups === true) lowerGroups(body);
  return body;
};

/** A resource as the answer to a write shows it. */
export const viewForWriter = (world: World, resource: Resource): JsonObject => {
  const body = viewOf(world, resource);
  for (const name of typeRules(resource.type).readsOnly ?? []) delete objectAt(body, "properties")[name];
  return body;
};

/** One child of a resource as a reader sees it. */
export const viewOfChild = (
  world: World,
  parent: Resource,
  collection: string,
  childId: string,
): JsonObject | undefined =>
  listAt(viewOf(world, parent), "properties", collection).find(
    (child) => keyOf(textAt(child, "id")) === keyOf(childId),
  );

/** The ETag header of a provider that sends one. */
export const etagHeader = (resource: Resource): Readonly<Record<string, string>> => {
  const { etag } = typeRules(resource.type);
  return etag === "weak" || etag === "quoted" || etag === "guid" ? { etag: resource.etag } : {};
};

/** Just the fields of a generic resource listing. */
export const summaryOf = (body: JsonObject): Json =>
  Object.fromEntries(
    ["id", "name", "type", "location", "tags", "sku", "kind", "managedBy", "identity", "zones", "plan"].flatMap(
      (name): [string, Json][] => {
        const value = body[name];
        return value === undefined ? [] : [[name, value]];
      },
    ),
  );
