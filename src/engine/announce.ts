import { annotations } from "../core/annotations.ts";
import type { Circumstances } from "../core/circumstances.ts";
import { type HeldWrite, heldMessage } from "../core/guard/heldWrite.ts";
import { idKey } from "../core/ids.ts";
import type { KubeObject, ResourceId } from "../core/types.ts";
import type { Fields } from "../ports.ts";
import type { Explained } from "./explained.ts";
import { tellEvents } from "./tellEvents.ts";
import type { Turning } from "./turning.ts";
import type { Work } from "./work.ts";
import { writeEvents } from "./writeEvents.ts";

interface Announced {
  readonly id: ResourceId;
  readonly held: HeldWrite;
}

/** Writes that the loop guard has begun to hold back in this turn; what was held already has been said. */
const newlyHeld = (work: Work, { ledger }: Pick<Turning, "ledger">): readonly Announced[] =>
  [...work.values()].flatMap(({ row }) => {
    const { held, id } = row;
    const before = ledger.get(idKey(id))?.held;
    return held === undefined || (before?.untilMs === held.untilMs && before.reason === held.reason)
      ? []
      : [{ id, held }];
  });

const fieldsOf = ({ id, held }: Announced): Fields => {
  const [change] = held.changes;
  return {
    resource: id,
    reason: held.reason,
    field: held.specPaths[0] ?? change?.path,
    from: JSON.stringify(change?.from ?? null),
    to: JSON.stringify(change?.to ?? null),
    count: held.count,
    others: held.others.join(","),
    until: new Date(held.untilMs).toISOString(),
    detail: heldMessage(id, held),
  };
};

/**
 * One line and one event for each write that is held back from now on; the line's message is constant, so that it can be
 * counted.
 */
export const announceHolds = async (turning: Turning, object: KubeObject, work: Work): Promise<void> => {
  const { kind, metadata } = object;
  const held = newlyHeld(work, turning);
  for (const one of held)
    turning.deps.log("warn", "reconcile loop", {
      object: `${metadata.namespace}/${metadata.name}`,
      kind,
      ...fieldsOf(one),
    });
  await tellEvents(
    object,
    held.map((one) => ({
      type: "Warning",
      reason: one.held.reason,
      about: one.id,
      message: heldMessage(one.id, one.held),
    })),
    turning,
  );
};

/** One line and one event for each resource that was adopted in this turn because a person asked for it. */
export const announceAdoptions = async (
  turning: Turning,
  object: KubeObject,
  work: Work,
  { adopt }: Circumstances,
): Promise<void> => {
  const { deps, ledger } = turning;
  const adopted = [...work].flatMap(([key, { row }]) =>
    adopt.has(key) && row.known === "adopted" && ledger.get(key)?.known !== "adopted" ? [row.id] : [],
  );
  const { kind, metadata } = object;
  for (const id of adopted) deps.log("info", "adopted", { object: `${metadata.namespace}/${metadata.name}`, kind, id });
  await tellEvents(
    object,
    adopted.map((id) => ({
      type: "Normal",
      reason: "Adopted",
      about: id,
      message: `${id} is managed from now on, because annotation ${annotations.adopt} says so`,
    })),
    turning,
  );
};

/** What the turn has sent to Azure, and why. */
export const announceWrites = (turning: Turning, object: KubeObject, wrote: readonly Explained[]): Promise<void> =>
  tellEvents(object, writeEvents(wrote), turning);
