import { isJsonList, isJsonObject } from "../../wire/json.ts";
import type { ResourceSchema } from "../../wire/schema.ts";
import { writable } from "../../wire/writable.ts";
import type { Rules } from "../rules.ts";
import type { AppliedLeaf, Desired, Json, JsonObject, Observed, PlannedRequest, Refusal } from "../types.ts";
import { settleAlternatives } from "./alternatives.ts";
import { refuseConflicts, removeRenamed } from "./conflicts.ts";
import { created, creation } from "./creation.ts";
import { decide, type Inputs } from "./decide.ts";
import { clearFormer, dropAlternatives } from "./former.ts";
import { leavesOf, locateApplied } from "./leaves.ts";
import type { Frame } from "./place.ts";
import { requestsFor } from "./requests.ts";
import { edited } from "./target.ts";

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

const inputsOf = (input: ApplyInput, frame: Frame, body: JsonObject): Inputs => {
  const leaves = leavesOf(frame, input.desired);
  const applied = locateApplied(frame, input.applied ?? []);
  const shown = writablePart(frame, body);
  return {
    frame,
    desired: input.desired,
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

const update = (input: ApplyInput, inputs: Inputs, etag: string | undefined): ApplyResult => {
  const first = decide(inputs);
  const removals = [...clearFormer(inputs), ...removeRenamed(inputs)];
  const whole = edited(inputs.frame, inputs.observed, [...first.flatMap(({ edit }) => edit ?? []), ...removals]);
  const { decisions, refusals: conflicts } = refuseConflicts(inputs, first, whole);
  const refusals = [...decisions.flatMap(({ refusal }) => refusal ?? []), ...conflicts];
  const applied = sameLedger(
    input.applied,
    decisions.flatMap(({ record }) => record ?? []),
  );
  const sets = decisions.flatMap(({ edit }) => edit ?? []);
  const edits = [...sets, ...removals, ...dropAlternatives(inputs, sets)];
  const requests = requestsFor(inputs, edits, { etag, tagsAtScope: input.tagsAtScope });
  if (requests.length > 0) return { kind: "write", requests, applied, refusals };
  return refusals.length > 0 ? { kind: "refused", refusals, applied } : { kind: "unchanged", applied };
};

/**
 * Compares what is wanted with what Azure shows and with what we applied last, and says what to send: our fields laid
 * over what is there (design section 5). Never fails; what cannot be written is refused and the rest goes on.
 */
export const apply = (input: ApplyInput): ApplyResult => {
  const { schema, rules, desired, observed } = input;
  const frame: Frame = { schema, rules };
  switch (observed.kind) {
    case "absent": {
      const leaves = leavesOf(frame, desired);
      const requests = [creation(frame, desired, leaves)];
      return { kind: "write", requests, applied: created(frame, leaves), refusals: [] };
    }
    case "present":
      return update(input, inputsOf(input, frame, observed.body), observed.etag);
  }
};
