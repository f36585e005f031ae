import type { ResourceSchema } from "../wire/schema.ts";
import { hasOwnerTags } from "./decide.ts";
import { knownAfterIntent } from "./intended.ts";
import { ownership } from "./ownership.ts";
import type { Intent, ResourceRow } from "./resourceRow.ts";
import type { ServiceFacts } from "./runnableKind.ts";
import type { Observed, Tags } from "./types.ts";
import { notYetVisibleUntilMs } from "./visibility.ts";

export interface RemovalInput {
  readonly service: ServiceFacts;
  readonly schema: ResourceSchema;
  readonly row: ResourceRow;
  readonly observed: Observed;
  readonly ownerTags: Tags;
  readonly parentOurs: boolean;
  /** Of a role assignment that the spec names: whether its principal is ours. Default false. */
  readonly principalOurs?: boolean;
  readonly nowMs: number;
  readonly cause: string;
}

/** What becomes of a resource whose object is deleted. */
export type Removal =
  | { readonly kind: "gone"; readonly row: ResourceRow }
  /** Not ours by the table of ownership: listed, not waited for. */
  | { readonly kind: "kept"; readonly row: ResourceRow }
  /** A write without an answer may still make it appear, or one that succeeded is not visible yet. */
  | { readonly kind: "wait"; readonly row: ResourceRow; readonly untilMs: number }
  | { readonly kind: "delete"; readonly row: ResourceRow };

/** A write without an answer is waited for so long before a 404 counts (design section 4, step 4). */
const unansweredMs = 5 * 60_000;
const lookAgainMs = 15_000;

/** What a delete stands for in back-offs and history. */
export const deletionPlan = "delete";

export const decideRemoval = (input: RemovalInput): Removal => {
  const { service, row, observed, ownerTags, parentOurs, principalOurs = false, nowMs, cause } = input;
  const { intent, ...bare } = row;
  if (observed.kind === "absent") {
    const open = intent !== undefined && intent.method !== "DELETE" && nowMs - intent.sinceMs < unansweredMs;
    const untilMs = open ? nowMs + lookAgainMs : notYetVisibleUntilMs(row, nowMs);
    return untilMs === undefined ? { kind: "gone", row: bare } : { kind: "wait", row, untilMs };
  }
  const taggable = service.ownership === "tag";
  const hasOurTag = hasOwnerTags(observed.body, ownerTags);
  const known = knownAfterIntent(row, { ...input, tagged: hasOurTag });
  const verdict = ownership({ taggable, hasOurTag, known, parentOurs, principalOurs });
  if (verdict !== "ours") return { kind: "kept", row: { ...bare, known } };
  const removal: Intent = {
    method: "DELETE",
    changes: [],
    applied: row.applied,
    desiredHash: "",
    planHash: deletionPlan,
    creating: false,
    cause,
    sinceMs: nowMs,
  };
  return { kind: "delete", row: { ...bare, known, intent: removal } };
};
