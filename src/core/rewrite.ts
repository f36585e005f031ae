import type { ResourceSchema } from "../wire/schema.ts";
import { settleAlternatives } from "./apply/alternatives.ts";
import { writablePart } from "./apply/apply.ts";
import type { Inputs } from "./apply/decide.ts";
import { frameOf } from "./apply/frame.ts";
import { leavesOf, locateApplied } from "./apply/leaves.ts";
import { onlyOurs, withNeverShown, withoutOmitted } from "./apply/target.ts";
import type { Broken } from "./healing.ts";
import type { Rules } from "./rules.ts";
import type { AppliedLeaf, Desired, Observed, PlannedRequest } from "./types.ts";

/**
 * The request that heals a resource which Azure left broken although every field is as wanted: a PUT of what is there, or
 * of our part of it. None for what is patched: machines are not repaired by writing again.
 */
export const rewrite = (
  schema: ResourceSchema,
  rules: Rules,
  desired: Desired,
  observed: Extract<Observed, { kind: "present" }>,
  ledger: readonly AppliedLeaf[],
  { path, shows, whole: healed, query }: Broken,
): readonly PlannedRequest[] => {
  if (rules.writes === "patch") return [];
  const frame = frameOf(schema, rules, desired, ledger);
  const leaves = leavesOf(frame, desired);
  const applied = locateApplied(frame, ledger);
  const shown = writablePart(frame, observed.body);
  const inputs: Inputs = {
    frame,
    desired,
    leaves,
    applied,
    shown,
    observed: settleAlternatives(frame, shown, leaves, applied),
    takeover: false,
  };
  const whole = withNeverShown(inputs, withoutOmitted(inputs));
  return [
    {
      method: "PUT",
      path: desired.id,
      apiVersion: schema.apiVersion,
      body: rules.writes === "asked" ? onlyOurs(inputs, [], whole) : whole,
      ...(observed.etag !== undefined && { ifMatch: observed.etag }),
      ...(query !== undefined && { query }),
      changes: [{ path, from: shows, to: healed, effect: "inPlace" }],
    },
  ];
};
