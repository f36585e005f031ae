import type { ResourceSchema } from "../wire/schema.ts";
import { apply } from "./apply/apply.ts";
import { counted, heldUntilMs } from "./guard.ts";
import { hashOf } from "./hash.ts";
import { ownership } from "./ownership.ts";
import type { Known, ResourceRow } from "./resourceRow.ts";
import type { ServiceFacts } from "./runnableKind.ts";
import type { Desired, JsonObject, Observed, PlannedRequest, Refusal, Tags } from "./types.ts";

/** One wanted resource with what the table knows of it. */
export interface Wanted {
  readonly service: ServiceFacts;
  readonly desired: Desired;
  readonly desiredHash: string;
  /** What a back-off belongs to: the desired body and the human's last `retry`. */
  readonly planHash: string;
  readonly row: ResourceRow;
}

export interface DecisionInput extends Wanted {
  readonly observed: Observed;
  readonly schema: ResourceSchema;
  readonly ownerTags: Tags;
  /** Whether the resource that this one lives in is ours; of no meaning for taggable resources. */
  readonly parentOurs: boolean;
  readonly nowMs: number;
  readonly cause: string;
}

/** What to do with a resource that has been looked at. Every form carries the row as it shall be stored. */
export type Decision =
  | { readonly kind: "done"; readonly row: ResourceRow; readonly ours: boolean; readonly refusals: readonly Refusal[] }
  | { readonly kind: "busy"; readonly row: ResourceRow; readonly why: string }
  | {
      readonly kind: "held";
      readonly row: ResourceRow;
      readonly untilMs: number;
      readonly requests: readonly PlannedRequest[];
    }
  | {
      readonly kind: "write";
      readonly row: ResourceRow;
      readonly requests: readonly PlannedRequest[];
      readonly refusals: readonly Refusal[];
      readonly verb: "creating" | "updating";
    };

const terminal = new Set(["succeeded", "failed", "canceled", "cancelled"]);

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

/** What an open intent makes of the row: a creation that left our tag (or an untaggable thing) is ours. */
export const knownAfterIntent = (row: ResourceRow, observed: Observed, tagged: boolean, taggable: boolean): Known =>
  row.intent?.creating === true && observed.kind === "present" && (tagged || !taggable) ? "created" : row.known;

/** Ownership first, then apply, then the loop guard. */
export const decide = (input: DecisionInput): Decision => {
  const { observed, service, row } = input;
  const taggable = service.ownership === "tag";
  const tagged = observed.kind === "present" && hasOwnerTags(observed.body, input.ownerTags);
  const known = knownAfterIntent(row, observed, tagged, taggable);
  const seen: ResourceRow = { ...row, known, observedAtMs: input.nowMs };
  if (observed.kind === "present") {
    const verdict = ownership({ taggable, hasOurTag: tagged, known, parentOurs: input.parentOurs });
    if (verdict !== "ours") return notOurs(seen, verdict, input.desired);
    if (!terminal.has(provisioningOf(observed.body).toLowerCase())) {
      return { kind: "busy", row: seen, why: `Azure is at work on it (${provisioningOf(observed.body)})` };
    }
  }
  return plan(input, seen);
};

const notOurs = (seen: ResourceRow, verdict: "unmanaged" | "ownershipLost", { id }: Desired): Decision => {
  const { intent: _intent, ...row } = seen;
  if (verdict === "unmanaged") {
    return {
      kind: "done",
      row: { ...row, known: row.known === "nothing" ? "seenUnmanaged" : row.known },
      ours: false,
      refusals: [],
    };
  }
  const message = `${id} was made by Capstan, but its owner tag was taken off: it is kept and not changed; put the tag back to have it managed`;
  return {
    kind: "done",
    row,
    ours: false,
    refusals: [{ reason: "OwnershipLost", path: "tags", observed: null, desired: null, message }],
  };
};

/** What the ledger says of the fields: what was applied, and what an open intent may have applied. */
const appliedOf = ({ applied, intent }: ResourceRow): ResourceRow["applied"] | undefined => {
  if (intent === undefined) return applied.length === 0 ? undefined : applied;
  const intended = new Set(intent.applied.map(({ path }) => path.join("/")));
  return [...applied.filter(({ path }) => !intended.has(path.join("/"))), ...intent.applied];
};

const plan = (input: DecisionInput, seen: ResourceRow): Decision => {
  const { service, desired, observed, schema, desiredHash, nowMs } = input;
  const result = apply({
    schema,
    rules: service.rules,
    desired,
    observed,
    applied: appliedOf(seen),
    tagsAtScope: service.ownership === "tag",
  });
  const { intent: _intent, ...bare } = seen;
  if (result.kind !== "write") {
    const { backoff: _backoff, ...quiet } = bare;
    const refusals = result.kind === "refused" ? result.refusals : [];
    const known = bare.known === "nothing" ? "adopted" : bare.known;
    return {
      kind: "done",
      row: { ...quiet, known, applied: result.applied, desiredHash, unsettled: false },
      ours: true,
      refusals,
    };
  }
  const changes = result.requests.flatMap((request) => request.changes);
  const planHash = hashOf(changes.map(({ path, to }) => ({ path, to })));
  const held = heldUntilMs(seen.writes, planHash, nowMs);
  if (held > nowMs) return { kind: "held", row: bare, untilMs: held, requests: result.requests };
  const intent = {
    method: result.requests[0]?.method ?? "PUT",
    changes,
    applied: result.applied,
    desiredHash,
    planHash,
    cause: input.cause,
    creating: observed.kind === "absent",
    sinceMs: nowMs,
  };
  return {
    kind: "write",
    row: { ...bare, applied: appliedOf(seen) ?? [], intent, writes: counted(seen.writes, { planHash, atMs: nowMs }) },
    requests: result.requests,
    refusals: result.refusals,
    verb: observed.kind === "absent" ? "creating" : "updating",
  };
};
