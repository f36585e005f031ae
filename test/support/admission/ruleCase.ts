import type { JsonObject } from "../../../src/core/types.ts";

/** What one rule lets pass and what it refuses. Patches are merge patches (RFC 7386) over the whole base object. */
export interface RuleCase {
  /** Part of the message of the refusal: the rule's own words, or the API server's for a limit of the schema. */
  readonly rule: string;
  /** The field that the refusal names, such as `spec.osDisk.diskSizeGB`. */
  readonly field: string;
  /** For a rule about changes: what makes the object that is updated from the base, status included; `{}` for the base itself. */
  readonly from?: JsonObject;
  readonly accepts: JsonObject;
  readonly refuses: JsonObject;
}

/** The examples of one kind. */
export interface RuleCases {
  readonly kind: string;
  /** A valid object: `metadata` (name only) and `spec`. */
  readonly base: JsonObject;
  readonly cases: readonly RuleCase[];
}
