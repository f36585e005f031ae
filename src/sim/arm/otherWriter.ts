import { type ArmState, nextGuid, type Resource, type World } from "./armState.ts";
import { recordChange, recordRemovals } from "./changes.ts";
import { complete, newEtag, stampEtag, stampState } from "./complete.ts";
import { dropWhole } from "./dropWhole.ts";
import { clone, type Json, type JsonObject, listAt, propertiesOf, sameText, textAt } from "./json.ts";
import { ensureResource, newResource } from "./resource.ts";
import { groupIdOf, keyOf, nameOf, resourceTarget } from "./resourceTarget.ts";
import { embeddedIn, typeRules } from "./rules.ts";
import { find, save } from "./store.ts";

/** A resource to put in place: its id and what a PUT would send. */
export interface Seed extends JsonObject {
  id: string;
}

const worldOf = (state: ArmState, nowMs: number): World => ({
  state,
  nowMs,
  apiVersion: "9999-01-01",
  correlationId: nextGuid(state),
  identity: "another-writer",
  failure: undefined,
});

/** Something is wrong with what a test or the admin API asked for. */
export class SeedError extends Error {
  override readonly name = "SeedError";
}

const renew = (world: World, resource: Resource, before: JsonObject | undefined): void => {
  const rules = typeRules(resource.type);
  resource.etag = newEtag(world, rules);
  stampEtag(rules, resource.body, resource.etag);
  save(world.state, resource);
  recordChange(world, resource, before === undefined ? "Create" : "Update", before);
};

/** The parent's body with one child put in, replaced, or (undefined) taken out. */
const withChild = (parent: Resource, collection: string, id: string, child: JsonObject | undefined): JsonObject => {
  const body = clone(parent.body);
  const items = listAt(body, "properties", collection);
  const at = items.findIndex((item) => sameText(textAt(item, "name"), nameOf(id)));
  const others: Json[] = items.filter((_, index) => index !== at);
  const placed = child === undefined ? others : at < 0 ? [...items, child] : items.with(at, child);
  propertiesOf(body)[collection] = placed;
  return body;
};

const place = (world: World, id: string, type: string, sent: JsonObject, parentBody?: Resource): void => {
  const existing = parentBody ?? find(world.state, id);
  const before = existing === undefined ? undefined : clone(existing.body);
  const rules = typeRules(type);
  const draft = complete(world, rules, id, sent, existing, new URLSearchParams());
  const resource = existing ?? newResource(world, id, rules.type, {});
  resource.body = draft.body;
  Object.assign(resource.secrets, draft.secrets);
  stampState(rules, resource.body, "Succeeded");
  save(world.state, resource);
  rules.provisioned?.(world, resource);
  renew(world, resource, before);
};

const ensureGroup = (world: World, id: string, location: string): void => {
  const groupId = groupIdOf(id);
  if (groupId === undefined) return;
  ensureResource(world, groupId, "Microsoft.Resources/resourceGroups", () => ({
    location: location || "eastus",
    properties: { provisioningState: "Succeeded" },
  }));
};

const seedOne = (world: World, seed: Seed): void => {
  const target = resourceTarget(seed.id);
  const sent = clone<JsonObject>(seed);
  if (target.kind === "resourceGroup") {
    const group = ensureResource(world, seed.id, "Microsoft.Resources/resourceGroups", () => ({}));
    const properties = { provisioningState: "Succeeded" };
    Object.assign(group.body, { location: "eastus", ...sent, id: group.id, name: nameOf(group.id), properties });
    save(world.state, group);
    return;
  }
  if (target.kind !== "resource") throw new SeedError(`${seed.id} is not the id of a resource`);
  ensureGroup(world, seed.id, textAt(sent, "location"));
  const spot = embeddedIn(target.type);
  if (spot === undefined) {
    place(world, seed.id, target.type, sent);
    return;
  }
  const parent = find(world.state, target.parent ?? "");
  if (parent === undefined) throw new SeedError(`${target.parent} does not exist`);
  const child = { ...sent, name: nameOf(seed.id) };
  place(world, parent.id, parent.type, withChild(parent, spot.child.collection, seed.id, child), parent);
};

/** Puts resources in place without asking for anybody's permission; missing resource groups are made. */
export const seedResources = (state: ArmState, seeds: readonly Seed[], nowMs: number): void => {
  const world = worldOf(state, nowMs);
  for (const seed of seeds) seedOne(world, seed);
};

/** Changes a stored body as another writer would: new etag, entry in the change feed, no checks. */
export const mutateResource = (
  state: ArmState,
  id: string,
  change: (body: JsonObject) => JsonObject | undefined,
  nowMs: number,
): void => {
  const world = worldOf(state, nowMs);
  const target = resourceTarget(id);
  const spot = target.kind === "resource" ? embeddedIn(target.type) : undefined;
  const parentId = target.kind === "resource" ? (target.parent ?? "") : "";
  const resource = find(state, spot === undefined ? id : parentId);
  if (resource === undefined) throw new SeedError(`${id} does not exist`);
  const before = clone(resource.body);
  if (spot === undefined) {
    const draft = clone(resource.body);
    resource.body = change(draft) ?? draft;
  } else {
    const child = listAt(before, "properties", spot.child.collection).find((item) =>
      sameText(textAt(item, "name"), nameOf(id)),
    );
    if (child === undefined) throw new SeedError(`${id} does not exist`);
    const draft = clone(child);
    resource.body = withChild(resource, spot.child.collection, id, change(draft) ?? draft);
  }
  renew(world, resource, before);
};

/** Takes a resource away as another writer would. False when there is none. */
export const removeResource = (state: ArmState, id: string, nowMs: number): boolean => {
  const world = worldOf(state, nowMs);
  const target = resourceTarget(id);
  const spot = target.kind === "resource" ? embeddedIn(target.type) : undefined;
  if (spot !== undefined && target.kind === "resource") {
    const parent = find(state, target.parent ?? "");
    const there = listAt(parent?.body, "properties", spot.child.collection).some(
      (item) => keyOf(textAt(item, "id")) === keyOf(id),
    );
    if (parent === undefined || !there) return false;
    const before = clone(parent.body);
    parent.body = withChild(parent, spot.child.collection, id, undefined);
    typeRules(parent.type).provisioned?.(world, parent);
    renew(world, parent, before);
    return true;
  }
  const resource = find(state, id);
  if (resource === undefined) return false;
  if (target.kind === "resourceGroup") recordRemovals(world, resource);
  else recordChange(world, resource, "Delete", undefined);
  dropWhole(world, resource);
  return true;
};
