import type { ApplyResult } from "./apply/apply.ts";
import { blanked } from "./apply/blanked.ts";
import type { Decision, DecisionInput } from "./decide.ts";
import { contested } from "./guard/contested.ts";
import { type Track, uncounted } from "./guard/countedWrite.ts";
import type { Attempt } from "./guard/earned.ts";
import { type HeldWrite, heldMessage, isTagsRequest } from "./guard/heldWrite.ts";
import { planHashOf } from "./guard/planHash.ts";
import { fewPathsOf, specWriters } from "./guard/specWriters.ts";
import { type Guarded, guard, withAttempt } from "./guard.ts";
import type { Intent, ResourceRow } from "./resourceRow.ts";
import { writingForbidden } from "./stopped.ts";
import type { AppliedLeaf, Desired, PlannedRequest, Refusal } from "./types.ts";

/** What was seen does not count as an observation: next time it is read again, whatever the ledger says. */
export const lookedAtInVain = (row: ResourceRow): ResourceRow => ({ ...row, observedAtMs: 0 });

type Writing = Pick<Extract<ApplyResult, { kind: "write" }>, "requests" | "applied" | "refusals">;

/** The requests of a write that are counted together, and what the loop guard says of them. */
interface Part extends Guarded {
  readonly track: Track;
  readonly requests: readonly PlannedRequest[];
}

/** A write that is wanted: held back by the loop guard, or counted and stored as an intent before it is sent. */
export const intend = (input: DecisionInput, seen: ResourceRow, writing: Writing): Decision => {
  const forbidden = writingForbidden(input, seen, writing.requests);
  if (forbidden !== undefined) return forbidden;
  const attempt = attemptOf(input);
  const row = withCounts(input, seen);
  const parts = partsOf(writing.requests, row, attempt);
  const going = parts.filter(({ untilMs }) => untilMs <= input.nowMs);
  const waiting = parts.filter(({ untilMs }) => untilMs > input.nowMs);
  const held = waiting.map((part) => heldPart(part, row, attempt, input));
  const [first] = held;
  if (going.length === 0 && first !== undefined) {
    const { intent: _, ...bare } = lookedAtInVain(row);
    return { kind: "held", row: { ...bare, held: first }, held: first, exists: input.observed.kind === "present" };
  }
  const sent: Writing = {
    requests: going.flatMap(({ requests }) => requests),
    applied: waiting.length === 0 ? writing.applied : appliedBy(going, row.applied, writing.applied),
    refusals: [...writing.refusals, ...held.map((one) => refusalOf(input.desired, one))],
  };
  const decision = write(input, row, sent, going, attempt);
  return first === undefined
    ? decision
    : { ...decision, row: { ...decision.row, held: first }, untilMs: first.untilMs };
};

const write = (
  input: DecisionInput,
  row: ResourceRow,
  { requests, applied, refusals }: Writing,
  parts: readonly Part[],
  attempt: Attempt,
): Extract<Decision, { kind: "write" }> => {
  const { nowMs, observed } = input;
  const { intent: before, ...bare } = row;
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
  const writes = parts.reduce((all, part) => withAttempt(all, part.track, attempt, part, paths), bare.writes);
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

/** The row with what counts: nothing from before a person's `release`, and no unanswered write that did nothing. */
const withCounts = (input: DecisionInput, row: ResourceRow): ResourceRow => {
  const { release } = input.circumstances;
  const { intent } = row;
  if (release !== "" && release !== (row.released ?? "")) return { ...row, writes: [], released: release };
  const vain = intent !== undefined && didNothing(input, intent);
  return { ...row, released: release, writes: vain ? uncounted(row.writes, intent.planHash) : row.writes };
};

/** An unanswered write that is still wanted did nothing, unless Azure shows another version than before it. */
const didNothing = ({ observed }: DecisionInput, { etag }: Intent): boolean =>
  observed.kind === "absent" || etag === undefined || observed.etag === etag;

const partsOf = (requests: readonly PlannedRequest[], { writes }: ResourceRow, attempt: Attempt): readonly Part[] =>
  (["body", "tags"] as const).flatMap((track) => {
    const own = requests.filter((request) => isTagsRequest(request) === (track === "tags"));
    return own.length === 0 ? [] : [{ track, requests: own, ...guard(writes, track, attempt) }];
  });

const heldPart = (part: Part, { writes }: ResourceRow, attempt: Attempt, input: DecisionInput): HeldWrite => {
  const changes = part.requests.flatMap((request) => request.changes);
  const managed = input.circumstances.managedFields ?? [];
  const { untilMs, count } = part;
  return { ...contested(writes, part.track, attempt, managed, changes), untilMs, count, changes };
};

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

const refusalOf = ({ id }: Desired, held: HeldWrite): Refusal => {
  const [change] = held.changes;
  return {
    reason: held.reason,
    path: change?.path ?? "",
    observed: change?.from ?? null,
    desired: change?.to ?? null,
    message: heldMessage(id, held),
  };
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
