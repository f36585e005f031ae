import { idKey } from "../core/ids.ts";
import type { Looked } from "./observe.ts";
import { type Item, unread, type Work, withItems } from "./work.ts";

/** The parent whose children are written one after another; undefined when the order does not matter. */
const laneOf = ({ service, desired }: Item): string | undefined =>
  service.serialize === "parent" ? idKey(desired.id).split("/").slice(0, -2).join("/") : undefined;

const busyLanes = (items: Iterable<Item>): ReadonlySet<string> =>
  new Set([...items].flatMap((item) => (item.row.operation === undefined ? [] : (laneOf(item) ?? []))));

const waiting = { kind: "waiting", why: "another child of the same parent is being written" } as const;

const isBlocked = (item: Item, busy: ReadonlySet<string>): boolean => {
  const lane = laneOf(item);
  return lane !== undefined && item.row.operation === undefined && busy.has(lane);
};

/** Items whose lane is busy wait without being looked at; the end of that operation is what the turn waits for anyway. */
export const withoutBlocked = (
  ready: readonly Item[],
  work: Work,
): { readonly free: readonly Item[]; readonly work: Work } => {
  const busy = busyLanes(work.values());
  const blocked = ready.filter((item) => isBlocked(item, busy));
  return {
    free: ready.filter((item) => !blocked.includes(item)),
    work: withItems(
      work,
      blocked.map((item) => ({ ...item, state: waiting })),
    ),
  };
};

/** Of the writes of one wave at most one a lane goes on; the others get back the row they had before their intent. */
export const firstOfEachLane = (
  looked: readonly Looked[],
  before: Work,
): { readonly now: readonly Looked[]; readonly later: readonly Item[] } => {
  const taken = new Set<string>();
  const later = looked.filter(({ item, write }) => {
    const lane = write === undefined ? undefined : laneOf(item);
    if (lane === undefined) return false;
    const second = taken.has(lane);
    taken.add(lane);
    return second;
  });
  return {
    now: looked.filter((one) => !later.includes(one)),
    later: later.map(({ item }) => unread({ ...(before.get(idKey(item.desired.id)) ?? item), state: waiting })),
  };
};

/** Items that waited for a lane which has become free are ready again. */
export const withFreedLanes = (work: Work): Work => {
  const busy = busyLanes(work.values());
  const freed = [...work.values()].filter((item) => item.state === waiting && !isBlocked(item, busy));
  return withItems(
    work,
    freed.map(({ state: _state, ...item }) => item),
  );
};
