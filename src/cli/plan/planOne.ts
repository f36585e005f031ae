import type { Circumstances } from "../../core/circumstances.ts";
import { type Decision, type DecisionInput, decide, provisioningOf } from "../../core/decide.ts";
import { forbidding } from "../../core/stopped.ts";
import type { JsonObject, Observed, PlannedRequest, Refusal, Tags } from "../../core/types.ts";
import { isJsonObject } from "../../wire/json.ts";
import { type DraftStep, heldStep, refusedStep, refusedSteps, requestStep, unchangedStep } from "./draftStep.ts";
import type { Remark } from "./objectPlan.ts";

/** What is planned for one wanted resource. */
export interface PlannedOne {
  readonly steps: readonly DraftStep[];
  readonly remarks: readonly Remark[];
  readonly ours: boolean;
  /** It does not exist, and is not made. */
  readonly passedOver: boolean;
}

/** The body as it will be once Azure has ended what it is at. */
const atRest = (body: JsonObject): JsonObject => {
  const { properties } = body;
  if (!isJsonObject(properties)) return body;
  const { provisioningState: _, ...rest } = properties;
  return { ...body, properties: rest };
};

const withTags = (body: JsonObject, tags: Tags): JsonObject => ({
  ...body,
  tags: { ...(isJsonObject(body["tags"]) ? body["tags"] : {}), ...tags },
});

const remarksOn = (id: string, refusals: readonly Refusal[]): readonly Remark[] =>
  refusals.map(({ message }) => ({ kind: "refused", id, message }));

const requestsIn = (input: DecisionInput, requests: readonly PlannedRequest[]): readonly DraftStep[] =>
  requests.map((request) => requestStep(input, input.observed.kind === "absent" ? "create" : "update", request));

const nothing: PlannedOne = { steps: [], remarks: [], ours: true, passedOver: false };
const placeOf = ({ service, desired: { id }, schema }: DecisionInput) => ({ service, id, schema });

const ofDone = (input: DecisionInput, { ours, refusals }: Extract<Decision, { kind: "done" }>): PlannedOne => {
  const { id } = input.desired;
  const place = placeOf(input);
  if (refusals.length > 0)
    return { ...nothing, ours, steps: refusedSteps(place, refusals), remarks: remarksOn(id, refusals) };
  if (ours) return { ...nothing, steps: [unchangedStep(place)] };
  const remark: Remark = { kind: "unmanaged", id, message: "is not ours: it is used as it is" };
  return { ...nothing, ours, steps: [unchangedStep(place, "Unmanaged")], remarks: [remark] };
};

/** What a turn does once the owner tag is on a resource that a person wants adopted. */
const afterAdoption = (input: DecisionInput): PlannedOne => {
  const { observed, row, ownerTags } = input;
  if (observed.kind === "absent") return nothing;
  const tagged: Observed = { kind: "present", body: withTags(observed.body, ownerTags) };
  const after = decided({ ...input, observed: tagged, row: { ...row, known: "adopted" } });
  return { ...after, steps: after.steps.filter(({ action }) => action !== "none") };
};

const ofWrite = (input: DecisionInput, decision: Extract<Decision, { kind: "write" }>): PlannedOne => {
  const { id } = input.desired;
  const { requests, refusals, row } = decision;
  const after = row.intent?.adopts === true ? afterAdoption(input) : nothing;
  return {
    ...nothing,
    steps: [...requestsIn(input, requests), ...refusedSteps(placeOf(input), refusals), ...after.steps],
    remarks: [...remarksOn(id, refusals), ...after.remarks],
  };
};

const ofStopped = (input: DecisionInput, { row, state }: Extract<Decision, { kind: "stopped" }>): PlannedOne => {
  const { id } = input.desired;
  const said = state.kind === "failed" || state.kind === "refused";
  const [reason, message] = said ? [state.reason, state.message] : ["Waiting", "waits"];
  return {
    ...nothing,
    steps: [refusedStep(placeOf(input), reason)],
    remarks: [{ kind: "refused", id, message }],
    ours: row.known !== "seenUnmanaged",
  };
};

const ofBusy = (input: DecisionInput, why: string): PlannedOne => {
  const { observed, desired } = input;
  const note: Remark = { kind: "note", id: desired.id, message: `${why}: planned as if that had ended` };
  if (observed.kind === "absent" || provisioningOf(atRest(observed.body)) === provisioningOf(observed.body))
    return { ...nothing, steps: [unchangedStep(placeOf(input))], remarks: [note] };
  const later = decided({ ...input, observed: { ...observed, body: atRest(observed.body) } });
  return { ...later, remarks: [note, ...later.remarks] };
};

const decided = (input: DecisionInput): PlannedOne => {
  const { id } = input.desired;
  const decision = decide(input);
  switch (decision.kind) {
    case "done":
      return ofDone(input, decision);
    case "write":
      return ofWrite(input, decision);
    case "stopped":
      return ofStopped(input, decision);
    case "busy":
      return ofBusy(input, decision.why);
    case "held": {
      const { reason } = decision.held;
      return {
        ...nothing,
        steps: [refusedStep(placeOf(input), reason)],
        remarks: [{ kind: "refused", id, message: reason }],
      };
    }
    case "passedOver": {
      const message = "is not made: what it would be made beside is not ours";
      return { steps: [], remarks: [{ kind: "note", id, message }], ours: false, passedOver: true };
    }
  }
};

/** Steps that would write, held back by an annotation on the object. */
export const heldBack = (steps: readonly DraftStep[], { writing }: Circumstances): readonly DraftStep[] =>
  writing === "allowed"
    ? steps
    : steps.map((step) =>
        step.action === "none" || step.action === "refused" ? step : heldStep(step, forbidding[writing].reason),
      );

/** What a turn without a ledger would do for one resource. What an annotation holds back is planned all the same, and refused. */
export const planOne = (input: DecisionInput): PlannedOne => {
  const { circumstances } = input;
  const one = decided({ ...input, circumstances: { ...circumstances, writing: "allowed" } });
  return { ...one, steps: heldBack(one.steps, circumstances) };
};
