import type { ArmState, Reference, Resource, World } from "./armState.ts";
import { isObject, type Json, type JsonObject, listAt, objectAt, textAt } from "./json.ts";
import { keyOf } from "./resourceTarget.ts";

/** Visits every object of a body; `owner` is the nearest (sub)resource around it. */
const walk = (
  value: Json | undefined,
  owner: string,
  path: string,
  visit: (object: JsonObject, owner: string, path: string) => void,
): void => {
  if (Array.isArray(value)) for (const item of value) walk(item, owner, `${path}[]`, visit);
  if (!isObject(value)) return;
  visit(value, owner, path);
  const { id, name, properties } = value;
  const inner = typeof id === "string" && typeof name === "string" && isObject(properties) ? id : owner;
  for (const [key, item] of Object.entries(value)) walk(item, inner, path === "" ? key : `${path}.${key}`, visit);
};

/** The ids that a body names, with the place of each. A body's own sub-resources do not count. */
export const referencesIn = (
  id: string,
  body: JsonObject,
): readonly { readonly target: string; readonly from: string; readonly path: string }[] => {
  const found: { target: string; from: string; path: string }[] = [];
  walk(body["properties"], id, "properties", (object, owner, path) => {
    const target = object["id"];
    if (typeof target !== "string" || !/^\/subscriptions\//i.test(target)) return;
    if (keyOf(target) === keyOf(owner) || ("name" in object && "properties" in object)) return;
    found.push({ target, from: owner, path });
  });
  return found;
};

const unindex = (state: ArmState, holder: string): void => {
  for (const target of state.targets.get(holder) ?? []) {
    const holders = state.references.get(target);
    holders?.delete(holder);
    if (holders?.size === 0) state.references.delete(target);
  }
  state.targets.delete(holder);
};

const index = (state: ArmState, resource: Resource): void => {
  unindex(state, resource.key);
  const byTarget = new Map<string, Reference[]>();
  for (const { target, from, path } of referencesIn(resource.id, resource.body)) {
    const list = byTarget.get(keyOf(target)) ?? [];
    list.push({ holder: resource.key, from, type: resource.type, path });
    byTarget.set(keyOf(target), list);
  }
  for (const [target, list] of byTarget) {
    const holders = state.references.get(target) ?? new Map<string, readonly Reference[]>();
    holders.set(resource.key, list);
    state.references.set(target, holders);
  }
  state.targets.set(resource.key, [...byTarget.keys()]);
};

/** Stores a resource, or takes note that its body has changed. */
export const save = (state: ArmState, resource: Resource): void => {
  state.resources.set(resource.key, resource);
  state.tombstones.delete(resource.key);
  index(state, resource);
};

/** The stored resource, whether readers already see it or not. */
export const find = (state: ArmState, id: string): Resource | undefined => state.resources.get(keyOf(id));

/** What a reader sees: not what is too fresh, and still what was deleted a moment ago. */
export const seen = (world: World, id: string): Resource | undefined => {
  const resource = find(world.state, id);
  if (resource !== undefined) return resource.visibleFromMs <= world.nowMs ? resource : undefined;
  const ghost = world.state.ghosts.get(keyOf(id));
  return ghost !== undefined && ghost.untilMs > world.nowMs ? ghost.resource : undefined;
};

/** Takes a resource and all below it out of the store. */
export const drop = (world: World, resource: Resource): void => {
  const { state, nowMs } = world;
  const lingerMs = state.options.consistency?.visibleAfterDeleteMs ?? 0;
  for (const below of [resource, ...under(state, resource.key)]) {
    state.resources.delete(below.key);
    unindex(state, below.key);
    if (lingerMs > 0) state.ghosts.set(below.key, { resource: below, untilMs: nowMs + lingerMs });
    state.tombstones.set(below.key, nowMs);
  }
};

/** Everything stored below a key, itself not included. */
export const under = (state: ArmState, key: string): readonly Resource[] =>
  [...state.resources.values()].filter((resource) => resource.key.startsWith(`${key}/`));

/** The places that name an id, from other resources and from its own siblings. */
export const referencesTo = (state: ArmState, id: string): readonly Reference[] =>
  [...(state.references.get(keyOf(id))?.values() ?? [])].flat();

/** All resources of a type. */
export const ofType = (state: ArmState, type: string): readonly Resource[] => {
  const wanted = type.toLowerCase();
  return [...state.resources.values()].filter((resource) => resource.type.toLowerCase() === wanted);
};

const childOf = (parent: JsonObject, id: string): JsonObject | undefined => {
  const [collection, name] = id.split("/").slice(-2) as [string, string];
  const list = Object.keys(objectAt(parent, "properties")).find(
    (key) => key.toLowerCase() === collection.toLowerCase(),
  );
  if (list === undefined) return undefined;
  return listAt(parent, "properties", list).find((child) => textAt(child, "name").toLowerCase() === name.toLowerCase());
};

/** A (sub)resource by id: stored itself, or inside its parent's body; `own` stands in for what is stored under its id. */
export const located = (world: World, id: string, own?: JsonObject): JsonObject | undefined => {
  const bodyOf = (wanted: string): JsonObject | undefined =>
    own !== undefined && keyOf(textAt(own, "id")) === keyOf(wanted) ? own : find(world.state, wanted)?.body;
  const whole = bodyOf(id);
  if (whole !== undefined) return whole;
  const parent = bodyOf(id.split("/").slice(0, -2).join("/"));
  return parent === undefined ? undefined : childOf(parent, id);
};
