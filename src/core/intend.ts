import type { ApplyResult } from "./apply/apply.ts";
import { blanked } from "./apply/blanked.ts";
import type { Decision, DecisionInput } from "./decide.ts";
import { type Track, uncounted } from "./guard/countedWrite.ts";
import type { Attempt } from "./guard/earned.ts";
import { heldPart, heldTogether, nextHold } from "./guard/heldPart.ts";
import { type HeldWrite, heldRefusal } from "./guard/heldWrite.ts";
import { isReleased, lingering, shownMs } from "./guard/lingering.ts";
import { type Part, partsOf } from "./guard/parts.ts";
import { planHashOf } from "./guard/planHash.ts";
import { fewPathsOf, specWriters } from "./guard/specWriters.ts";
import { withAttempt } from "./guard.ts";
import type { Intent, ResourceRow } from "./resourceRow.ts";
import { writingForbidden } from "./stopped.ts";
import type { AppliedLeaf, PlannedRequest } from "./types.ts";

/** What was seen does not count as an observation: next time it is read again, whatever the ledger says. */
export const lookedAtInVain = (row: ResourceRow): ResourceRow => ({ ...row, observedAtMs: 0 });

type Writing = Pick<Extract<ApplyResult, { kind: "write" }>, "requests" | "apart" | "applied" | "refusals">;

/** A write that is wanted: held back by the loop guard, or counted and stored as an intent before it is sent. */
export const intend = (input: DecisionInput, seen: ResourceRow, writing: Writing): Decision => {
  const forbidden = writingForbidden(input, seen, writing.requests);
  if (forbidden !== undefined) return forbidden;
  const attempt = attemptOf(input);
  const row = withCounts(input, seen);
  const parts = partsOf(writing.apart ?? writing.requests, row.writes, attempt, input);
  const going = parts.filter(({ untilMs }) => untilMs <= input.nowMs);
  const waiting = parts.filter(({ untilMs }) => untilMs > input.nowMs);
  const holds = waiting.map((part) => heldPart(part, row, input));
  const held = heldTogether(holds);
  if (going.length === 0 && held !== undefined) {
    const { intent: _, ...bare } = lookedAtInVain(row);
    return { kind: "held", row: { ...bare, held }, held, exists: input.observed.kind === "present" };
  }
  const whole = waiting.length === 0;
  const sent: Writing = {
    requests: whole ? writing.requests : going.flatMap(({ requests }) => requests),
    applied: whole ? writing.applied : appliedBy(going, row.applied, writing.applied),
    refusals: writing.refusals,
  };
  return showing(input, write(input, row, sent, going, attempt), row, going, held);
};

type Writes = Extract<Decision, { kind: "write" }>;

/** The write with what is held back beside it, or with the contest over the spec that goes on after it. */
const showing = (
  input: DecisionInput,
  decision: Writes,
  before: ResourceRow,
  going: readonly Part[],
  beside: HeldWrite | undefined,
): Writes => {
  const contest = lingering(before, input.circumstances, input.nowMs);
  const fought = contest === undefined ? undefined : going.find(({ earned }) => !earned);
  const next = contest && fought && nextHold(contest, fought, decision.row.writes);
  const held = beside ?? next;
  if (held === undefined) return decision;
  return {
    ...decision,
    row: { ...decision.row, held },
    refusals: [...decision.refusals, heldRefusal(input.desired.id, held)],
    untilMs: beside === undefined ? held.untilMs + shownMs : held.untilMs,
  };
};

const write = (
  input: DecisionInput,
  row: ResourceRow,
  { requests, applied, refusals }: Writing,
  parts: readonly Part[],
  attempt: Attempt,
): Writes => {
  const { nowMs, observed } = input;
  const { intent: before, ...bare } = parts.some(({ earned }) => earned) ? withoutHold(row) : row;
  const creating = observed.kind === "absent";
  const intent: Intent = {
    ...described(input, requests),
    applied,
    desiredHash: input.desiredHash,
    planHash: attempt.planHash,
    cause: input.cause,
    creating,
    ...(observed.kind === "present" && observed.etag !== undefined && { etag: observed.etag }),
    ...(creating && before?.creating === true && { repeats: true }),
    sinceMs: nowMs,
  };
  const paths = fewPathsOf(input.circumstances.managedFields ?? [], attempt.writers[0]?.name);
  const writes = parts.reduce((all, part) => withAttempt(all, part.track, part.attempt, part, paths), known(bare));
  return {
    kind: "write",
    row: { ...bare, intent, writes },
    requests,
    refusals,
    verb: creating ? "creating" : "updating",
  };
};

const attemptOf = ({ desired, nowMs, circumstances }: DecisionInput): Attempt => ({
  planHash: planHashOf(desired),
  nowMs,
  generation: circumstances.generation,
  dependencies: circumstances.dependencies,
  writers: specWriters(circumstances.managedFields ?? []),
});

/** The writes so far, the last with the id under which Azure knows it: later that tells our writes from those of others. */
const known = ({ writes, correlationId }: ResourceRow): ResourceRow["writes"] => {
  const last = writes.at(-1);
  return last === undefined || correlationId === undefined || last.correlationId !== undefined
    ? writes
    : [...writes.slice(0, -1), { ...last, correlationId }];
};

/** What somebody has asked for since ends what was told of the fight before. */
const withoutHold = (row: ResourceRow): ResourceRow => {
  const { held: _, ...bare } = row;
  return bare;
};

/** The row with what counts: nothing from before a person's `release`, and no unanswered write that did nothing. */
const withCounts = (input: DecisionInput, row: ResourceRow): ResourceRow => {
  const { release } = input.circumstances;
  const { intent } = row;
  if (isReleased(row, release)) return { ...withoutHold(row), writes: [], released: release };
  const vain = intent !== undefined && didNothing(input, intent);
  return { ...row, released: release, writes: vain ? uncounted(row.writes, intent.planHash) : row.writes };
};

/** An unanswered write that is still wanted did nothing, unless Azure shows another version than before it. */
const didNothing = ({ observed }: DecisionInput, { etag }: Intent): boolean =>
  observed.kind === "absent" || etag === undefined || observed.etag === etag;

/** Of a part that waits the ledger goes on saying what it said. */
const appliedBy = (
  going: readonly Part[],
  before: readonly AppliedLeaf[],
  after: readonly AppliedLeaf[],
): readonly AppliedLeaf[] => {
  const goes = ({ path: [first] }: AppliedLeaf): boolean => {
    const track: Track = first === "tags" ? "tags" : "body";
    return going.some((part) => part.track === track);
  };
  return [...before.filter((leaf) => !goes(leaf)), ...after.filter(goes)];
};

/** What an intent tells of its requests; secrets are blanked. */
const described = (
  { schema, service, desired }: DecisionInput,
  requests: readonly PlannedRequest[],
): Pick<Intent, "method" | "body" | "changes"> => {
  const [first] = requests;
  return {
    method: first?.method ?? "PUT",
    ...(first?.body !== undefined && { body: blanked(schema, service.rules, desired, first.body) }),
    changes: requests.flatMap(({ changes }) => changes),
  };
};
