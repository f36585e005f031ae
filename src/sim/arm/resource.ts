import type { Resource, World } from "./armState.ts";
import type { JsonObject } from "./json.ts";
import { keyOf, nameOf } from "./resourceTarget.ts";
import { find, save } from "./store.ts";

/** A resource that Azure makes on its own (the disk of a machine, the interface of an endpoint): settled at once. */
export const newResource = (world: World, id: string, type: string, body: JsonObject, etag = ""): Resource => ({
  key: keyOf(id),
  id,
  type,
  body: { id, name: nameOf(id), type, ...body },
  etag,
  createdAtMs: world.nowMs,
  operation: undefined,
  visibleFromMs: world.nowMs,
  secrets: {},
  notes: {},
});

/** Stores such a resource unless there is one of its id. */
export const ensureResource = (world: World, id: string, type: string, body: () => JsonObject): Resource => {
  const present = find(world.state, id);
  if (present !== undefined) return present;
  const created = newResource(world, id, type, body());
  save(world.state, created);
  return created;
};
