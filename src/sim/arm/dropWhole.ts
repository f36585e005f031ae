import type { Resource, World } from "./armState.ts";
import { typeRules } from "./rules.ts";
import { drop, under } from "./store.ts";

/** Takes away a resource and all below it; what else names them is told of each, as if it had gone alone. */
export const dropWhole = (world: World, resource: Resource): void => {
  const all = [resource, ...under(world.state, resource.key)];
  drop(world, resource);
  for (const one of all) typeRules(one.type).removed?.(world, one);
};
