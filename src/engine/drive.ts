import { open } from "../core/opening.ts";
import type { Failure } from "../core/types.ts";
import { act } from "./act.ts";
import { type Held, saveRows } from "./fence.ts";
import { firstOfEachLane, withFreedLanes, withoutBlocked } from "./lanes.ts";
import { savingOf } from "./ledger.ts";
import { type Looked, look } from "./observe.ts";
import { inPool, mayAskAzure, type Session, viewOf } from "./session.ts";
import { groupIn, type Item, readyItems, type Work, withItems } from "./work.ts";

/** How far the plan was carried out, and why it stopped there. */
export interface Driven {
  readonly work: Work;
  readonly held: Held;
  readonly polled: number;
  readonly wrote: number;
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

type Writing = Looked & Required<Pick<Looked, "write">>;
const isWriting = (looked: Looked): looked is Writing => looked.write !== undefined;

/**
 * Wave after wave: what is ready is polled, read and planned; its intents are stored under the fence; its writes are sent.
 * Ends when nothing can be done right now.
 */
export const drive = async (work: Work, held: Held, session: Session): Promise<Driven> => {
  let driven: Driven = { work, held, polled: 0, wrote: 0, ended: { kind: "through" } };
  for (;;) {
    const ready = readyItems(driven.work);
    if (ready.length === 0) return driven;
    if (!mayAskAzure(session)) return { ...driven, ended: { kind: "late" } };
    driven = await wave(driven, ready, session);
    if (driven.ended.kind !== "through") return driven;
  }
};

const wave = async (before: Driven, ready: readonly Item[], session: Session): Promise<Driven> => {
  const view = viewOf(session);
  const { free, work: unblocked } = withoutBlocked(ready, before.work);
  const openings = free.map((item) => ({ item, opening: open(item, item.row, groupIn(unblocked, item)?.row, view) }));
  const looked = await inPool(openings, ({ item, opening }) => look(item, opening, unblocked, session));
  const polled = before.polled + openings.filter(({ opening }) => opening.kind === "poll").length;
  const { now, later } = firstOfEachLane(looked, unblocked);
  const work = withItems(unblocked, [...now.map(({ item }) => item), ...later]);
  const writing = now.filter(isWriting);
  const driven = { ...before, work, polled };
  const after = writing.length === 0 ? driven : await write(driven, writing, session);
  return { ...after, work: withFreedLanes(after.work) };
};

const write = async (driven: Driven, writing: readonly Writing[], session: Session): Promise<Driven> => {
  const saved = await saveRows(
    driven.held,
    writing.map(({ item }) => savingOf(item.row)),
    session.deps,
  );
  switch (saved.kind) {
    case "saved": {
      const written = await inPool(writing, (one) => act(one, session));
      return {
        ...driven,
        held: saved.held,
        work: withItems(driven.work, written),
        wrote: driven.wrote + written.length,
      };
    }
    case "finish":
      return {
        ...driven,
        held: saved.held,
        work: withItems(driven.work, writing.map(undone)),
        ended: { kind: "stopped" },
      };
    case "missing":
      return { ...driven, ended: { kind: "missing" } };
    case "lost":
      return { ...driven, ended: { kind: "lost" } };
    case "failed":
      return {
        ...driven,
        work: withItems(driven.work, writing.map(undone)),
        ended: { kind: "failed", failure: saved.failure },
      };
  }
};

/** The intent was not stored for certain and nothing was sent; if it was stored, it is observed next time. */
const undone = ({ item }: Writing): Item => ({ ...item, state: { kind: "waiting", why: "its turn" } });
