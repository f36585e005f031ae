import type { DecisionInput } from "../decide.ts";
import type { ResourceRow } from "../resourceRow.ts";
import { contested } from "./contested.ts";
import { type CountedWrite, ofTrack, planOf, sincePause, withinHour } from "./countedWrite.ts";
import type { Attempt } from "./earned.ts";
import type { HeldWrite } from "./heldWrite.ts";
import { holdOf } from "./hold.ts";
import { lastModifier } from "./lastModifier.ts";
import { lingering } from "./lingering.ts";
import type { Part } from "./parts.ts";

/** So long after a hold the same fight is still blamed on whom it was blamed on. */
const rememberedMs = 6 * 60 * 60_000;

/**
 * A part of a write that waits, as it is shown. A contest over the spec goes on being told in the same words until its
 * hold is over, whichever of the two values is wanted just now.
 */
export const heldPart = (
  { track, requests, attempt, untilMs, count }: Part,
  row: ResourceRow,
  { nowMs, observed, circumstances }: DecisionInput,
): HeldWrite => {
  const { writes, held: before, wroteAtMs } = row;
  const { managedFields = [] } = circumstances;
  const changes = requests.flatMap((request) => request.changes);
  const contest = lingering(row, circumstances, nowMs);
  if (contest !== undefined) return contest.untilMs > nowMs ? contest : { ...contest, untilMs, count, changes };
  const fight = contested(writes, track, attempt, managedFields, changes);
  if (fight.reason === "ChangedOften")
    return { ...fight, untilMs, count: withinHour(ofTrack(writes, track), nowMs).length, changes };
  const modifier = observed.kind === "present" ? lastModifier(observed.body, wroteAtMs ?? 0) : [];
  const remembered = before?.reason === fight.reason && nowMs < before.untilMs + rememberedMs ? before.others : [];
  const others = [fight.others, modifier, remembered].find((names) => names.length > 0) ?? [];
  const plans = others.length > 0 ? 1 : plansOf(ofTrack(writes, track), attempt);
  return { ...fight, others, untilMs, count, changes, ...(plans > 1 && { plans }) };
};

/** How many plans came without anybody's asking, of one and the same spec. */
const plansOf = (writes: readonly CountedWrite[], attempt: Attempt): number => {
  const unasked = ({ earned, generation = attempt.generation }: CountedWrite): boolean =>
    earned === false && generation === attempt.generation;
  return new Set([...sincePause(writes, attempt.nowMs).filter(unasked), attempt].map(planOf)).size;
};

/** Tags and all else, when both wait: one thing to show, looked at again when the first of them may go. */
export const heldTogether = (holds: readonly HeldWrite[]): HeldWrite | undefined => {
  const [first, ...rest] = holds;
  if (first === undefined || rest.length === 0) return first;
  return {
    ...first,
    untilMs: Math.min(...holds.map(({ untilMs }) => untilMs)),
    count: Math.max(...holds.map(({ count }) => count)),
    changes: holds.flatMap(({ changes }) => changes),
    others: [...new Set(holds.flatMap(({ others }) => others))],
  };
};

/** The contest as it stands once this write of it has gone: when the next one may. `writes`: with this one. */
export const nextHold = (
  contest: HeldWrite,
  { track, attempt, requests }: Part,
  writes: readonly CountedWrite[],
): HeldWrite => {
  const { untilMs, count } = holdOf(ofTrack(writes, track), attempt);
  const changes = requests.flatMap((request) => request.changes);
  return { ...contest, count, changes, untilMs: Math.max(untilMs, attempt.nowMs) };
};
