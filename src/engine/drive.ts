import { open } from "../core/opening.ts";
import type { Failure, KubeObject } from "../core/types.ts";
import type { Writing } from "./act.ts";
import { withAwaitedUnread } from "./awaited.ts";
import type { Explained } from "./explained.ts";
import type { Held } from "./fence.ts";
import { withGroupsInDoubt } from "./groupsInDoubt.ts";
import { firstOfEachLane, withFreedLanes, withoutBlocked } from "./lanes.ts";
import { type Looked, look } from "./observe.ts";
import { withOpenIntentsSeen } from "./openIntents.ts";
import { inPool, mayAskAzure, nowOf, type Session, viewOf } from "./session.ts";
import { meetShortages, tellShortages } from "./shared/shortages.ts";
import { wakesOf, withWakes, withWoken } from "./wakes.ts";
import {
  groupIn,
  type Item,
  leanItem,
  nowBesideOurs,
  parentIn,
  readyItems,
  unread,
  type Work,
  withItems,
} from "./work.ts";
import { undone, writeAll } from "./writeAll.ts";

/** How far the plan was carried out, and why it stopped there. */
export interface Driven {
  readonly work: Work;
  readonly held: Held;
  /** The object as the API server gave it back last. */
  readonly object: KubeObject;
  readonly polled: number;
  readonly wrote: readonly Explained[];
  readonly ended:
    | { readonly kind: "through" }
    /** A pause or deletion was announced meanwhile. */
    | { readonly kind: "stopped" }
    /** Out of time: the rest belongs to the next turn. */
    | { readonly kind: "late" }
    | { readonly kind: "lost" }
    | { readonly kind: "missing" }
    | { readonly kind: "failed"; readonly failure: Failure };
}

const isWriting = (looked: Looked): looked is Writing => looked.write !== undefined;

/**
 * Wave after wave: what is ready is polled, read and planned; its intents are stored under the fence; its writes are sent.
 * Ends when nothing can be done right now.
 */
export const drive = async (work: Work, held: Held, object: KubeObject, session: Session): Promise<Driven> => {
  const sinceMs = nowOf(session);
  const begun = session.takenOver ? await withOpenIntentsSeen(work, session) : work;
  let driven: Driven = { work: begun, held, object, polled: 0, wrote: [], ended: { kind: "through" } };
  for (;;) {
    const ready = readyItems(driven.work);
    if (ready.length === 0) break;
    driven = mayAskAzure(session) ? await wave(driven, ready, session) : { ...driven, ended: { kind: "late" } };
    if (driven.ended.kind !== "through") break;
    driven = { ...driven, work: withGroupsInDoubt(driven.work, sinceMs) };
  }
  const after = { ...driven, work: withAwaitedUnread(driven.work) };
  return session.observe ? withDebts(after, sinceMs) : after;
};

/**
 * Everything was to be read: what could not be, for lack of time or because something else is in its way, is read when its
 * time comes. So turns that are too short to read all come to an end together.
 */
const withDebts = (driven: Driven, sinceMs: number): Driven => ({
  ...driven,
  work: withItems(driven.work, [...driven.work.values()].filter(({ row }) => row.observedAtMs < sinceMs).map(unread)),
});

/** The group that a resource lives in. What lives in somebody else's network may be there, however new its group is. */
const newHomeOf = (item: Item, work: Work): Item["row"] | undefined =>
  parentIn(work, item) === undefined ? undefined : groupIn(work, item)?.row;

const wave = async (before: Driven, ready: readonly Item[], session: Session): Promise<Driven> => {
  const view = viewOf(session);
  const { free, work: unblocked } = withoutBlocked(ready, before.work);
  const woken = withWakes(free, wakesOf(unblocked, session.circumstances));
  const leaner = woken.map((item) => leanItem(nowBesideOurs(item, unblocked), unblocked, session.circumstances));
  const openings = leaner.map((item) => ({ item, opening: open(item, item.row, newHomeOf(item, unblocked), view) }));
  const looked = await inPool(openings, ({ item, opening }) => look(item, opening, unblocked, session));
  const polled = before.polled + openings.filter(({ opening }) => opening.kind === "poll").length;
  const { now, later } = firstOfEachLane(looked, unblocked);
  const work = withItems(unblocked, [...now.map(({ item }) => item), ...later]);
  const driven: Driven = { ...before, work, polled };
  const ended = looked.some(({ late }) => late === true) ? ({ kind: "late" } as const) : undefined;
  const writing = now.filter(isWriting);
  if (ended !== undefined) return undone({ ...driven, ended }, writing, unblocked);
  const met = await meetShortages(writing, unblocked, session);
  const meeting = { ...driven, work: withItems(driven.work, met.waiting) };
  const written = met.writing.length === 0 ? meeting : await writeAll(meeting, met.writing, unblocked, session);
  const after = { ...written, work: await tellShortages(written.work, before.work, session) };
  return { ...after, work: withWoken(withFreedLanes(after.work), session.circumstances) };
};
