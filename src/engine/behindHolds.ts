import { idKey } from "../core/ids.ts";
import type { ServiceState } from "../core/kind.ts";
import type { ResourceRow } from "../core/resourceRow.ts";
import type { Desired } from "../core/types.ts";

interface Wanted {
  readonly desired: Desired;
  readonly row: Pick<ResourceRow, "held">;
  readonly state?: ServiceState;
}

/** The loop guard holds its creation back: somebody deletes it each time. */
const isHeldMissing = ({ row: { held }, state }: Wanted): boolean =>
  held !== undefined && state?.kind === "failed" && state.reason === held.reason;

/** Whether it stands in one of these resources or refers to it. */
const needs = ({ desired: { id, body } }: Wanted, keys: readonly string[]): boolean => {
  const text = JSON.stringify(body).toLowerCase();
  return keys.some((key) => idKey(id).startsWith(`${key}/`) || text.includes(`"${key}"`) || text.includes(`"${key}/`));
};

/**
 * What the loop guard keeps from being made, and what cannot do without it, however indirectly. What comes after these in
 * the order of services and needs none of them goes on: a hold takes a step out of the plan, not all that comes later.
 */
export const behindHolds = <T extends Wanted>(items: readonly T[]): ReadonlySet<T> => {
  const behind = new Set(items.filter(isHeldMissing));
  // Nearly always there is none, and then no body is looked through.
  for (let before = 0; behind.size > before; ) {
    before = behind.size;
    const keys = [...behind].map(({ desired }) => idKey(desired.id));
    for (const item of items) if (item.state === undefined && !behind.has(item) && needs(item, keys)) behind.add(item);
  }
  return behind;
};
