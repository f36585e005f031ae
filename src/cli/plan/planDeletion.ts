import { annotations } from "../../core/annotations.ts";
import { hasOwnerTags } from "../../core/decide.ts";
import { decideRemoval } from "../../core/decideRemoval.ts";
import { idKey, resourceGroupOf } from "../../core/ids.ts";
import type { ResourceId } from "../../core/types.ts";
import { deletionForbidden } from "../../engine/deletionForbidden.ts";
import {
  type Exodus,
  exodusOf,
  groupsToKeep,
  isGroup,
  keptOnes,
  type Leaving,
  leavingOf,
  nextToLeave,
  parentIn,
  withGroupsGone,
  withLeaving,
} from "../../engine/leaving.ts";
import { isClusterKind } from "../../engine/leftovers.ts";
import { newRow } from "../../engine/work.ts";
import { departures } from "./departures.ts";
import type { Remark } from "./objectPlan.ts";
import { type PlanInput, planCause, planNowMs } from "./planInput.ts";
import type { Unwanted } from "./planUnwanted.ts";

/** How far a deletion has been thought through: `going` is what is deleted on its own, in order. */
interface Thought {
  readonly exodus: Exodus;
  readonly going: readonly Leaving[];
}

const keeps = ({ object: { metadata } }: PlanInput, exodus: Exodus, leaving: Leaving): boolean =>
  isGroup(leaving) &&
  (metadata.annotations[annotations.keepForeign] !== undefined || groupsToKeep(exodus).has(idKey(leaving.id)));

/** What becomes of one resource when its turn comes, as `end`; with `ours` when it is only asked whose it is. */
const lookAt = (leaving: Leaving, how: "ask" | "delete", exodus: Exodus, input: PlanInput): Leaving => {
  const { azure, planned, schema, kind } = input;
  const observed = azure.observed(leaving.id);
  const verdict = decideRemoval({
    ...leaving,
    schema: schema(leaving.service.type),
    observed,
    ownerTags: planned.ownership.tags,
    parentOurs: parentIn(exodus, leaving)?.ours === true,
    nowMs: planNowMs,
    cause: planCause,
  });
  if (verdict.kind === "gone" || verdict.kind === "kept") return { ...leaving, end: verdict.kind };
  if (keeps(input, exodus, leaving)) return { ...leaving, end: "kept" };
  if (leaving.service.shared !== undefined && !isClusterKind(kind))
    return { ...leaving, end: "kept", because: "shared" };
  return how === "ask" ? { ...leaving, ours: true } : { ...leaving, ours: true, end: "gone" };
};

const isDeleted = ({ ours, end }: Leaving): boolean => ours === true && end === "gone";

/** Wave after wave, as a turn does it, each delete as if it had succeeded. */
const thinkThrough = (begun: Thought, input: PlanInput): Thought => {
  const { how, what } = nextToLeave(begun.exodus);
  if (what.length === 0) return begun;
  const looked = what.map((leaving) => lookAt(leaving, how, begun.exodus, input));
  const exodus = withGroupsGone(withLeaving(begun.exodus, looked));
  return thinkThrough({ exodus, going: [...begun.going, ...looked.filter(isDeleted)] }, input);
};

/** Groups that stay, of those that spec and object name. */
const isStaying = (exodus: Exodus, group: ResourceId | undefined): boolean => {
  const end = group === undefined ? undefined : exodus.get(idKey(group))?.end;
  return end === undefined || end === "kept";
};

/** What carries the cluster's tag in groups that stay, and is not known yet. */
const leftovers = ({ exodus }: Thought, { kind, azure }: PlanInput): readonly Leaving[] => {
  const { namedByOthers } = azure;
  if (!isClusterKind(kind) || namedByOthers === undefined) return [];
  return azure.tagged
    .map(({ id }) => id)
    .filter((id): id is ResourceId => typeof id === "string" && !exodus.has(idKey(id)) && !namedByOthers.has(idKey(id)))
    .filter((id) => isStaying(exodus, resourceGroupOf(id)))
    .flatMap((id) => leavingOf(kind, id))
    .map(({ id, service }) => ({ id, service, row: newRow(id, service, new Set()) }));
};

/** What is not ours in a group that goes. */
const goingAlong = (group: Leaving, { azure, planned }: PlanInput): readonly Remark[] =>
  azure
    .contentOf(group.id)
    .filter((one) => !hasOwnerTags(one, planned.ownership.tags))
    .flatMap(({ id }): readonly Remark[] =>
      typeof id === "string" ? [{ kind: "goesAlong", id, message: `is not ours, and goes with ${group.id}` }] : [],
    );

const reasons = { released: "stays: it was abandoned", shared: "stays while others use it" } as const;

const keptRemark = ({ id, because }: Leaving): Remark => ({
  kind: "kept",
  id,
  message: because === undefined ? "is not ours: it stays" : reasons[because],
});

const exists = ({ azure }: PlanInput, { id }: Leaving): boolean => azure.observed(id).kind === "present";

/** What would be deleted with the object, in order; a group of ours takes along what is in it. */
export const planDeletion = (input: PlanInput): Unwanted => {
  const { kind, planned, object } = input;
  const first = thinkThrough({ exodus: exodusOf(kind, planned, new Map(), object), going: [] }, input);
  const more = withLeaving(first.exodus, leftovers(first, input));
  const { exodus, going } = thinkThrough({ ...first, exodus: more }, input);
  const steps = departures(going, input, kind.services);
  const forbidden = deletionForbidden(object);
  const keptGroups = [...exodus.values()].filter((one) => isGroup(one) && one.end === "kept");
  const remarks = [
    ...(forbidden === undefined ? [] : [{ kind: "refused", message: forbidden } as const]),
    ...going.filter(isGroup).flatMap((group) => goingAlong(group, input)),
    ...[...keptOnes(exodus), ...keptGroups].filter((one) => exists(input, one)).map(keptRemark),
  ];
  return {
    steps:
      forbidden === undefined
        ? steps
        : steps.map((step) => ({ ...step, action: "refused", reason: "DeleteBlocked" }) as const),
    remarks,
  };
};
