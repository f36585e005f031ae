import { type HeldWrite, heldMessage } from "../core/guard/heldWrite.ts";
import { idKey } from "../core/ids.ts";
import type { KubeObject, ResourceId } from "../core/types.ts";
import type { Fields } from "../ports.ts";
import type { Turning } from "./turning.ts";
import type { Work } from "./work.ts";

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

/** One line for each write that is held back from now on; its message is constant, so that it can be counted. */
export const announceHolds = (turning: Turning, { kind, metadata }: KubeObject, work: Work): void => {
  for (const one of newlyHeld(work, turning))
    turning.deps.log("warn", "reconcile loop", {
      object: `${metadata.namespace}/${metadata.name}`,
      kind,
      ...fieldsOf(one),
    });
};
