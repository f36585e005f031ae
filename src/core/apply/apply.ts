import { isJsonList, isJsonObject } from "../../wire/json.ts";
import type { ResourceSchema } from "../../wire/schema.ts";
import { writable } from "../../wire/writable.ts";
import type { Rules } from "../rules.ts";
import type { AppliedLeaf, Desired, Json, JsonObject, Observed, PlannedRequest, Refusal } from "../types.ts";
import { settleAlternatives } from "./alternatives.ts";
import { refuseConflicts, removeRenamed, withoutClashes } from "./conflicts.ts";
import { created, creation } from "./creation.ts";
import { decide, type Inputs } from "./decide.ts";
import { clearFormer, dropAlternatives } from "./former.ts";
import { frameOf } from "./frame.ts";
import { leavesOf, locateApplied } from "./leaves.ts";
import type { Frame } from "./place.ts";
import { withoutRepeated } from "./repeated.ts";
import { requestsFor } from "./requests.ts";
import { withinTagLimit } from "./tagLimit.ts";

export interface ApplyInput {
  readonly schema: ResourceSchema;
  readonly rules: Rules;
  readonly desired: Desired;
  readonly observed: Observed;
  /** What the ledger holds; undefined when nothing is known of earlier writes (takeover, lost ledger). */
  readonly applied: readonly AppliedLeaf[] | undefined;
  /** Whether tags can be written on their own (all taggable resources can). */
  readonly tagsAtScope: boolean;
}

/** `applied` is what the ledger shall hold once the requests have succeeded; it may differ even when nothing is written. */
export type ApplyResult =
  | { readonly kind: "unchanged"; readonly applied: readonly AppliedLeaf[] }
  | {
      readonly kind: "write";
      readonly requests: readonly PlannedRequest[];
      /** The same changes with the tags in requests of their own, where one of `requests` holds both. */
      readonly apart?: readonly PlannedRequest[];
      readonly applied: readonly AppliedLeaf[];
      readonly refusals: readonly Refusal[];
    }
  | { readonly kind: "refused"; readonly refusals: readonly Refusal[]; readonly applied: readonly AppliedLeaf[] };

const withoutNulls = (value: Json): Json => {
  if (isJsonList(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, child]) => child !== null);
  return Object.fromEntries(entries.map(([name, child]) => [name, withoutNulls(child)]));
};

/** What an observed body has in common with one that may be sent. */
export const writablePart = ({ schema }: Pick<Frame, "schema">, body: JsonObject): JsonObject => {
  const part = withoutNulls(writable(schema, schema.body, body));
  return isJsonObject(part) ? part : {};
};

const create = (frame: Frame, desired: Desired, repeated: readonly Refusal[]): ApplyResult => {
  const { body, refusals } = withoutClashes(frame, leavesOf(frame, desired), desired.body);
  const possible = { ...desired, body };
  const leaves = leavesOf(frame, possible);
  const requests = [creation(frame, possible, leaves)];
  return { kind: "write", requests, applied: created(frame, leaves), refusals: [...repeated, ...refusals] };
};

const inputsOf = (input: ApplyInput, frame: Frame, desired: Desired, body: JsonObject): Inputs => {
  const leaves = leavesOf(frame, desired);
  const applied = locateApplied(frame, input.applied ?? []);
  const shown = writablePart(frame, body);
  return {
    frame,
    desired,
    leaves,
    applied,
    shown,
    observed: settleAlternatives(frame, shown, leaves, applied),
    takeover: input.applied === undefined,
  };
};

/** A ledger that says the same is the same value. */
const sameLedger = (
  before: readonly AppliedLeaf[] | undefined,
  after: readonly AppliedLeaf[],
): readonly AppliedLeaf[] =>
  before !== undefined && JSON.stringify(before) === JSON.stringify(after) ? before : after;

const update = (
  input: ApplyInput,
  inputs: Inputs,
  etag: string | undefined,
  repeated: readonly Refusal[],
): ApplyResult => {
  const removals = [...clearFormer(inputs), ...removeRenamed(inputs)];
  const { decisions: possible, refusals: conflicts } = refuseConflicts(inputs, decide(inputs), removals);
  const { decisions, refusals: tooMany } = withinTagLimit(inputs, possible, removals);
  const refusals = [...repeated, ...decisions.flatMap(({ refusal }) => refusal ?? []), ...conflicts, ...tooMany];
  const applied = sameLedger(
    input.applied,
    decisions.flatMap(({ record }) => record ?? []),
  );
  const sets = decisions.flatMap(({ edit }) => edit ?? []);
  const edits = [...sets, ...removals, ...dropAlternatives(inputs, sets)];
  const address = { etag, tagsAtScope: input.tagsAtScope };
  const requests = requestsFor(inputs, edits, address);
  if (requests.length > 0) {
    const apart = requestsFor(inputs, edits, { ...address, split: true });
    return { kind: "write", requests, ...(apart.length > requests.length && { apart }), applied, refusals };
  }
  return refusals.length > 0 ? { kind: "refused", refusals, applied } : { kind: "unchanged", applied };
};

/**
 * Compares what is wanted with what Azure shows and with what we applied last, and says what to send: our fields laid
 * over what is there (design section 5). Never fails; what cannot be written is refused and the rest goes on.
 */
export const apply = (input: ApplyInput): ApplyResult => {
  const { schema, rules, observed } = input;
  const frame = frameOf(schema, rules, input.desired, input.applied ?? []);
  const { body, refusals } = withoutRepeated(frame, input.desired.body);
  const desired: Desired = { ...input.desired, body };
  switch (observed.kind) {
    case "absent":
      return create(frame, desired, refusals);
    case "present":
      return update(input, inputsOf(input, frame, desired, observed.body), observed.etag, refusals);
  }
};
