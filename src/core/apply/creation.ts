import type { AppliedLeaf, Desired, PlannedRequest } from "../types.ts";
import { valueAt } from "./body.ts";
import { isYielded, recordOf } from "./decide.ts";
import { changeOf, type Edit } from "./edit.ts";
import type { Leaf } from "./leaves.ts";
import { itemsAround } from "./located.ts";
import type { Frame } from "./place.ts";

/** One edit a leaf; an item of a list is one edit. */
const editsOf = (frame: Frame, desired: Desired, leaves: readonly Leaf[]): readonly Edit[] => {
  const places = leaves.map((leaf) => itemsAround(leaf)[0] ?? leaf);
  const distinct = [...new Map(places.map((at) => [at.key, at])).values()];
  return distinct.map((at) => ({ at, from: undefined, to: valueAt(frame, desired.body, at) }));
};

/** The request that creates a resource: the whole wanted body, refused when it exists by then. */
export const creation = (frame: Frame, desired: Desired, leaves: readonly Leaf[]): PlannedRequest => ({
  method: "PUT",
  path: desired.id,
  apiVersion: frame.schema.apiVersion,
  body: desired.body,
  ifNoneMatch: "*",
  changes: editsOf(frame, desired, leaves).map((edit) => changeOf(frame, edit)),
});

/** What the ledger holds after a creation. */
export const created = (frame: Frame, leaves: readonly Leaf[]): readonly AppliedLeaf[] =>
  leaves.filter((leaf) => !isYielded(frame, leaf)).map((leaf) => recordOf(frame, leaf, leaf.value));
