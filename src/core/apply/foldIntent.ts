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
 * The ledger after a write whose outcome nobody saw: of what was intended, the leaves that Azure now shows; for the
 * others what was known before. What Azure never shows counts as not written, so that it is written again.
 */
export const foldIntent = (
  schema: ResourceSchema,
  rules: Rules,
  applied: readonly AppliedLeaf[],
  intended: readonly AppliedLeaf[],
  observed: JsonObject,
): readonly AppliedLeaf[] => {
  const frame = frameOf(schema, rules, {}, [...applied, ...intended]);
  const before = locateApplied(frame, applied);
  const after = locateApplied(frame, intended);
  const body = settleAlternatives(frame, writablePart(frame, observed), [...after.values()], after);
  const stands = [...after.values()].filter((leaf) => {
    const hidden = leaf.place.secret || leaf.place.writeOnly;
    return !hidden && same(frame, leaf.place, leaf.value, valueAt(frame, body, leaf));
  });
  const standing = new Set(stands.map(({ key }) => key));
  return [...[...before.values()].filter(({ key }) => !standing.has(key)), ...stands].map(recorded);
};
