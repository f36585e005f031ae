import type { FieldChange, Resource, ResourceChange, World } from "./armState.ts";
import { clone, isObject, type Json, same } from "./json.ts";
import { under } from "./store.ts";

/** The change feed keeps this many entries; Azure keeps two weeks. */
const kept = 20_000;

const differing = (before: Json | undefined, after: Json | undefined, path: string): readonly FieldChange[] => {
  if (same(before, after)) return [];
  const isLeaf = (value: Json | undefined): boolean => value !== undefined && !isObject(value);
  if (isLeaf(before) || isLeaf(after))
    return [
      {
        path,
        ...(before !== undefined && { before: clone(before) }),
        ...(after !== undefined && { after: clone(after) }),
      },
    ];
  const [old, fresh] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
  return [...new Set([...Object.keys(old), ...Object.keys(fresh)])].flatMap((name) =>
    differing(old[name], fresh[name], path === "" ? name : `${path}.${name}`),
  );
};

/** Notes a change for the feed. `before` is the body as it was; undefined for what is new. */
export const recordChange = (
  world: World,
  resource: Resource,
  change: ResourceChange["change"],
  before: Json | undefined,
): void => {
  const { changes, options } = world.state;
  world.state.changeCounter += 1;
  changes.push({
    id: resource.id,
    name: String(world.state.changeCounter).padStart(12, "0"),
    type: resource.type,
    change,
    atMs: world.nowMs,
    shownFromMs: world.nowMs + (options.changeFeed?.delayMs ?? 0),
    correlationId: world.correlationId,
    by: world.identity,
    fields: change === "Update" ? differing(before, resource.body, "") : [],
  });
  if (changes.length > kept) changes.splice(0, changes.length - kept);
};

/** Notes that a resource goes with all that is stored below it; to be called while it is still there. */
export const recordRemovals = (world: World, resource: Resource): void => {
  for (const one of [...under(world.state, resource.key), resource]) recordChange(world, one, "Delete", undefined);
};
