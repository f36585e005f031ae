import type { ResourceSchema } from "../../wire/schema.ts";
import type { Rules } from "../rules.ts";
import type { AppliedLeaf, JsonObject } from "../types.ts";
import { settleAlternatives } from "./alternatives.ts";
import { writablePart } from "./apply.ts";
import { valueAt } from "./body.ts";
import { same } from "./compare.ts";
import { frameOf } from "./frame.ts";
import { locateApplied, recorded } from "./leaves.ts";

/**
 * The ledger after the first observation that follows our own write: a default that Azure shows otherwise is Azure's
 * from now on and leaves it. What was asked for stays, so that a difference is drift.
 */
export const settleApplied = (
  schema: ResourceSchema,
  rules: Rules,
  applied: readonly AppliedLeaf[],
  observed: JsonObject,
): readonly AppliedLeaf[] => {
  const frame = frameOf(schema, rules, {}, applied);
  const byKey = locateApplied(frame, applied);
  const leaves = [...byKey.values()];
  const body = settleAlternatives(frame, writablePart(frame, observed), leaves, byKey);
  const kept = leaves.filter(
    (leaf) => leaf.mark === "asked" || same(frame, leaf.place, leaf.value, valueAt(frame, body, leaf)),
  );
  return kept.length === applied.length ? applied : kept.map(recorded);
};
