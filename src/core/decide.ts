import type { ResourceSchema } from "../wire/schema.ts";
import { adoption } from "./adoption.ts";
import { annotations } from "./annotations.ts";
import { type ApplyResult, apply } from "./apply/apply.ts";
import { foldIntent } from "./apply/foldIntent.ts";
import { settleApplied } from "./apply/settleApplied.ts";
import type { Circumstances } from "./circumstances.ts";
import { disagreements, foreignRemark } from "./disagreements.ts";
import { type HeldWrite, heldRefusal } from "./guard/heldWrite.ts";
import { lingering, shownMs } from "./guard/lingering.ts";
import { brokenness, isFailedState } from "./healing.ts";
import { idKey } from "./ids.ts";
import { intend, lookedAtInVain } from "./intend.ts";
import { knownAfterIntent } from "./intended.ts";
import type { ServiceState } from "./kind.ts";
import { formerlyApplied } from "./lastApplied.ts";
import { ownership } from "./ownership.ts";
import { type Lean, missingMessage, passedOverRow, withoutFinding } from "./passedOver.ts";
import type { ResourceRow } from "./resourceRow.ts";
import { rewrite } from "./rewrite.ts";
import type { ServiceFacts } from "./runnableKind.ts";
import { afterLoss, withoutLoss } from "./stopped.ts";
import type { AppliedLeaf, Desired, JsonObject, Observed, PlannedRequest, Refusal, Tags } from "./types.ts";
import { mayBeOld, notYetVisibleUntilMs } from "./visibility.ts";

/** One wanted resource with what the table knows of it. */
export interface Wanted {
  readonly service: ServiceFacts;
  readonly desired: Desired;
  readonly desiredHash: string;
  readonly row: ResourceRow;
}

export interface DecisionInput extends Wanted {
  readonly observed: Observed;
  readonly schema: ResourceSchema;
  readonly ownerTags: Tags;
  /** Whether the resource that this one lives in is ours; of no meaning for taggable resources. */
  readonly parentOurs: boolean;
  /** Of a role assignment that the spec names: whether its principal is ours. Default false. */
  readonly principalOurs?: boolean;
  /** Whether what it is made beside is ours (`Desired.onlyBeside`). Default true. */
  readonly besideOurs?: boolean;
  /** References in it to what does not exist and is not made. Default none. */
  readonly missing?: Lean["missing"];
  readonly nowMs: number;
  readonly cause: string;
  readonly circumstances: Circumstances;
}

/** What to do with a resource that has been looked at. Every form carries the row as it shall be stored. */
export type Decision =
  | {
      readonly kind: "done";
      readonly row: ResourceRow;
      readonly ours: boolean;
      readonly refusals: readonly Refusal[];
      /** When a refusal is over by itself. */
      readonly untilMs?: number;
    }
  /** What is wanted is not written until somebody says so. */
  | { readonly kind: "stopped"; readonly row: ResourceRow; readonly state: ServiceState; readonly untilMs?: number }
  /** It does not exist, and what it would be made beside is not ours. */
  | { readonly kind: "passedOver"; readonly row: ResourceRow }
  /** `untilMs`: when to look again; by default in some seconds. */
  | { readonly kind: "busy"; readonly row: ResourceRow; readonly why: string; readonly untilMs?: number }
  /** `exists`: the resource stands, only not as it is wanted. */
  | { readonly kind: "held"; readonly row: ResourceRow; readonly held: HeldWrite; readonly exists: boolean }
  | {
      readonly kind: "write";
      readonly row: ResourceRow;
      readonly requests: readonly PlannedRequest[];
      readonly refusals: readonly Refusal[];
      readonly verb: "creating" | "updating";
      /** When a part of it that the loop guard holds back goes on. */
      readonly untilMs?: number;
    };

const isTerminal = (state: string): boolean => state === "succeeded" || isFailedState(state);

/** Azure is still at work on it, by its own word. */
export const provisioningOf = (body: JsonObject): string => {
  const { properties } = body;
  const state =
    typeof properties === "object" && properties !== null && !Array.isArray(properties)
      ? (properties as JsonObject)["provisioningState"]
      : undefined;
  return typeof state === "string" ? state : "Succeeded";
};

const tagsOf = (body: JsonObject): Readonly<Record<string, unknown>> => {
  const { tags } = body;
  return typeof tags === "object" && tags !== null && !Array.isArray(tags) ? (tags as JsonObject) : {};
};

export const hasOwnerTags = (body: JsonObject, ownerTags: Tags): boolean => {
  const observed = Object.entries(tagsOf(body)).map(([name, value]) => [name.toLowerCase(), value] as const);
  const byName = new Map(observed);
  return Object.entries(ownerTags).every(([name, value]) => byName.get(name.toLowerCase()) === value);
};

/** Ownership first, then apply, then the loop guard. */
export const decide = (input: DecisionInput): Decision => {
  const { observed, service, row } = input;
  const tagged = observed.kind === "present" && hasOwnerTags(observed.body, input.ownerTags);
  const known = knownAfterIntent(row, { ...input, tagged });
  const stands = withoutFinding(observed.kind === "present" ? withoutLoss(row) : row);
  const seen: ResourceRow = { ...stands, known, observedAtMs: input.nowMs };
  if (observed.kind === "absent") return whenAbsent(input, seen);
  const taggable = service.ownership === "tag";
  const { parentOurs, principalOurs = false } = input;
  const verdict = ownership({ taggable, hasOurTag: tagged, known, parentOurs, principalOurs });
  const wantsAdoption = verdict !== "ours" && input.circumstances.adopt.has(idKey(input.desired.id));
  if (verdict !== "ours" && !wantsAdoption) return notOurs(seen, verdict, input);
  const state = provisioningOf(observed.body);
  if (!isTerminal(state.toLowerCase()))
    return { kind: "busy", row: lookedAtInVain(seen), why: `Azure is at work on it (${state})` };
  return wantsAdoption ? adopt(input, seen, tagged) : plan(input, seen);
};

/** A 404 is not always the truth, and what goes away with its owner is not made any more. */
const whenAbsent = (input: DecisionInput, seen: ResourceRow): Decision => {
  const untilMs = notYetVisibleUntilMs(seen, input.nowMs);
  if (untilMs !== undefined)
    return { kind: "busy", row: lookedAtInVain(seen), why: "written, but not yet visible in Azure", untilMs };
  if (input.besideOurs === false) return { kind: "passedOver", row: passedOverRow(seen, input.desiredHash) };
  const { ancestorDeleting } = input.circumstances;
  if (ancestorDeleting === undefined) {
    const loss = afterLoss(input, seen);
    return loss.kind === "goOn" ? plan(input, loss.row) : loss;
  }
  const message = `${input.desired.id} is not created, because ${ancestorDeleting} is being deleted`;
  return {
    kind: "done",
    row: lookedAtInVain(seen),
    ours: false,
    refusals: [{ reason: "AncestorDeleting", path: "", observed: null, desired: null, message }],
  };
};

/** Takes over what a person named: at most one write, that of the tag; from then on it is like any other of ours. */
const adopt = (input: DecisionInput, seen: ResourceRow, tagged: boolean): Decision => {
  const { observed, service, desired, ownerTags } = input;
  const tags = observed.kind === "present" ? tagsOf(observed.body) : {};
  const taggable = service.ownership === "tag";
  const how = adoption({ id: desired.id, taggable, tagged, tags, ownerTags });
  switch (how.kind) {
    case "refused":
      return { kind: "done", row: lookedAtInVain(seen), ours: false, refusals: [how.refusal] };
    case "remember":
      return plan(input, { ...seen, known: "adopted" });
    case "tag": {
      const decision = intend(input, seen, { requests: [how.request], applied: seen.applied, refusals: [] });
      const { intent } = decision.row;
      return decision.kind === "write" && intent !== undefined
        ? { ...decision, row: { ...decision.row, intent: { ...intent, adopts: true } } }
        : decision;
    }
  }
};

const notOurs = (seen: ResourceRow, verdict: "unmanaged" | "ownershipLost", input: DecisionInput): Decision => {
  const {
    desired: { id },
    desiredHash,
  } = input;
  const { intent: _intent, backoff: _backoff, desiredHash: _hash, ...row } = seen;
  if (verdict === "unmanaged") {
    const known = row.known === "nothing" ? "seenUnmanaged" : row.known;
    const refusals = disagreements(input);
    // What is refused is looked at each time, so that its condition stays.
    const agreed = refusals.length === 0 ? { desiredHash } : {};
    const remark = foreignRemark(input);
    const told = remark === undefined ? {} : { remark };
    return { kind: "done", row: { ...row, known, ...agreed, ...told }, ours: false, refusals };
  }
  const message = `${id} was made by Capstan, but its owner tag was taken off: it is kept and not changed; put the tag back, or name it in annotation ${annotations.adopt}, to have it managed`;
  return {
    kind: "done",
    row,
    ours: false,
    refusals: [{ reason: "OwnershipLost", path: "tags", observed: null, desired: null, message }],
  };
};

/** What the ledger says of the fields, with what Azure shows of our last write, be it answered or not. */
const ledgerOf = ({ schema, service, observed }: DecisionInput, row: ResourceRow): readonly AppliedLeaf[] => {
  if (observed.kind === "absent") return [];
  const { body } = observed;
  const settled = row.unsettled ? settleApplied(schema, service.rules, row.applied, body) : row.applied;
  return row.intent === undefined || row.intent.method === "DELETE"
    ? settled
    : foldIntent(schema, service.rules, settled, row.intent.applied, body);
};

const plan = (input: DecisionInput, seen: ResourceRow): Decision => {
  const { desiredHash, observed, nowMs } = input;
  const ledger = ledgerOf(input, seen);
  const applied = ledger.length === 0 && seen.applied.length === 0 ? undefined : ledger;
  const result = compare(input, applied);
  const row: ResourceRow = { ...seen, applied: applied ?? [], unsettled: false };
  if (result.kind === "write" && input.missing !== undefined && input.missing.length > 0)
    return { kind: "stopped", row: lookedAtInVain(row), ...namesNothing(input, input.missing) };
  if (result.kind === "write") return intend(input, row, result);
  if (observed.kind === "present" && mayBeOld(seen, desiredHash, nowMs))
    return { kind: "busy", row: lookedAtInVain(seen), why: "Azure may not show yet what was written a moment ago" };
  const refusals = result.kind === "refused" ? result.refusals : [];
  const repairs = repairsOf(input, result.applied);
  if (repairs.length > 0) return intend(input, row, { ...result, requests: repairs, refusals });
  const { intent: _intent, backoff: _backoff, desiredHash: _hash, ...quiet } = row;
  const known = row.known === "nothing" ? "adopted" : row.known;
  const contest = lingering(row, input.circumstances, nowMs);
  const shown = contest === undefined ? refusals : [...refusals, heldRefusal(input.desired.id, contest)];
  // What is refused is looked at each time, so that its condition stays.
  const agreed = shown.length === 0 ? { desiredHash } : {};
  const until = contest === undefined ? {} : { untilMs: contest.untilMs + shownMs };
  return {
    kind: "done",
    row: { ...quiet, known, applied: result.applied, ...agreed },
    ours: true,
    refusals: shown,
    ...until,
  };
};

/** A person may make it at any time, and nothing tells. */
const missingAgainMs = 5 * 60_000;

const namesNothing = (
  { desired: { id }, nowMs }: DecisionInput,
  missing: Lean["missing"],
): { readonly state: ServiceState; readonly untilMs: number } => ({
  state: { kind: "failed", reason: "InvalidConfiguration", severity: "Error", message: missingMessage(id, missing) },
  untilMs: nowMs + missingAgainMs,
});

/** What an annotation remembers and the ledger does not is laid over what a comparison without it would keep. */
const compare = (input: DecisionInput, applied: readonly AppliedLeaf[] | undefined): ApplyResult => {
  const { service, desired, observed, schema, circumstances } = input;
  const formerly = formerlyApplied(service.lastApplied, circumstances.lastApplied ?? {}, desired);
  const against = (ledger: readonly AppliedLeaf[] | undefined): ApplyResult =>
    apply({
      schema,
      rules: service.rules,
      desired,
      observed,
      applied: ledger,
      // Tags alone would leave a resource failed and make it look as wanted: a PUT finishes it too.
      tagsAtScope: service.ownership === "tag" && (service.rules.writes === "patch" || !isFailed(observed)),
    });
  const first = against(applied);
  return formerly.length === 0 || observed.kind === "absent"
    ? first
    : against([...(applied ?? first.applied), ...formerly]);
};

const isFailed = (observed: Observed): boolean =>
  observed.kind === "present" && isFailedState(provisioningOf(observed.body));

const repairsOf = (input: DecisionInput, applied: readonly AppliedLeaf[]): readonly PlannedRequest[] => {
  const { observed, schema, service, desired } = input;
  if (observed.kind === "absent") return [];
  const broken = brokenness(service.rules, observed.body);
  return broken === undefined ? [] : rewrite(schema, service.rules, desired, observed, applied, broken);
};
