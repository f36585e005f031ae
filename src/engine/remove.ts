import { isHeldBack } from "../core/heldBack.ts";
import type { Failure, KubeObject, ResourceId, Result } from "../core/types.ts";
import type { Driven } from "./drive.ts";
import { type Explained, explained } from "./explained.ts";
import { type Held, saveRows } from "./fence.ts";
import { type Exodus, type Leaving, nextToLeave, type Step, withGroupsGone, withLeaving } from "./leaving.ts";
import { savingOf } from "./ledger.ts";
import { type Look, sendOne, stepOn } from "./removeOne.ts";
import { inPool, mayAskAzure, nowOf, type Session } from "./session.ts";

/** How far a deletion has come. */
export interface Removed {
  readonly exodus: Exodus;
  readonly held: Held;
  /** The object as the API server gave it back last. */
  readonly object: KubeObject;
  readonly polled: number;
  readonly wrote: readonly Explained[];
  readonly ended: Driven["ended"];
}

/** What a deletion has to know beside the session. */
export interface Orders {
  /** Groups that stay although they are ours, by `idKey(id)`; `all` when foreign content is to be kept. */
  readonly keptGroups: ReadonlySet<string> | "all";
  /** Whether groups of ours take along what is not ours; else they go only when nothing is left in them. */
  readonly groupsGoWith: "everything" | "nothing";
  /** Whether shared items go although others still use them; else only when empty, and without being waited for. */
  readonly sharedItems: "go" | "goWhenEmpty";
  /** Says on the object what goes along with a group although it is not ours. */
  readonly announce: (exodus: Exodus, object: KubeObject) => Promise<Result<KubeObject>>;
}

/** Deletes wave after wave, backwards along the dependencies, until nothing can be done right now. */
export const remove = async (begun: Removed, orders: Orders, session: Session): Promise<Removed> => {
  let removed = begun;
  for (;;) {
    const step = nextToLeave(removed.exodus);
    if (step.what.length === 0) return removed;
    if (!mayAskAzure(session)) return { ...removed, ended: { kind: "late" } };
    removed = await wave(removed, step, orders, session);
    if (removed.ended.kind !== "through") return removed;
  }
};

const wave = async (before: Removed, step: Step, orders: Orders, session: Session): Promise<Removed> => {
  const polled = step.what.filter(({ row }) => isDue(row.operation, session)).length;
  const looked = await inPool(step.what, (leaving) => stepOn(leaving, step.how, before.exodus, orders, session));
  const exodus = withGroupsGone(
    withLeaving(
      before.exodus,
      looked.map(({ leaving }) => leaving),
    ),
  );
  const after: Removed = { ...before, exodus, polled: before.polled + polled };
  if (looked.some(({ kind }) => kind === "late")) return { ...after, ended: { kind: "late" } };
  const deleting = looked.flatMap((one) => (one.kind === "send" ? [one.leaving] : []));
  return deleting.length === 0 ? after : send(after, before.exodus, deleting, orders, session);
};

const isDue = (operation: Leaving["row"]["operation"], session: Session): boolean =>
  operation?.verb === "DELETE" && operation.notBeforeMs <= nowOf(session);

/** Nothing was sent: the rows are as before. */
const notSent = (removed: Removed, deleting: readonly Leaving[], before: Exodus): Exodus =>
  withLeaving(
    removed.exodus,
    deleting.flatMap(({ id }) => before.get(id.toLowerCase()) ?? []),
  );

const isSent = (look: Look | undefined): boolean =>
  look?.kind !== "late" && !isHeldBack(look?.leaving.row.backoff?.failure);

const send = async (
  removed: Removed,
  before: Exodus,
  deleting: readonly Leaving[],
  orders: Orders,
  session: Session,
): Promise<Removed> => {
  const takesForeign = deleting.some(({ row }) => (row.foreign ?? []).length > 0);
  const announced = takesForeign
    ? await orders.announce(withLeaving(removed.exodus, deleting), removed.object)
    : undefined;
  if (announced?.ok === false) return failing(removed, deleting, announced.error);
  const saved = await saveRows(
    removed.held,
    deleting.map(({ row }) => savingOf(row)),
    session.deps,
  );
  if (saved.kind === "failed") return { ...removed, ended: saved };
  if (saved.kind === "lost" || saved.kind === "missing") return { ...removed, ended: { kind: "lost" } };
  // A stop does not stop a deletion unless the object was paused: the next turn sees which.
  if (saved.kind === "finish")
    return { ...removed, held: saved.held, exodus: notSent(removed, deleting, before), ended: { kind: "stopped" } };
  const sent = await inPool(deleting, (leaving) => sendOne(leaving, orders, session));
  const late = sent.some(({ kind }) => kind === "late");
  return {
    ...removed,
    held: saved.held,
    ...(announced !== undefined && { object: announced.value }),
    exodus: withGroupsGone(
      withLeaving(
        removed.exodus,
        sent.map(({ leaving }) => leaving),
      ),
    ),
    wrote: [...removed.wrote, ...deleting.flatMap(({ row }, index) => (isSent(sent[index]) ? explained(row) : []))],
    ...(late && { ended: { kind: "late" } }),
  };
};

/** What could not be said is not done. */
const failing = (removed: Removed, deleting: readonly Leaving[], { message }: Failure): Removed => ({
  ...removed,
  exodus: withLeaving(
    removed.exodus,
    deleting.map((one) => ({ ...one, state: { kind: "failed", reason: "Deleting", severity: "Info", message } })),
  ),
});

/** Ids of all that is being waited for or was handled: rows of this turn may have been stored for them. */
export const idsOf = (exodus: Exodus): readonly ResourceId[] => [...exodus.values()].map(({ id }) => id);
