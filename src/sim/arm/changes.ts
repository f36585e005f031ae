import type { Resource, ResourceChange, World } from "./armState.ts";
import { isObject, type Json, same } from "./json.ts";

/** The change feed keeps this many entries; Azure keeps two weeks. */
const kept = 20_000;

const differing = (before: Json | undefined, after: Json | undefined, path: string): readonly string[] => {
  if (same(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [path];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
    differing(before[name], after[name], path === "" ? name : `${path}.${name}`),
  );
};

/** Notes a change for the feed. `before` is the body as it was; undefined for what is new. */
export const recordChange = (
  world: World,
  resource: Resource,
  change: ResourceChange["change"],
  before: Json | undefined,
): void => {
  const { changes } = world.state;
  changes.push({
    id: resource.id,
    type: resource.type,
    change,
    atMs: world.nowMs,
    correlationId: world.correlationId,
    by: world.identity,
    paths: change === "Update" ? differing(before, resource.body, "") : [],
  });
  if (changes.length > kept) changes.splice(0, changes.length - kept);
};
