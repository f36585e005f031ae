import { decideRemoval } from "../../core/decideRemoval.ts";
import { idKey, resourceGroupOf } from "../../core/ids.ts";
import { abandoned, ownedChildren } from "../../core/ownedChildren.ts";
import type { ResourceId } from "../../core/types.ts";
import { type Leaving, leavingOf } from "../../engine/leaving.ts";
import { newRow } from "../../engine/work.ts";
import { departures } from "./departures.ts";
import type { PlanStep, Remark } from "./objectPlan.ts";
import { type PlanInput, planCause, planNowMs } from "./planInput.ts";
import { heldBack } from "./planOne.ts";
import { inServiceOrder } from "./serviceOrder.ts";

/** What is ours and no longer wanted. */
export interface Unwanted {
  readonly steps: readonly PlanStep[];
  readonly remarks: readonly Remark[];
}

const taggedIds = ({ azure: { tagged, namedByOthers } }: PlanInput): readonly ResourceId[] =>
  namedByOthers === undefined
    ? []
    : tagged
        .map(({ id }) => id)
        .filter((id): id is ResourceId => typeof id === "string" && !namedByOthers.has(idKey(id)));

/** What the object and its wanted resources do not name, each once. */
const candidates = (input: PlanInput): readonly Leaving[] => {
  const { kind, object, planned, circumstances } = input;
  const wanted = planned.services.flatMap(({ desired }) => desired.map(({ id }) => id));
  const groups = wanted.flatMap((id) => resourceGroupOf(id) ?? []);
  const staying = new Set([...wanted, ...groups].map(idKey));
  const found = [...ownedChildren(object), ...taggedIds(input)].filter((id) => !staying.has(idKey(id)));
  const distinct = [...new Map(found.map((id) => [idKey(id), id])).values()];
  return distinct
    .flatMap((id) => leavingOf(kind, id))
    .map(({ id, service }) => ({ id, service, row: newRow(id, service, circumstances.children) }));
};

const isOurs = (leaving: Leaving, { azure, planned, schema }: PlanInput): boolean => {
  const verdict = decideRemoval({
    ...leaving,
    schema: schema(leaving.service.type),
    observed: azure.observed(leaving.id),
    ownerTags: planned.ownership.tags,
    parentOurs: false,
    nowMs: planNowMs,
    cause: planCause,
  });
  return verdict.kind === "delete";
};

/**
 * What the owner tag or the object's annotation shows as ours and the spec no longer wants, backwards along the
 * dependencies. What only the tag shows goes in a turn when the ledger knows it too; a plan has no ledger.
 */
export const planUnwanted = (input: PlanInput): Unwanted => {
  const { kind, object, circumstances } = input;
  const isReleased = abandoned(object);
  const ours = candidates(input).filter((one) => isOurs(one, input));
  const going = inServiceOrder(ours.filter(({ id }) => !isReleased(id))).toReversed();
  const steps = departures(going, input, kind.services);
  const held = heldBack(steps, circumstances);
  return {
    steps: held.map((step, index) => ({ ...step, dependsOn: steps[index]?.dependsOn ?? [] })),
    remarks: [
      ...ours
        .filter(({ id }) => isReleased(id))
        .map(({ id }): Remark => ({ kind: "kept", id, message: "is no longer wanted, and stays: it was abandoned" })),
      ...going
        .filter(({ row }) => row.known === "nothing")
        .map(
          ({ id }): Remark => ({
            kind: "note",
            id,
            message: "carries the owner tag and is no longer wanted: it is deleted if Capstan made it or took it over",
          }),
        ),
    ],
  };
};
