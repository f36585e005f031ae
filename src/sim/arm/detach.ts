import type { World } from "./armState.ts";
import { isObject, type Json, textAt } from "./json.ts";
import { keyOf } from "./resourceTarget.ts";
import { referencesTo, save } from "./store.ts";

const without = (value: Json, key: string): Json => {
  if (Array.isArray(value))
    return value
      .filter((item) => !(isObject(item) && keyOf(textAt(item, "id")) === key && !("properties" in item)))
      .map((item) => without(item, key));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => !(isObject(item) && keyOf(textAt(item, "id")) === key && !("properties" in item)))
      .map(([name, item]) => [name, without(item, key)]),
  );
};

/** Takes every reference to an id out of the resources that hold one: what was left out is gone everywhere. */
export const detach = (world: World, id: string): void => {
  const key = keyOf(id);
  for (const holder of new Set(referencesTo(world.state, id).map((reference) => reference.holder))) {
    const resource = world.state.resources.get(holder);
    if (resource === undefined || key.startsWith(`${holder}/`)) continue;
    const body = without(resource.body, key);
    if (isObject(body)) resource.body = body;
    save(world.state, resource);
  }
};
