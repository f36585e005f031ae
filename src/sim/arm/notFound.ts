import type { World } from "./armState.ts";
import { type Answer, refuse } from "./protocol.ts";
import { groupOf, keyOf, nameOf } from "./resourceTarget.ts";

/** How long a deleted resource is still known to its provider, which answers with a code of its own. */
const rememberedMs = 60_000;

/** Whether a resource went so recently that its provider still knows of it. */
export const justDeleted = (world: World, id: string): boolean => {
  const deletedAtMs = world.state.tombstones.get(keyOf(id));
  return deletedAtMs !== undefined && world.nowMs - deletedAtMs < rememberedMs;
};

/** What Azure says of a resource that is not there: its gateway, or the provider that has just deleted it. */
export const notFound = (world: World, id: string): Answer => {
  if (/\/microsoft\.authorization\/roleassignments\/[^/]+$/i.test(id))
    return refuse(404, "RoleAssignmentNotFound", `The role assignment '${nameOf(id)}' is not found.`);
  if (justDeleted(world, id) && /\/microsoft\.network\//i.test(id))
    return refuse(404, "NotFound", `Resource ${id} not found.`, { details: [] });
  if (justDeleted(world, id) && /\/microsoft\.compute\/virtualmachines\//i.test(id))
    return refuse(404, "NotFound", "The entity was not found in this Azure location.");
  const short = id.slice(id.toLowerCase().lastIndexOf("/providers/") + "/providers/".length);
  return refuse(
    404,
    "ResourceNotFound",
    `The Resource '${short}' under resource group '${groupOf(id)}' was not found. For more details please go to https://aka.ms/ARMResourceNotFoundFix`,
  );
};
